// Operations on vectors of a device. Sums: one partial sum for each block of a grid whose size
// depends on the length alone, then one block adds them; the same bits on every run.
#include "amg/vectors.hpp"
#include "backends/cuda/launch.cuh"
#include "formats/typed.hpp"
#include "gossamer/copy.hpp"

namespace gossamer::amg::cuda {

namespace {

using gossamer::cuda::block_size;
using gossamer::cuda::check;
using gossamer::cuda::device_guard;
using gossamer::cuda::for_each;
using gossamer::cuda::stream_of;

constexpr int most_partial = 1024;
constexpr unsigned full_warp = 0xffffffffu;

__device__ double block_sum(double sum) {
  __shared__ double warps[32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(full_warp, sum, step);
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  const int count = static_cast<int>(blockDim.x) / 32;
  sum = static_cast<int>(threadIdx.x) < count ? warps[threadIdx.x] : 0;
  if (warp == 0)
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(full_warp, sum, step);
  return sum;
}

template <class F>
__global__ void __launch_bounds__(block_size) partial_sums(index_t count, F term, double* sums) {
  double sum = 0;
  for (index_t i = gossamer::cuda::first_element(); i < count;
       i += gossamer::cuda::element_stride())
    sum += term(i);
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(most_partial)
    add_up(int count, const double* sums, double* total) {
  const double sum = block_sum(static_cast<int>(threadIdx.x) < count ? sums[threadIdx.x] : 0);
  if (threadIdx.x == 0) *total = sum;
}

/// The sum of term(i), which may also write what belongs to i. Waits for it.
template <class F>
double sum_of(const context& where, index_t n, F term) {
  const device_guard on(where);
  const auto blocks =
      static_cast<int>(std::clamp<index_t>((n + block_size - 1) / block_size, 1, most_partial));
  buffer<double> sums(most_partial + 1, where.memory());
  partial_sums<<<static_cast<unsigned>(blocks), block_size, 0, stream_of(where)>>>(n, term,
                                                                                   sums.data());
  add_up<<<1, most_partial, 0, stream_of(where)>>>(blocks, sums.data(), sums.data() + most_partial);
  check(cudaGetLastError(), "a sum of {} elements could not be launched", count_text(n));
  double total = 0;
  copy_into(where, dense_view<const double>(sums.data() + most_partial, 1, memory::device),
            dense_view<double>(&total, 1, memory::host));
  return total;
}

/// Functors, not lambdas: nvcc takes no device lambda inside a generic one.
template <class Rows, class T>
struct smoother_row {
  Rows rows;
  const T* diagonal;
  T weight;
  T* values;
  __device__ void operator()(index_t i) const {
    const T scale = weight / diagonal[i];
    for (auto p = rows.offsets[i]; p < rows.offsets[i + 1]; ++p)
      values[p] =
          (static_cast<index_t>(rows.columns[p]) == i ? T{1} : T{0}) - scale * rows.values[p];
  }
};
template <class Rows>
struct mended_row {
  Rows rows;
  __device__ void operator()(index_t i) const {
    for (auto p = rows.offsets[i]; p < rows.offsets[i + 1]; ++p)
      if (static_cast<index_t>(rows.columns[p]) == i && rows.values[p] == 0) rows.values[p] = 1;
  }
};

}  // namespace

template <real T>
double dot(const context& where, index_t n, const T* x, const T* y) {
  return sum_of(where, n, [=] __device__(index_t i) {
    return static_cast<double>(x[i]) * static_cast<double>(y[i]);
  });
}

template <real T>
void combine(const context& where, index_t n, T a, const T* x, T b, T* y) {
  const device_guard on(where);
  if (b == T{0})
    for_each(where, n, "a x", [=] __device__(index_t i) { y[i] = a * x[i]; });
  else
    for_each(where, n, "a x + b y", [=] __device__(index_t i) { y[i] = a * x[i] + b * y[i]; });
}

template <real T>
double descend(const context& where, index_t n, T a, const descent<T>& on) {
  T* const x = on.x;
  const T* const p = on.p;
  T* const r = on.r;
  const T* const q = on.q;
  return sum_of(where, n, [=] __device__(index_t i) {
    x[i] += a * p[i];
    const T left = r[i] - a * q[i];
    r[i] = left;
    return static_cast<double>(left) * static_cast<double>(left);
  });
}

template <real T>
void smooth_step(const context& where, index_t n, T keep, T weight, const smoothing_vectors<T>& v,
                 start from) {
  const device_guard on(where);
  const T* const inverse = v.inverse_diagonal;
  const T* const r = v.r;
  T* const d = v.d;
  T* const x = v.x;
  if (from == start::from_zero)
    for_each(where, n, "the first step of a smoother",
             [=] __device__(index_t i) { x[i] = d[i] = weight * inverse[i] * r[i]; });
  else
    for_each(where, n, "a step of a smoother", [=] __device__(index_t i) {
      const T step = weight * inverse[i] * r[i] + (keep == T{0} ? T{0} : keep * d[i]);
      d[i] = step;
      x[i] += step;
    });
}

template <real T>
void smoother_values(const context& where, const csr_view<const T>& a, const T* diagonal, T weight,
                     T* values) {
  const device_guard on(where);
  typed(a, [&](const auto& rows) {
    using row = smoother_row<std::remove_cvref_t<decltype(rows)>, T>;
    for_each(where, rows.rows, "the smoother of a prolongator",
             row{rows, diagonal, weight, values});
  });
}

template <real T>
void mend_diagonal(const context& where, const csr_view<T>& a) {
  const device_guard on(where);
  typed(a, [&](const auto& rows) {
    for_each(where, rows.rows, "a diagonal", mended_row<std::remove_cvref_t<decltype(rows)>>{rows});
  });
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                             \
  template double dot(const context&, index_t, const T*, const T*);                             \
  template void combine(const context&, index_t, T, const T*, T, T*);                           \
  template double descend(const context&, index_t, T, const descent<T>&);                       \
  template void smooth_step(const context&, index_t, T, T, const smoothing_vectors<T>&, start); \
  template void smoother_values(const context&, const csr_view<const T>&, const T*, T, T*);     \
  template void mend_diagonal(const context&, const csr_view<T>&);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg::cuda
