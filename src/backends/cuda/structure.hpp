// Is there anything to be said about the structure of a matrix on a device?
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::cuda {

/// True when the matrix is valid, in order and without duplicates, as inspect_structure means it:
/// then there is nothing to say. False when there is, or may be. Sizes were checked. Waits.
template <class View>
bool is_tidy(const context&, const View& a);

}  // namespace gossamer::cuda
