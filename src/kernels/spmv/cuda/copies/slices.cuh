// A copy of a CSR matrix in slices of 32 rows (64 of floats) that a plan keeps on the device
// (SELL-C-sigma, Kreutzer et al. 2014): nonzero k of the rows of a slice is contiguous. Columns are
// stored as 16-bit distances from the slice's first column where they fit. Rows that are too long
// stay in CSR.
#pragma once

#include <type_traits>

#include "kernels/common/cuda/row_classes.cuh"
#include "kernels/spmv/cuda/copies/narrow_entries.cuh"

namespace gossamer::device {

struct slices {
  long_rows longer;             ///< rows that stay in CSR
  index_t rows = 0;             ///< rows in slices
  bool ordered = false;         ///< rows are sorted by length
  buffer<std::uint32_t> order;  ///< the row of a position; empty unless ordered
  buffer<index_t> offsets;      ///< positions before a slice; one more than slices
  buffer<index_t> bases;        ///< first column of a slice: 16-bit columns are relative to it
  narrow_entries entries;       ///< padding has column -1 (16 bits: 65535)

  index_t count() const { return offsets.size() > 0 ? offsets.size() - 1 : 0; }
  index_t bytes() const;
};

/// Builds the copy; fewer than 2^32 rows. Rows up to `longest` nonzeros go to slices, in matrix
/// order if that wastes little memory. Waits for the device.
template <scalar T>
slices make_slices(const context&, const csr_view<const T>& a, index_t longest);

/// Rows of a slice per lane: with two, a float matrix is loaded in pieces as wide as a double one.
template <class T>
inline constexpr int rows_a_lane = sizeof(T) == 4 ? 2 : 1;
template <class T>
inline constexpr index_t rows_a_slice = rows_a_lane<T>* warp_size;

/// The device view of slices. V: the stored value, C: the stored column.
template <class V, class C>
struct slice_ref {
  static constexpr C none = static_cast<C>(-1);
  const std::uint32_t* order;  ///< null: rows in matrix order
  const index_t *offsets, *bases;
  const C* columns;
  const V* values;
  index_t rows, count;
};

/// Loads neighbouring elements at once, with a streaming hint.
template <int Count, class T>
struct alignas(Count * sizeof(T)) neighbours {
  T at[Count];
};
template <int Count, class T>
__device__ neighbours<Count, T> load_once(const T* from) {
  if constexpr (Count == 1) {
    return {__ldcs(from)};
  } else {
    using word = std::conditional_t<Count * sizeof(T) == 4, unsigned,
                                    std::conditional_t<Count * sizeof(T) == 8, uint2, uint4>>;
    const word loaded = __ldcs(reinterpret_cast<const word*>(from));
    neighbours<Count, T> found;
    memcpy(&found, &loaded, sizeof found);
    return found;
  }
}

/// Computes the rows of one slice with a warp.
template <class T, class V, class C>
__device__ void multiply_slice(const slice_ref<V, C>& s, const vector_call<T>& v, index_t slice) {
  constexpr int rows = rows_a_lane<T>, in_flight = 4 / rows;
  constexpr int step = static_cast<int>(rows_a_slice<T>);
  const int lane = static_cast<int>(threadIdx.x) % warp_size * rows;
  const index_t last = s.offsets[slice + 1];
  const T* const x = sizeof(C) == 2 ? v.x + s.bases[slice] : v.x;
  T sum[rows] = {};
  for (index_t p = s.offsets[slice] + lane; p < last; p += in_flight * step) {
    neighbours<rows, C> column[in_flight];
    neighbours<rows, V> value[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k)
      if (p + k * step < last) {
        column[k] = load_once<rows>(s.columns + p + k * step);
        value[k] = load_once<rows>(s.values + p + k * step);
      } else {
#pragma unroll
        for (int r = 0; r < rows; ++r) column[k].at[r] = s.none, value[k].at[r] = 0;
      }
#pragma unroll
    for (int k = 0; k < in_flight; ++k)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (column[k].at[r] != s.none)
          sum[r] += static_cast<T>(value[k].at[r]) * __ldg(x + column[k].at[r]);
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const index_t position = slice * step + lane + r;
    if (position < s.rows) v.store(s.order ? index_t{s.order[position]} : position, sum[r]);
  }
}

}  // namespace gossamer::device
