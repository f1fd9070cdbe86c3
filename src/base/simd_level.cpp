#include "base/simd_level.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/text.hpp"

namespace gossamer {

namespace {

constexpr std::array<std::string_view, 3> names{"portable", "avx2", "avx512"};

}  // namespace

std::string_view name(simd_level level) { return names[static_cast<std::size_t>(level)]; }

std::optional<simd_level> read_simd_cap(const char* value) {
  if (value == nullptr || *value == '\0') return std::nullopt;
  const auto* const found = std::find(names.begin(), names.end(), value);
  if (found == names.end())
    throw fail(error_kind::bad_argument,
               "GOSSAMER_SIMD is \"{}\" in the environment; expected portable, avx2 or avx512, or "
               "nothing for the widest that the processor has",
               value);
  return static_cast<simd_level>(found - names.begin());
}

const simd_support& simd() {
  static const simd_support found{processor_simd(), read_simd_cap(std::getenv("GOSSAMER_SIMD"))};
  return found;
}

}  // namespace gossamer
