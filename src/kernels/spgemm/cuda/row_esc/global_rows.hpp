// Rows of C with more multiplications than a block takes: expansion, sorting and contraction in
// device memory, by slices, straight into the places of the rows in C.
#pragma once

#include <memory>

#include "kernels/spgemm/cuda/adaptive_rows.hpp"
#include "kernels/spgemm/cuda/picked_rows.hpp"

namespace gossamer::device {

/// What is known of these rows before they are copied.
struct global_facts {
  index_t rows, nonzeros, multiplications;
  index_t longest;  ///< multiplications of one row
  index_t inner;    ///< columns of A
  index_t columns;  ///< of C
};

template <class T>
class global_rows {
 public:
  virtual ~global_rows() = default;

  /// Device memory that is held: in all, and by the slices.
  virtual index_t bytes() const = 0;
  virtual index_t slice_bytes() const = 0;
  /// Device memory of the smallest slices that are useful.
  virtual index_t least_slice_bytes(const context&) const = 0;
  /// Cuts slices and allocates their workspace within `available` bytes, which are at least
  /// least_slice_bytes. Waits.
  virtual void slice(const context&, index_t available) = 0;

  /// Writes the nonzeros of every row into counts[row]. Queued.
  virtual void count(const context&, const adaptive_operands<T>& of, index_t* counts) = 0;
  /// Takes the values of A as they are now. Queued, without allocation.
  virtual void read(const context&, const csr_view<const T>& a) = 0;
  /// Computes the rows, which were counted. Queued, without allocation.
  virtual void fill(const context&, const adaptive_operands<T>& of,
                    const adaptive_target<T>& to) = 0;
};

/// Copies the listed rows of A. Throws error(not_available) when one of them is too long to be
/// sorted. Waits.
template <class T>
std::unique_ptr<global_rows<T>> copy_global_rows(const context&, const adaptive_operands<T>&,
                                                 picked_list list, const global_facts&);

/// Device memory that copy_global_rows takes at most, and with it the smallest slice.
template <class T>
index_t global_rows_bytes(const context&, const global_facts&);

}  // namespace gossamer::device
