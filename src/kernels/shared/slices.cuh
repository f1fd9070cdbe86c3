// A copy of a CSR matrix in slices of 32 rows, made on the device for a plan (SELL-C-sigma,
// Kreutzer et al. 2014): entry k of the 32 rows of a slice lie next to one another. Columns are
// stored as 16-bit distances from the slice's first column where they fit. Rows that are too long
// for it stay in CSR.
#pragma once

#include "kernels/shared/row_classes.cuh"

namespace gossamer::device {

struct slices {
  long_rows longer;                    ///< left in CSR
  index_t rows = 0;                    ///< in slices
  bool narrow = false;                 ///< columns of 16 bits
  bool ordered = false;                ///< rows are sorted by length
  buffer<std::uint32_t> order;         ///< the row of a position; empty unless ordered
  buffer<index_t> offsets;             ///< places before a slice; one more than slices
  buffer<index_t> bases;               ///< first column of a slice
  index_buffer columns;                ///< unless narrow; -1 for no entry
  buffer<std::uint16_t> near_columns;  ///< if narrow; 65535 for no entry
  buffer<std::byte> values;

  index_t count() const { return offsets.size() > 0 ? offsets.size() - 1 : 0; }
  index_t bytes() const;
};

/// Fewer than 2^32 rows. Rows up to `longest` entries are put into slices, in their own order if
/// that wastes little room. Waits for the device.
template <scalar T>
slices make_slices(const context&, const csr_view<const T>& a, index_t longest);

/// What kernels see of slices. C: the stored column.
template <class T, class C>
struct slice_ref {
  static constexpr C none = static_cast<C>(-1);
  const std::uint32_t* order;  ///< null: rows in their own order
  const index_t *offsets, *bases;
  const C* columns;
  const T* values;
  index_t rows, count;
};

/// The rows of one slice by a warp.
template <class T, class C>
__device__ void multiply_slice(const slice_ref<T, C>& s, const vector_call<T>& v, index_t slice) {
  constexpr int in_flight = 4;
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const index_t last = s.offsets[slice + 1];
  const T* const x = sizeof(C) == 2 ? v.x + s.bases[slice] : v.x;
  T sum = 0;
  for (index_t p = s.offsets[slice] + lane; p < last; p += in_flight * warp_size) {
    C column[in_flight];
    T value[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) {
      const bool inside = p + k * warp_size < last;
      column[k] = inside ? __ldcs(s.columns + p + k * warp_size) : s.none;
      value[k] = inside ? __ldcs(s.values + p + k * warp_size) : T{0};
    }
#pragma unroll
    for (int k = 0; k < in_flight; ++k)
      if (column[k] != s.none) sum += value[k] * __ldg(x + column[k]);
  }
  const index_t position = slice * warp_size + lane;
  if (position < s.rows) v.store(s.order ? index_t{s.order[position]} : position, sum);
}

}  // namespace gossamer::device
