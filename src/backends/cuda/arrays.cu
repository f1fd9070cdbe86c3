#include "backends/cuda/arrays.hpp"

#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

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

}  // namespace

template <scalar T>
void scale(const context& where, const dense_view<T>& y, T beta) {
  const device_guard on(where);
  const places at(y);
  T* const values = y.values;
  for_each(where, y.shape.rows * y.shape.cols, "scaling y", [=] __device__(index_t e) {
    T& one = values[at(e, at)];
    one = beta == T{0} ? T{0} : gossamer::scaled_value(beta, one);
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
  if (offsets.size() < 2 || is_captured(stream_of(where))) return 0;
  const index_reader starts(offsets);
  return greatest(where, offsets.size() - 1, "looking for the longest row",
                  [=] __device__(index_t i) { return starts[i + 1] - starts[i]; });
}

bool ascends(const context& where, index_view indices) {
  if (indices.size() < 2) return true;
  if (is_captured(stream_of(where))) return false;
  const index_reader at(indices);
  return 0 == greatest(where, indices.size() - 1, "looking at the order of entries",
                       [=] __device__(index_t i) -> index_t { return at[i + 1] < at[i]; });
}

bool is_captured(const context& where) {
  return where.backend() == backend::cuda && is_captured(stream_of(where));
}

namespace {

/// Scrambles all bits (the finaliser of a 64-bit hash): a sum of them depends on every element.
__device__ std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Adds the scrambled pairs (place, element). Sums of integers do not depend on their order. Blocks
/// add up first, and are few: atomics of one address take turns.
__global__ void __launch_bounds__(block_size)
    add_elements(index_reader elements, index_t count, unsigned long long* total) {
  unsigned long long mine = 0;
  for (index_t i = first_element(); i < count; i += element_stride())
    mine += scrambled(scrambled(static_cast<std::uint64_t>(i) + 1) ^
                      static_cast<std::uint64_t>(elements[i]));
  for (int lane = 16; lane > 0; lane /= 2) mine += __shfl_xor_sync(0xffffffffU, mine, lane);
  __shared__ unsigned long long of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&of_block, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, of_block);
}

constexpr unsigned fingerprint_blocks = 8;  // per multiprocessor: all of them run at once

}  // namespace

std::vector<std::uint64_t> fingerprints(const context& where, std::span<const index_view> arrays) {
  const device_guard on(where);
  std::vector<std::uint64_t> found(arrays.size());
  buffer<unsigned long long> totals(static_cast<index_t>(arrays.size()), where.memory());
  totals.set(0);
  unsigned long long* total = totals.data();
  const unsigned most =
      fingerprint_blocks * static_cast<unsigned>(properties(where.device()).multiprocessors);
  for (const auto& array : arrays) {
    const unsigned blocks = std::min(blocks_for(array.size(), where.device()), most);
    if (array.size() > 0)
      add_elements<<<blocks, block_size, 0, stream_of(where)>>>(index_reader(array), array.size(),
                                                                total);
    check(cudaGetLastError(), "the fingerprint of {} indices could not be launched",
          count_text(array.size()));
    ++total;
  }
  copy_bytes(where, found.data(), totals.data(), sizeof(std::uint64_t) * found.size(),
             direction::to_host);
  return found;
}

index_t count_products(const context& where, const compressed_lines& a, const compressed_lines& b,
                       index_t inner) {
  const device_guard on(where);
  const index_reader of_a(a.offsets), of_b(b.offsets), in_a(a.indices), in_b(b.indices);
  const char* const what = "counting multiplications";
  if (!a.by_rows && b.by_rows)
    return sum_of(where, inner, what, [=] __device__(index_t k) {
      return (of_a[k + 1] - of_a[k]) * (of_b[k + 1] - of_b[k]);
    });
  if (a.by_rows && b.by_rows)
    return sum_of(where, a.indices.size(), what, [=] __device__(index_t p) {
      const index_t k = in_a[p];
      return of_b[k + 1] - of_b[k];
    });
  if (!a.by_rows)
    return sum_of(where, b.indices.size(), what, [=] __device__(index_t q) {
      const index_t k = in_b[q];
      return of_a[k + 1] - of_a[k];
    });
  buffer<unsigned long long> lengths(inner, where.memory());
  lengths.set(0);
  unsigned long long* const length = lengths.data();
  for_each(where, b.indices.size(), "counting rows of B",
           [=] __device__(index_t q) { atomicAdd(length + in_b[q], 1ULL); });
  return sum_of(where, a.indices.size(), what,
                [=] __device__(index_t p) { return static_cast<index_t>(length[in_a[p]]); });
}

#define GOSSAMER_INSTANTIATE(T)                                 \
  template void scale(const context&, const dense_view<T>&, T); \
  template void copy_elements(const context&, const dense_view<const T>&, const dense_view<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
