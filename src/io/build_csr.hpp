// Builds a CSR matrix with sorted rows from triplets in file order: symmetric elements mirrored,
// duplicates added in file order. Bitwise reproducible for any number of threads.
#pragma once

#include <vector>

#include "io/common.hpp"

namespace gossamer::io {

template <stored_index I, scalar T>
struct entry {
  I row, column;
  T value;
};

/// Consecutive elements of a file; only the first `count` positions are filled.
template <stored_index I, scalar T>
struct entry_block {
  buffer<entry<I, T>> entries;
  index_t count = 0;
};

enum class mirror { none, same, negated, conjugated };

/// Consumes the blocks. Indices must be in range; the result has columns of type I.
template <stored_index I, scalar T>
csr_matrix<T> build_csr(extents shape, std::vector<entry_block<I, T>> blocks, mirror mirrored,
                        const read_options& how);

}  // namespace gossamer::io
