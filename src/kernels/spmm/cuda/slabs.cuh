// What the kernels of Yang, Buluc and Owens 2018 share: 32 columns a warp, one element a lane.
#pragma once

#include "kernels/common/cuda/offset_reader.cuh"
#include "kernels/spmm/cuda/packs.cuh"

namespace gossamer::device {

inline constexpr int slab_block = 128;        ///< threads, as published
inline constexpr index_t slab = warp_size;    ///< columns
inline constexpr index_t most_slabs = 65535;  ///< of one grid

constexpr index_t slabs_of(index_t columns) { return (columns + slab - 1) / slab; }

/// The nonzero of each lane of a warp, and the rows of B of all 32 of them, one element a lane.
/// Where there is no nonzero nothing is loaded or added, so that Inf and NaN stay where they
/// belong.
template <class T, class I>
struct warp_nonzeros {
  I column = 0;
  T value = 0;
  T product[warp_size];

  __device__ void load(const csr_columns_ref<const T, I>& a, index_t at, index_t last) {
    if (at < last) column = __ldg(a.columns + at), value = __ldg(a.values + at);
  }
  __device__ void multiply(const T* b, index_t b_step, int count) {
#pragma unroll
    for (int j = 0; j < warp_size; ++j) {
      const I from = __shfl_sync(whole_warp, column, j);
      if (j < count) product[j] = __ldg(b + static_cast<index_t>(from) * b_step);
    }
#pragma unroll
    for (int j = 0; j < warp_size; ++j) product[j] *= __shfl_sync(whole_warp, value, j);
  }
};

/// launch(first column of a grid's slabs, their number) until all columns are done.
template <class F>
void for_slabs(index_t columns, F&& launch) {
  const index_t all = slabs_of(columns);
  for (index_t first = 0; first < all; first += most_slabs)
    launch(first * slab, static_cast<unsigned>(std::min(all - first, most_slabs)));
}

/// The columns from `first` on.
template <class T>
dense_rows<T> columns_from(dense_rows<T> d, index_t first) {
  d.b += first;
  d.c += first;
  d.columns -= first;
  return d;
}

}  // namespace gossamer::device
