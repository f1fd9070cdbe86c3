// Rows of a sparse product in a hash table, for the two phases of two_phases.hpp.
#pragma once

#include <algorithm>

#include "kernels/spgemm/accumulators/hash_table.hpp"
#include "kernels/spgemm/frame/table_products.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"

namespace gossamer {

template <class I, class T>
class hash_maker {
 public:
  hash_maker(extents result, const std::shared_ptr<memory_resource>& source)
      : result_(result), table_(source) {}

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t products) {
    table_.reserve(std::min(products, result_.cols));
    touch_row(table_, a, b, row, a.end(result_.rows - 1));
    const index_t found = table_.count();
    table_.forget();
    return found;
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t entries, J* columns, T* values,
             T alpha) {
    table_.reserve(entries);
    add_row(table_, a, b, row, a.end(result_.rows - 1), conjugate_a_);
    table_.take(columns, values, conjugated_if(conjugate_result_, alpha));
    if constexpr (complex_scalar<T>)
      if (conjugate_result_)
        for (index_t k = 0; k < entries; ++k) values[k] = conjugated_if(true, values[k]);
  }

  /// Complex values: conj(A) B is summed with the conjugates of A's values, and A conj(B) is the
  /// conjugate of conj(A) B.
  void conjugate(bool a, bool b) {
    conjugate_a_ = a != b;
    conjugate_result_ = b;
  }

  static index_t bytes(const problem& p) { return hash_table<I, T>::bytes_for(longest_row_of(p)); }

 private:
  extents result_;
  hash_table<I, T> table_;
  bool conjugate_a_ = false, conjugate_result_ = false;
};

}  // namespace gossamer
