// From triplets in file order to a CSR matrix with sorted rows: symmetric entries mirrored,
// duplicates added up in file order. The same bits for any number of threads.
#pragma once

#include <vector>

#include "io/common.hpp"

namespace gossamer::io {

template <stored_index I, scalar T>
struct entry {
  I row, column;
  T value;
};

/// Some consecutive entries of a file; only the first `count` places are filled.
template <stored_index I, scalar T>
struct entry_block {
  buffer<entry<I, T>> entries;
  index_t count = 0;
};

enum class mirror { none, same, negated };

/// Uses the blocks up. Indices must be in range; the result has columns of type I.
template <stored_index I, scalar T>
csr_matrix<T> build_csr(extents shape, std::vector<entry_block<I, T>> blocks, mirror mirrored,
                        const read_options& how);

}  // namespace gossamer::io
