// Fast check of the structure of a matrix on a device.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::cuda {

/// True when the matrix is valid, sorted and without duplicates, as inspect_structure defines it.
/// False when it is not, or may not be. Sizes were checked before. Waits.
template <class View>
bool is_tidy(const context&, const View& a);

}  // namespace gossamer::cuda
