// Numbers formatted for people; used by every message.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "gossamer/error.hpp"
#include "gossamer/types.hpp"

namespace gossamer {

/// "512 bytes", "1.5 KB", "2.00 GB" (powers of 1000).
std::string bytes_text(index_t bytes);
/// "3 x 4"
std::string shape_text(extents shape);
/// "1,234,567"
std::string count_text(index_t count);
/// "950 ns", "12.3 us", "4.56 ms", "1.23 s"
std::string seconds_text(double seconds);

namespace detail {
std::string text_from(fmt::string_view text, fmt::format_args arguments);
}

/// fmt::format, compiled once: a file that formats for itself takes two seconds longer to build,
/// and one that includes fmt/format.h half a second.
template <class... Arguments>
std::string formatted(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return detail::text_from(text, fmt::make_format_args(arguments...));
}

/// throw fail(error_kind::bad_input, "{} has {} rows", name, rows);
template <class... Arguments>
error fail(error_kind kind, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return error(kind, detail::text_from(text, fmt::make_format_args(arguments...)));
}

/// joined(names, ", ") is "a, b, c".
template <class Words>
std::string joined(const Words& words, std::string_view between) {
  std::string all;
  bool first = true;
  for (const auto& word : words) {
    if (!first) all += between;
    first = false;
    all += word;
  }
  return all;
}

}  // namespace gossamer
