// CSC on a GPU, which is also a transposed CSR: the merge path over columns and nonzeros is split
// into equal tiles, one per block, whatever the column lengths, and every multiplication is added
// to y atomically. The order of atomic additions varies, so results are not bitwise reproducible.
#include "backends/cuda/indices.cuh"
#include "kernels/spmv/cuda/coo_chunks.cuh"
#include "kernels/spmv/cuda/merge_tiles.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csc/scatter/cuda";
constexpr int threads = 256, in_flight = 4;
constexpr int tile = 2 * in_flight * threads;

template <class T, class I, class O>
__global__ void __launch_bounds__(threads)
    scatter(csc_ref<const T, I, O> a, vector_call<T> v, const merge_coordinate* cuts) {
  __shared__ int ends[tile];
  const merge_coordinate begin = cuts[blockIdx.x], end = cuts[blockIdx.x + 1];
  const int columns = static_cast<int>(end.row - begin.row);
  const int entries = static_cast<int>(end.entry - begin.entry);
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += threads)
    ends[c] = static_cast<int>(static_cast<index_t>(a.offsets[begin.row + c + 1]) - begin.entry);
  __syncthreads();
  for (int first = static_cast<int>(threadIdx.x); first < entries; first += in_flight * threads) {
    I row[in_flight];
    T product[in_flight];
#pragma unroll
    for (int j = 0; j < in_flight; ++j)
      if (const int k = first + j * threads; k < entries) {
        row[j] = __ldcs(a.row_indices + begin.entry + k);
        // The column of a nonzero is the first that ends after it.
        product[j] = __ldcs(a.values + begin.entry + k) *
                     __ldg(v.x + begin.row + cuda::first_not_below(ends, columns, k + 1));
      }
#pragma unroll
    for (int j = 0; j < in_flight; ++j)
      if (first + j * threads < entries) atomicAdd(v.y + row[j], v.alpha * product[j]);
  }
}

using cuts = buffer<merge_coordinate>;

state prepare(const problem&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto starts = std::make_shared<cuts>();
  with_vector_call<csc_view>(o, [&](const auto& a, const auto&) {
    *starts = device::merge_cuts(where, a.offsets, a.cols, a.nnz(), tile);
  });
  const index_t held = starts->size() * index_t{sizeof(merge_coordinate)};
  return {.tables = std::move(starts), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& starts = prepared.as<cuts>();
  with_vector_call<csc_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    device::scale_result<T>(where, o);
    const auto tiles = static_cast<unsigned>(starts.size() - 1);
    if (tiles == 0) return;
    scatter<<<tiles, threads, 0, cuda::stream_of(where)>>>(a, v, starts.data());
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csc) return {.because = "takes CSC, or a transposed CSR"};
  const double added = static_cast<double>(p.a.nnz) / costs::device_atomics;
  const index_t tiles = device::merge_tiles(p.a.shape.cols, p.a.nnz, tile);
  return {.possible = true,
          .prepare_seconds =
              costs::device_seconds(static_cast<double>(tiles) * costs::device_path_search, m),
          .run_seconds = costs::device_seconds(costs::dense_product_bytes(p), m) + added +
                         costs::device_launch,
          .bytes = tiles * index_t{sizeof(merge_coordinate)},
          .because = "each multiplication is added to y atomically; almost no preparation"};
}

}  // namespace

extern const kernel spmv_csc_scatter_cuda;
const kernel spmv_csc_scatter_cuda{
    .id = id,
    .summary = "equal shares of columns + nonzeros per block, each multiplication added atomically",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = false,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
