// Gustavson's sparse accumulator for one row of a sparse product: a dense array of sums, an array
// with the last row that used each column, and a list of the row's columns, sorted at the end.
// Nothing is cleared between rows.
#pragma once

#include <algorithm>

#include "analysis/saturate.hpp"
#include "gossamer/memory.hpp"
#include "kernels/spgemm/accumulators/mask_gate.hpp"
#include "kernels/spgemm/accumulators/semiring.hpp"

namespace gossamer {

template <class I, class T, class Semiring = semirings::plus_times<T>>
class spa {
 public:
  spa(index_t columns, const std::shared_ptr<memory_resource>& source)
      : sums_(columns, source), seen_(columns, source), list_(columns, source) {
    std::fill_n(seen_.data(), seen_.size(), index_t{-1});
  }
  /// Saturates: C may have more columns than there is memory for any number of bytes each.
  static index_t bytes_for(index_t columns) {
    using analysis::amount;
    return (amount{columns} * amount{sizeof(T) + sizeof(index_t) + sizeof(I)}).value;
  }

  /// Adds `factor` times a row of B, for the columns that the gate admits.
  template <class Rows, class Gate = open_gate>
  void add(const Rows& b, index_t row, T factor, const Gate& gate = {}) {
    index_t found = found_;
    const index_t end = b.end(row);
    for (index_t q = b.begin(row); q < end; ++q) {
      const index_t column = b.column(q);
      if (!gate.admits(column)) continue;
      if (seen_[column] != row_) {
        seen_[column] = row_;
        sums_[column] = Semiring::identity();
        list_[found++] = static_cast<I>(column);
      }
      Semiring::add(sums_[column], Semiring::multiply(factor, b.value(q)));
    }
    found_ = found;
  }
  /// Marks the columns of a row of B, for counting.
  template <class Rows, class Gate = open_gate>
  void mark(const Rows& b, index_t row, const Gate& gate = {}) {
    index_t found = found_;
    const index_t end = b.end(row);
    for (index_t q = b.begin(row); q < end; ++q) {
      const index_t column = b.column(q);
      if (!gate.admits(column)) continue;
      found += seen_[column] != row_;
      seen_[column] = row_;
    }
    found_ = found;
  }

  /// Writes the row, columns ascending, sums times alpha, and empties the accumulator. Returns the
  /// number of nonzeros.
  template <class J>
  index_t take(J* columns, T* values, T alpha) {
    std::sort(list_.data(), list_.data() + found_);
    for (index_t k = 0; k < found_; ++k) {
      columns[k] = static_cast<J>(list_[k]);
      values[k] = alpha * sums_[static_cast<index_t>(list_[k])];
    }
    return count();
  }
  /// Empties the accumulator and returns the number of columns.
  index_t count() {
    ++row_;
    return std::exchange(found_, 0);
  }

 private:
  buffer<T> sums_;
  buffer<index_t> seen_;
  buffer<I> list_;
  index_t row_ = 0, found_ = 0;
};

}  // namespace gossamer
