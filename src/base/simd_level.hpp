// Which vector instructions the library uses: the widest that the processor has, capped by
// GOSSAMER_SIMD in the environment. This is the one place that asks the processor. It is in base,
// not in kernels/simd, because `machine` reports the level; kernels select their variants by it
// through kernels/simd/select.hpp.
#pragma once

#include <optional>
#include <string_view>

namespace gossamer {

/// A set of vector instructions, each a superset of the one before. kernels/simd/targets.hpp names
/// the extensions behind each level.
enum class simd_level { portable, avx2, avx512 };

std::string_view name(simd_level);

struct simd_support {
  simd_level processor = simd_level::portable;  ///< the widest of the processor, in this build
  std::optional<simd_level> cap = {};           ///< GOSSAMER_SIMD, if it is set

  /// The level that kernels run at: a cap above the processor's level changes nothing.
  simd_level used() const { return cap && *cap < processor ? *cap : processor; }
};

/// The value of GOSSAMER_SIMD as a level; nothing where it is null or empty. Throws `error` for a
/// value that is no level.
std::optional<simd_level> read_simd_cap(const char* value);

/// The level of this processor, without the cap: simd_level.x86.cpp or simd_level.portable.cpp.
simd_level processor_simd();

/// What this process uses. The processor and the environment are asked once.
const simd_support& simd();

}  // namespace gossamer
