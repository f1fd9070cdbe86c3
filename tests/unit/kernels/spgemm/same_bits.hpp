// Whether two results are the same, array by array. Large products are compared dozens of times:
// element by element, the comparing would take longer under sanitizers than the kernels.
#pragma once

#include <cstring>

#include "gossamer/matrix.hpp"

namespace gossamer {

inline bool same_indices(index_view a, index_view b) {
  const std::size_t width = a.width() == index_width::i32 ? 4 : 8;
  return a.size() == b.size() && a.width() == b.width() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * width) == 0);
}

template <class T>
bool same_bits(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  return a.shape() == b.shape() && same_indices(a.row_offsets(), b.row_offsets()) &&
         same_indices(a.column_indices(), b.column_indices()) &&
         (a.nnz() == 0 ||
          std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0);
}

}  // namespace gossamer
