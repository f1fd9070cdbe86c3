// CSR by merge path on a GPU (Merrill and Garland 2016; "merge_path" in Anzt et al. 2020): the path
// over row ends and nonzeros is split into equal tiles, one per block, and each tile into equal
// parts, one per thread, whatever the row lengths. Multiplications go through shared memory, so
// that loads are coalesced. A thread stores the rows that end in its part; an unfinished row is
// carried, to the next thread by a scan, to the next block by a partial sum that a second launch
// adds.
#include <cub/block/block_scan.cuh>

#include "kernels/spmv/cuda/carries.cuh"
#include "kernels/spmv/cuda/merge_tiles.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/merge/cuda";
constexpr int threads = 128;  ///< of a block; not measured
constexpr int items = 7;      ///< path steps per thread; odd, to avoid bank conflicts
constexpr int tile = threads * items;

/// The sum of a row that has not ended yet.
template <class T>
struct begun {
  int row = 0;
  T sum = 0;
};
/// Segmented addition: sums of different rows are not combined.
struct add_same_row {
  template <class T>
  __device__ begun<T> operator()(const begun<T>& before, const begun<T>& after) const {
    return {after.row, after.row == before.row ? before.sum + after.sum : after.sum};
  }
};

struct tables {
  buffer<merge_coordinate> cuts;  ///< one more than tiles
};

/// Merge-path search in a tile: rows that end before the diagonal.
__device__ int rows_before(int diagonal, const int* ends, int rows, int entries) {
  int low = max(0, diagonal - entries), high = min(diagonal, rows);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (ends[middle] <= diagonal - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

template <class T, class I, class O>
__global__ void __launch_bounds__(threads)
    multiply_tiles(csr_ref<const T, I, O> a, vector_call<T> v, const merge_coordinate* cuts,
                   device::carry_arrays<T> shares) {
  using scan = cub::BlockScan<begun<T>, threads>;
  __shared__ typename scan::TempStorage storage;
  __shared__ T products[tile];
  __shared__ int ends[tile + 1];
  const merge_coordinate begin = cuts[blockIdx.x], end = cuts[blockIdx.x + 1];
  const int rows = static_cast<int>(end.row - begin.row);
  const int entries = static_cast<int>(end.entry - begin.entry);
  for (int k = static_cast<int>(threadIdx.x); k < entries; k += threads)
    products[k] =
        __ldcs(a.values + begin.entry + k) * __ldg(v.x + __ldcs(a.columns + begin.entry + k));
  for (int i = static_cast<int>(threadIdx.x); i < rows; i += threads)
    ends[i] = static_cast<int>(static_cast<index_t>(a.offsets[begin.row + i + 1]) - begin.entry);
  if (threadIdx.x == 0) ends[rows] = tile + 1;  // the row that continues after the tile
  __syncthreads();

  const int first = min(static_cast<int>(threadIdx.x) * items, rows + entries);
  const int last = min(first + items, rows + entries);
  int row = rows_before(first, ends, rows, entries);
  int entry = first - row;
  const int started = row;
  begun<T> open{row, 0}, head{-1, 0};
  for (int step = first; step < last; ++step) {
    if (entry < ends[row]) {
      open.sum += products[entry++];
      continue;
    }
    if (row == started)
      head = open;  // earlier threads may have begun it
    else
      v.store(begin.row + row, open.sum);
    open = {++row, 0};
  }
  begun<T> before{-1, 0}, all;
  scan(storage).ExclusiveScan(open, before, begun<T>{-1, 0}, add_same_row{}, all);
  if (head.row >= 0)
    v.store(begin.row + head.row, head.sum + (before.row == head.row ? before.sum : T{0}));
  if (threadIdx.x == 0) {
    const index_t next = begin.row + rows;
    const bool goes_on = next < a.rows && static_cast<index_t>(a.offsets[next]) < end.entry;
    shares.rows[blockIdx.x] = goes_on ? next : -1;
    shares.sums[blockIdx.x] = goes_on ? all.sum : T{0};
  }
}

index_t tiles_of(const problem& p) { return device::merge_tiles(p.a.shape.rows, p.a.nnz, tile); }

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<tables>();
  auto shares = std::make_shared<device::carries>(tiles_of(p), where);
  with_vector_call<csr_view>(o, [&](const auto& a, const auto&) {
    table->cuts = device::merge_cuts(where, a.offsets, a.rows, a.nnz(), tile);
  });
  const index_t held = table->cuts.size() * index_t{sizeof(merge_coordinate)} + shares->bytes();
  return {.tables = std::move(table), .workspace = std::move(shares), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  with_vector_call<csr_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    const auto shares = prepared.workspace_as<device::carries>().as<T>();
    if (shares.count == 0) return;
    multiply_tiles<<<static_cast<unsigned>(shares.count), threads, 0, cuda::stream_of(where)>>>(
        a, v, table.cuts.data(), shares);
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
    device::add_shares(where, shares, v.alpha, v.y);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const auto cuts = static_cast<double>(tiles_of(p));
  return {
      .possible = true,
      .prepare_seconds = costs::device_seconds(cuts * costs::device_path_search, m),
      .run_seconds = costs::device_merge * costs::device_product(p, m) + costs::device_launch,
      .bytes = static_cast<index_t>(cuts) * 32,
      .because = "equal work per thread for any row lengths, at the cost of a search per thread"};
}

}  // namespace

extern const kernel spmv_csr_merge_cuda;
const kernel spmv_csr_merge_cuda{
    .id = id,
    .summary = "equal parts of the merge path per thread, partial row sums added in order",
    .reference = "Merrill and Garland 2016; Anzt et al. 2020 (merge_path)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
