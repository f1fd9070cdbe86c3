// Checks of the indices of matrices, without a text: the library words errors.
#pragma once

#include "gossamer/memory.hpp"

namespace binding {

/// True if offsets ascend from 0 to nnz and every column is in range. Both arrays have one width.
bool has_valid_indices(gossamer::extents shape, gossamer::index_view offsets,
                       gossamer::index_view columns);

}  // namespace binding
