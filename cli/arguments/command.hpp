// Commands and their options. The parser behind them, CLI11, is seen by command.cpp alone: it is
// header-only, and each file that uses it takes several seconds more to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gossamer/types.hpp"

namespace CLI {
class App;
}

namespace gossamer::cli {

/// The variable that receives an option's value.
using option_value = std::variant<std::string*, std::vector<std::string>*, int*, std::vector<int>*,
                                  index_t*, std::vector<index_t>*, std::uint64_t*, double*>;

struct bounds {
  index_t least = 0, most = 0;
};

struct option_rules {
  std::string shown_as = {};  ///< what --help shows for the value; default: its type
  bool required = false;
  bool by_commas = false;                ///< 1,2,4 are three values
  bool positive = false;                 ///< numbers above zero
  std::optional<bounds> within = {};     ///< numbers from least to most
  std::vector<std::string> one_of = {};  ///< these words and no others
  std::string environment = {};          ///< a variable that is read where the option is not given
  std::string excludes = {};             ///< an option, added before, that does not go with it
};

/// A command to add options and commands below it to. Refers to a command_line.
class command {
 public:
  explicit command(CLI::App& parser) : parser_(&parser) {}

  /// `closing` stands at the end of its help.
  command add_subcommand(const std::string& name, const std::string& about,
                         const std::string& closing) const;
  void require_one_subcommand() const;
  /// Accepts and ignores any further arguments.
  void take_any_arguments() const;

  /// `names` is "-o,--output", "--seed", or "FILE" for an argument by position. `into` keeps its
  /// value where the option is not given.
  template <class T>
  void add_option(const std::string& names, T& into, const std::string& help,
                  const option_rules& rules = {}) const {
    add(names, option_value(&into), help, rules);
  }
  void add_flag(const std::string& names, bool& into, const std::string& help) const;

  /// Whether the words had this option; for use after they were parsed.
  bool given(const std::string& name) const;
  /// Sets the callback for when parsing selects this command.
  void when_chosen(std::function<void()> todo) const;

 private:
  void add(const std::string& names, option_value into, const std::string& help,
           const option_rules& rules) const;
  CLI::App* parser_;
};

/// The command line of the program: the root command, and the arguments of one call.
class command_line {
 public:
  command_line(const std::string& name, const std::string& about, const std::string& closing);
  ~command_line();

  command root() const { return command(*parser_); }

  /// Returns false when help was requested and printed. Throws usage_error on invalid arguments.
  bool parse(int argc, const char* const* argv);
  std::string help() const;
  /// The help of a command below the root: {"bench", "spmv"}. Throws usage_error for other words.
  std::string help_of(const std::vector<std::string>& words) const;
  /// The command of the words as far as they were parsed: "gossamer multiply".
  std::string command_name() const;

 private:
  std::unique_ptr<CLI::App> parser_;
};

}  // namespace gossamer::cli
