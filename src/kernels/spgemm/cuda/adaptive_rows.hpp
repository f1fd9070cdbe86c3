// The launches of spgemm/csr/adaptive/cuda, by value type: every class of rows by the kernel for
// it.
#pragma once

#include "gossamer/plan.hpp"
#include "kernels/spgemm/cuda/large_rows.hpp"
#include "kernels/spgemm/cuda/patterns/row_patterns.hpp"
#include "kernels/spgemm/cuda/terms/term_lists.hpp"
#include "kernels/spgemm/cuda/windows/windowed_rows.hpp"

namespace gossamer::device {

/// The operands of a product on a device, and what they are multiplied by.
template <class T>
struct adaptive_operands {
  csr_view<const T> a, b;
  T alpha = 1;
  gossamer::semiring semiring = semiring::plus_times;
  const pattern* mask = nullptr;  ///< its rows ascend; null: none
  bool b_ascends = false;         ///< only read where there are large rows

  /// Columns of 32 bits in both operands.
  bool narrow() const {
    return a.columns.width() == index_width::i32 && b.columns.width() == index_width::i32;
  }
  bool ordinary() const { return semiring == semiring::plus_times && !mask; }
  product_structure structure() const {
    return {a.shape, b.shape, a.offsets, a.columns, b.offsets, b.columns};
  }
};

/// Where rows go: row i from places[i] on. Without places they are only counted.
template <class T>
struct adaptive_target {
  index_t* counts = nullptr;
  const index_t* places = nullptr;
  index_span columns = {};
  T* values = nullptr;
};

/// Computes the rows that are sorted: all but those in stripes or windows.
template <class T>
void multiply_sorted_rows(const context&, const adaptive_operands<T>&, const row_work&,
                          const large_rows&, const adaptive_target<T>&);

/// Counts the nonzeros of every stripe.
template <class T>
void count_stripes(const context&, const adaptive_operands<T>&, large_rows&);
/// Computes the stripes, once the counts were summed.
template <class T>
void multiply_stripes(const context&, const adaptive_operands<T>&, const large_rows&,
                      const adaptive_target<T>&);

/// Computes the rows that are summed in windows, once those were counted.
template <class T>
void multiply_windows(const context&, const adaptive_operands<T>&, const windowed_rows&,
                      const adaptive_target<T>&);

/// Computes all rows by their patterns; C has `nnz` nonzeros.
template <class T>
void multiply_by_pattern(const context&, const adaptive_operands<T>&, const row_patterns&,
                         index_t nnz, const adaptive_target<T>&);

/// Computes all rows from their listed terms.
template <class T>
void multiply_by_terms(const context&, const adaptive_operands<T>&, const term_lists&,
                       const adaptive_target<T>&);

/// Rows that were stored with gaps between them.
template <class T>
struct staged_rows {
  const index_t* places;
  index_view columns;
  const T* values;
};

/// Moves the rows that were sorted to their places in C.
template <class T>
void move_rows(const context&, const row_work&, const staged_rows<T>& from,
               const adaptive_target<T>& to);

}  // namespace gossamer::device
