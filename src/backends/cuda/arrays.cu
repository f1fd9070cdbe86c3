#include "backends/cuda/arrays.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/runtime.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::cuda {

namespace {

/// Elements of a dense block, counted along its contiguous dimension.
struct places {
  index_t inner = 0, row_step = 0, col_step = 0;
  bool by_rows = false;  ///< the contiguous dimension is that of the columns

  template <class T>
  explicit places(const dense_view<T>& v)
      : inner(v.order == layout::row_major ? v.shape.cols : v.shape.rows),
        row_step(v.row_step()),
        col_step(v.col_step()),
        by_rows(v.order == layout::row_major) {}
  /// Element e in the counting of `order`, as an offset here.
  __device__ index_t operator()(index_t e, const places& order) const {
    const index_t far = e / order.inner, near = e % order.inner;
    return order.by_rows ? far * row_step + near * col_step : near * row_step + far * col_step;
  }
};

/// Takes the greatest over all threads of the grid; *greatest starts as 0.
__device__ void keep_greatest(long long mine, long long* greatest) {
  for (int lane = 16; lane > 0; lane /= 2)
    mine = max(mine, __shfl_xor_sync(0xffffffffU, mine, lane));
  if (threadIdx.x % 32 == 0 && mine > 0) atomicMax(greatest, mine);
}

template <class O>
__global__ void __launch_bounds__(block_size)
    longest_kernel(const O* offsets, index_t lines, long long* greatest) {
  long long mine = 0;
  for (index_t i = first_element(); i < lines; i += element_stride())
    mine = max(mine, static_cast<long long>(offsets[i + 1]) - static_cast<long long>(offsets[i]));
  keep_greatest(mine, greatest);
}

template <class I>
__global__ void __launch_bounds__(block_size)
    falls_kernel(const I* indices, index_t pairs, long long* any) {
  long long mine = 0;
  for (index_t i = first_element(); i < pairs; i += element_stride())
    if (indices[i + 1] < indices[i]) mine = 1;
  keep_greatest(mine, any);
}

/// launch(where the answer goes, blocks, stream), then the answer.
template <class Launch>
index_t ask(const context& where, index_t count, const char* what, Launch&& launch) {
  const device_guard on(where);
  buffer<long long> answer(1, where.memory());
  answer.set(0);
  launch(answer.data(), blocks_for(count, where.device()), stream_of(where));
  check(cudaGetLastError(), "{} could not be launched for {} elements", what, count_text(count));
  long long found = 0;
  copy_bytes(where, &found, answer.data(), sizeof found, direction::to_host);
  return found;
}

}  // namespace

template <scalar T>
void scale(const context& where, const dense_view<T>& y, T beta) {
  const device_guard on(where);
  const places at(y);
  T* const values = y.values;
  for_each(where, y.shape.rows * y.shape.cols, "scaling y", [=] __device__(index_t e) {
    T& one = values[at(e, at)];
    one = beta == T{0} ? T{0} : beta * one;
  });
}

template <scalar T>
void copy_elements(const context& where, const dense_view<const T>& from, const dense_view<T>& to) {
  const device_guard on(where);
  const places there(from), here(to);
  const T* const source = from.values;
  T* const target = to.values;
  for_each(where, to.shape.rows * to.shape.cols, "copying a dense block",
           [=] __device__(index_t e) { target[here(e, here)] = source[there(e, here)]; });
}

index_t longest_line(const context& where, index_view offsets) {
  const index_t lines = offsets.size() - 1;
  if (lines < 1 || is_captured(stream_of(where))) return 0;
  return ask(where, lines, "looking for the longest row",
             [&](long long* answer, unsigned blocks, cudaStream_t stream) {
               if (offsets.width() == index_width::i32)
                 longest_kernel<<<blocks, block_size, 0, stream>>>(
                     static_cast<const std::int32_t*>(offsets.data()), lines, answer);
               else
                 longest_kernel<<<blocks, block_size, 0, stream>>>(
                     static_cast<const std::int64_t*>(offsets.data()), lines, answer);
             });
}

bool ascends(const context& where, index_view indices) {
  const index_t pairs = indices.size() - 1;
  if (pairs < 1) return true;
  if (is_captured(stream_of(where))) return false;
  return 0 == ask(where, pairs, "looking at the order of entries",
                  [&](long long* answer, unsigned blocks, cudaStream_t stream) {
                    if (indices.width() == index_width::i32)
                      falls_kernel<<<blocks, block_size, 0, stream>>>(
                          static_cast<const std::int32_t*>(indices.data()), pairs, answer);
                    else
                      falls_kernel<<<blocks, block_size, 0, stream>>>(
                          static_cast<const std::int64_t*>(indices.data()), pairs, answer);
                  });
}

template void scale(const context&, const dense_view<float>&, float);
template void scale(const context&, const dense_view<double>&, double);
template void copy_elements(const context&, const dense_view<const float>&,
                            const dense_view<float>&);
template void copy_elements(const context&, const dense_view<const double>&,
                            const dense_view<double>&);

}  // namespace gossamer::cuda
