// Detects a change of structure between multiply_compute and multiply_fill.
#pragma once

#include <cstdint>

#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// A number that changes when the structure (offsets, indices) of a compressed operand does. Of
/// operands on a device it is computed there, which waits: not while the stream is captured.
std::uint64_t structure_fingerprint(const operand& a, const operand& b, const context&);

}  // namespace gossamer
