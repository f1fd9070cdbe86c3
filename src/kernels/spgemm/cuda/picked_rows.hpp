// Some rows of a matrix on a device as a matrix of their own, and back into their places.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::device {

/// Rows of a matrix, listed on the device.
struct picked_list {
  const index_t* rows;
  index_t count;
};

/// The listed rows of A, in that order. Waits.
template <class T>
csr_matrix<T> pick_rows(const context&, const csr_view<const T>& a, picked_list list);

/// Writes the number of nonzeros of each row of `picked` into the counts of the listed row.
template <class T>
void count_picked(const context&, const csr_view<const T>& picked, picked_list list,
                  index_t* counts);

/// Copies each row of `picked` to the place of the listed row in the arrays of C.
template <class T>
void return_rows(const context&, const csr_view<const T>& picked, picked_list list,
                 const index_t* places, const csr_view<T>& c);

}  // namespace gossamer::device
