// Options that several commands share, and how their words become values.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gossamer::cli {

/// "2G", "512M", "1.5GiB", "4096": K M G T are powers of 1000, KiB MiB GiB TiB of 1024.
/// Throws usage_error that names the option.
index_t parse_bytes(const std::string& text, const std::string& option);

format parse_format(const std::string& text);

/// --on and --threads: where the work is done.
struct place {
  std::string on = "best";
  int threads = 0;
  context open() const;
};
void add_place(CLI::App& command, place& where);

/// --algorithm, --memory-limit, --tuning and --deterministic: what the plan is held to.
struct plan_wishes {
  std::string algorithm;
  std::string memory_limit;
  std::string tuning;
  bool deterministic = false;
  options for_calls(index_t expected_calls) const;
};
void add_plan_wishes(CLI::App& command, plan_wishes& wishes);

/// --name N with N >= least.
void add_count(CLI::App& command, const std::string& name, index_t& count, index_t least,
               const std::string& help);
/// --name WORD with one of the words; the help text names them.
void add_choice(CLI::App& command, const std::string& name, std::string& choice,
                std::initializer_list<const char*> words, const std::string& help);
void add_type(CLI::App& command, std::string& type);
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed);
void add_threads(CLI::App& command, int& threads);
void add_json(CLI::App& command, bool& as_json);

/// Calls work(std::type_identity<float or double>{}) for "f32" or "f64".
template <class Work>
auto with_type(const std::string& type, Work&& work) {
  return type == "f32" ? work(std::type_identity<float>{}) : work(std::type_identity<double>{});
}

}  // namespace gossamer::cli
