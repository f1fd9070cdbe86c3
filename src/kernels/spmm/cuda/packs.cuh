// Several contiguous elements moved by one load or store, with the cache hint for their use.
#pragma once

#include <bit>
#include <limits>

#include "kernels/common/cuda/device_sums.cuh"
#include "kernels/spmm/operands/dense_arguments.hpp"

namespace gossamer::device {

/// W elements as wide as one load.
template <class T, int W>
struct alignas(sizeof(T) * W) pack {
  T of[W];
};

/// The vector type of a pack keeps the type of its elements. Doubles loaded as four words would be
/// put together by moves that wait for each load before the next one is issued.
template <class P>
struct vector_type;
template <>
struct vector_type<pack<float, 1>> {
  using type = float;
};
template <>
struct vector_type<pack<float, 2>> {
  using type = float2;
};
template <>
struct vector_type<pack<float, 4>> {
  using type = float4;
};
template <>
struct vector_type<pack<double, 1>> {
  using type = double;
};
template <>
struct vector_type<pack<double, 2>> {
  using type = double2;
};
template <>
struct vector_type<pack<std::int32_t, 4>> {
  using type = int4;
};
template <>
struct vector_type<pack<std::int64_t, 2>> {
  using type = longlong2;
};

/// Read by other threads too: kept in L1.
template <class P>
__device__ __forceinline__ P load_pack(const void* from) {
  return std::bit_cast<P>(__ldg(static_cast<const typename vector_type<P>::type*>(from)));
}
/// Past L1, which may hold what was there before another block wrote it.
template <class P>
__device__ __forceinline__ P load_fresh(const void* from) {
  return std::bit_cast<P>(__ldcg(static_cast<const typename vector_type<P>::type*>(from)));
}
template <class P>
__device__ __forceinline__ void store_fresh(void* to, const P& value) {
  using vector = typename vector_type<P>::type;
  __stcg(static_cast<vector*>(to), std::bit_cast<vector>(value));
}

/// C = alpha A B + beta C with B and C row-major.
template <class T>
struct dense_rows {
  const T* b;
  T* c;
  index_t b_step, c_step;  ///< between rows
  index_t columns;
  T alpha, beta;

  explicit dense_rows(const dense_call<T>& d)
      : b(d.b.values),
        c(d.c.values),
        b_step(d.b.row_step()),
        c_step(d.c.row_step()),
        columns(d.columns()),
        alpha(d.alpha),
        beta(d.beta) {}
  /// Stores a pack of sums. C is not read again soon: it leaves the caches first.
  template <int W>
  __device__ __forceinline__ void store(index_t row, index_t column, pack<T, W> sum) const {
    using vector = typename vector_type<pack<T, W>>::type;
    auto* const to = reinterpret_cast<vector*>(c + row * c_step + column);
    pack<T, W> old{};
    if (beta != T{0}) old = std::bit_cast<pack<T, W>>(__ldcs(to));
#pragma unroll
    for (int i = 0; i < W; ++i) sum.of[i] = blend(alpha, sum.of[i], beta, old.of[i]);
    __stcs(to, std::bit_cast<vector>(sum));
  }
};

/// Bytes that divide the addresses of all rows.
template <class T>
int alignment_of(const dense_rows<T>& d) {
  const auto all = reinterpret_cast<std::uintptr_t>(d.b) | reinterpret_cast<std::uintptr_t>(d.c) |
                   static_cast<std::uintptr_t>((d.b_step | d.c_step) * index_t{sizeof(T)});
  return static_cast<int>(std::min<std::uintptr_t>(all & (~all + 1), 16));
}

/// Positions and steps that take 64 bits.
template <class T>
bool is_wide(index_t nnz, const dense_rows<T>& d) {
  constexpr index_t most = std::numeric_limits<std::int32_t>::max() - 64;
  return nnz > most || d.b_step > most / index_t{sizeof(T)};
}

}  // namespace gossamer::device
