// Here, and nowhere else, fmt is compiled.
#define FMT_HEADER_ONLY
#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace gossamer {

std::string detail::text_from(fmt::string_view text, fmt::format_args arguments) {
  return fmt::vformat(text, arguments);
}

std::string bytes_text(index_t bytes) {
  static constexpr std::array<const char*, 6> units{"KB", "MB", "GB", "TB", "PB", "EB"};
  if (std::abs(static_cast<double>(bytes)) < 1000) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (std::abs(value) >= 999.5 && unit + 1 < units.size()) value /= 1000, ++unit;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

std::string shape_text(extents shape) { return fmt::format("{} x {}", shape.rows, shape.cols); }

std::string count_text(index_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-') text += ',';
    text += digits[i];
  }
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

}  // namespace gossamer
