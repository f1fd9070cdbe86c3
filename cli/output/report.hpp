// Output: text for people (aligned, coloured on a terminal) or one JSON object, always on stdout.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace gossamer::cli {

using json = nlohmann::ordered_json;

/// Colours text, or leaves it alone: colours appear only on a terminal, and never when NO_COLOR is
/// set or TERM is "dumb".
class painter {
 public:
  static painter for_stdout();
  static painter for_stderr();
  std::string strong(std::string_view text) const { return wrap("1", text); }
  std::string faint(std::string_view text) const { return wrap("2", text); }
  std::string good(std::string_view text) const { return wrap("32", text); }
  std::string bad(std::string_view text) const { return wrap("1;31", text); }
  /// Curves of a chart: neighbours in the list differ; after eight the colours repeat.
  std::string series(int index, std::string_view text) const;

 private:
  explicit painter(int descriptor);
  std::string wrap(std::string_view code, std::string_view text) const;
  bool on_ = false;
};

/// From now on print() writes to stderr: stdout is for data.
void leave_stdout_to_data();

namespace detail {
void print_to_stdout(std::string_view text);
void print_to_stderr(std::string_view text) noexcept;
}  // namespace detail

/// fmt::print to stdout, compiled once as `formatted` is. Throws error(io_failure) when stdout
/// takes no more (a full disk).
template <class... Arguments>
void print(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  detail::print_to_stdout(formatted(text, std::forward<Arguments>(arguments)...));
}
/// The same to stderr. Where that is closed or full nothing can be said: the exit code still can.
template <class... Arguments>
void print_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  detail::print_to_stderr(formatted(text, std::forward<Arguments>(arguments)...));
}

/// "label    text" lines with a common label width.
void print_field(std::string_view label, std::string_view text);
void print_heading(std::string_view text);
void print_json(const json& value);
/// What the library writes as JSON, as a value.
json parsed(const std::string& text);

/// Columns are as wide as their widest cell; `align` has one of '<' '>' per column.
class table {
 public:
  table(std::vector<std::string> heading, std::string align);
  void row(std::vector<std::string> cells);
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::string align_;
};

/// Throws error(io_failure) when stdout could not take everything (a full disk, a closed pipe).
void flush_output();

}  // namespace gossamer::cli
