// The rows of a CSR matrix in pieces of about equal work. A piece ends with a row, except inside a
// row that is longer than a piece: such rows are shared by several pieces. Cuts depend on the
// matrix and the length alone, so results do not depend on the number of threads.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"
#include "kernels/common/merge_path.hpp"

namespace gossamer {

template <class O>
class row_pieces {
 public:
  /// Pieces of `length` rows and nonzeros together.
  row_pieces(const O* offsets, index_t rows, index_t length)
      : offsets_(offsets), rows_(rows), length_(length) {}

  index_t count() const {
    const index_t path = rows_ + offsets_[rows_];
    return (path + length_ - 1) / length_;
  }

  /// Where piece `at` begins; piece count() begins where all ends.
  merge_coordinate begin(index_t at) const {
    const index_t path = rows_ + offsets_[rows_];
    const auto cut = merge_search(std::min(path, at * length_), offsets_, rows_);
    const index_t row = cut.row;
    if (row == rows_ || offsets_[row + 1] - offsets_[row] > length_) return cut;
    return {row, offsets_[row]};
  }

 private:
  const O* offsets_;
  index_t rows_, length_;
};

}  // namespace gossamer
