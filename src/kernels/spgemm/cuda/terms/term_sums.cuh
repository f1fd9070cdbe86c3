// The nonzeros of C as sums of listed terms (term_lists.hpp). A warp sums 32 consecutive nonzeros
// at a time. Their terms are contiguous: where they are about equally many, each lane adds its own,
// read through shared memory, so that neighbouring lanes read neighbouring values of B; otherwise
// all lanes multiply and each adds up its products. Either order is that of the multiplications.
#pragma once

#include "kernels/spgemm/cuda/terms/term_lists.hpp"
#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int term_warps = 4;     ///< per block
inline constexpr int term_window = 512;  ///< terms in shared memory at once
inline constexpr int terms_in_flight = 4;

/// The lists as device code sees them.
struct listed_terms {
  const product_term* terms;
  const std::uint32_t* starts;
  const std::int32_t* columns;
  index_t nnz;  ///< of C
};

/// The terms of a warp's nonzeros, and of a lane's.
struct term_range {
  std::uint32_t first, last, begin, end;
};

template <class T>
union term_space {
  product_term terms[term_window];
  T products[term_window];
};

template <class T>
__device__ T sum_by_lanes(const product_term* terms, const term_range& of, const T* a, const T* b,
                          term_space<T>& space) {
  T sum = 0;
  for (std::uint32_t window = of.first; window < of.last; window += term_window) {
    const std::uint32_t after = min(window + term_window, of.last);
    for (std::uint32_t t = window + lane_index(); t < after; t += warp_size)
      space.terms[t - window] = terms[t];
    __syncwarp();
    const std::uint32_t end = min(of.end, after);
#pragma unroll 4
    for (std::uint32_t t = max(of.begin, window); t < end; ++t) {
      const product_term term = space.terms[t - window];
      sum += exact_product(a[term.a], b[term.b]);
    }
    __syncwarp();
  }
  return sum;
}

template <class T>
__device__ T sum_by_products(const product_term* terms, const term_range& of, const T* a,
                             const T* b, term_space<T>& space) {
  T sum = 0;
  for (std::uint32_t window = of.first; window < of.last; window += term_window) {
    const std::uint32_t after = min(window + term_window, of.last);
    for (std::uint32_t t = window + lane_index(); t < after; t += warp_size * terms_in_flight) {
      product_term term[terms_in_flight];
      T product[terms_in_flight];
#pragma unroll
      for (int u = 0; u < terms_in_flight; ++u)
        if (t + u * warp_size < after) term[u] = terms[t + u * warp_size];
#pragma unroll
      for (int u = 0; u < terms_in_flight; ++u)
        if (t + u * warp_size < after) product[u] = exact_product(a[term[u].a], b[term[u].b]);
#pragma unroll
      for (int u = 0; u < terms_in_flight; ++u)
        if (t + u * warp_size < after) space.products[t + u * warp_size - window] = product[u];
    }
    __syncwarp();
    const std::uint32_t end = min(of.end, after);
    for (std::uint32_t t = max(of.begin, window); t < end; ++t) sum += space.products[t - window];
    __syncwarp();
  }
  return sum;
}

template <class T>
struct term_operands {
  const T* a;
  const T* b;
  T alpha;
};

template <class T>
__global__ void __launch_bounds__(term_warps* warp_size)
    term_sums(listed_terms by, term_operands<T> of, row_target<T> to) {
  __shared__ term_space<T> spaces[term_warps];
  auto& space = spaces[threadIdx.x / warp_size];
  const index_t at = static_cast<index_t>(blockIdx.x) * term_warps * warp_size + threadIdx.x;
  if (at - lane_index() >= by.nnz) return;  // the whole warp
  const std::uint32_t begin = by.starts[min(at, by.nnz)], end = by.starts[min(at + 1, by.nnz)];
  const term_range mine{__shfl_sync(whole_warp, begin, 0),
                        __shfl_sync(whole_warp, end, warp_size - 1), begin, end};
  const std::uint32_t longest = __reduce_max_sync(whole_warp, end - begin);
  T sum = 0;
  if (longest == 1) {
    if (at < by.nnz) {
      const product_term term = by.terms[begin];
      sum += exact_product(of.a[term.a], of.b[term.b]);
    }
  } else if (warp_size * longest <= 2 * (mine.last - mine.first)) {
    sum = sum_by_lanes(by.terms, mine, of.a, of.b, space);
  } else {
    sum = sum_by_products(by.terms, mine, of.a, of.b, space);
  }
  if (at >= by.nnz) return;
  to.columns.set(at, by.columns[at]);
  to.values[at] = exact_product(of.alpha, sum);
}

}  // namespace gossamer::device
