// CSR on a GPU with the number of threads chosen per row, in one launch. Rows of similar length are
// computed in order by groups of 1 to 32 threads, a few nonzeros each, or by blocks if they are
// long, a few very long ones by clusters of blocks; where lengths differ much, only short rows are
// computed so, others are listed for groups and warps, and the longest are split into pieces for
// whole blocks. The order of additions depends on the matrix alone. docs/kernels/spmv-cuda.md has
// the measurements, and what was tried besides.
#include <cmath>

#include "kernels/spmv/cuda/block_cluster_rows.cuh"
#include "kernels/spmv/cuda/uneven_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/adaptive/cuda";
constexpr int threads = device::row_threads;

/// What a row is mapped to: where lengths are similar, a group of threads, a block or a cluster of
/// blocks; otherwise it depends on the row's length.
enum class row_mapping { by_length, thread_group, block, cluster };

struct tables {
  row_mapping mapping = row_mapping::by_length;
  device::uneven_rows uneven;  ///< by length
  int width = 1;               ///< threads of a group, or of each block in a cluster
  bool roomy = false;          ///< thread groups: fewer resident threads, with more registers
};

/// A kernel with only this code takes fewer registers, so that more threads are resident: good
/// where latency dominates, and not where the L2 is saturated by gathers of x.
template <int Width, int AtOnce, class A, class T>
__global__ void __launch_bounds__(threads, AtOnce / threads) even_rows(A a, vector_call<T> v) {
  device::multiply_short<Width>(a, v, blockIdx.x, std::numeric_limits<index_t>::max());
}

/// Long rows of similar length, one block per row.
template <class A, class T>
__global__ void __launch_bounds__(threads, 2048 / threads) a_block_a_row(A a, vector_call<T> v) {
  __shared__ T warp_sums[threads / device::warp_size];
  const index_t row = blockIdx.x;
  const T sum = device::block_sum<threads>(
      device::strided_dot<threads, 4>(a.values, a.columns,
                                      static_cast<index_t>(a.offsets[row]) + threadIdx.x,
                                      static_cast<index_t>(a.offsets[row + 1]), v.x),
      warp_sums);
  if (threadIdx.x == 0) v.store(row, sum);
}

template <int Width, class A, class T>
void launch_even(const A& a, const vector_call<T>& v, bool roomy, const context& where) {
  constexpr index_t rows_a_block = threads / Width;
  const auto blocks = static_cast<unsigned>((a.rows + rows_a_block - 1) / rows_a_block);
  const auto stream = cuda::stream_of(where);
  if (roomy)
    even_rows<Width, 1536><<<blocks, threads, 0, stream>>>(a, v);
  else
    even_rows<Width, 2048><<<blocks, threads, 0, stream>>>(a, v);
}

template <class A, class T>
void launch_groups(const A& a, const vector_call<T>& v, const tables& table, const context& where) {
  switch (table.width) {
    case 1: return launch_even<1>(a, v, table.roomy, where);
    case 2: return launch_even<2>(a, v, table.roomy, where);
    case 4: return launch_even<4>(a, v, table.roomy, where);
    case 8: return launch_even<8>(a, v, table.roomy, where);
    case 16: return launch_even<16>(a, v, table.roomy, where);
    default: return launch_even<32>(a, v, table.roomy, where);
  }
}

template <class A, class T>
void launch(const A& a, const vector_call<T>& v, const tables& table, device::partial_sums& sums,
            const context& where) {
  switch (table.mapping) {
    case row_mapping::by_length: return device::multiply_uneven(where, a, v, table.uneven, sums);
    case row_mapping::thread_group: return launch_groups(a, v, table, where);
    case row_mapping::block:
      a_block_a_row<<<static_cast<unsigned>(a.rows), threads, 0, cuda::stream_of(where)>>>(a, v);
      return;
    case row_mapping::cluster: return device::multiply_by_clusters(where, a, v, table.width);
  }
}

/// Few rows that are too long for one block are shared by clusters, if each then takes one round
/// and all clusters are resident at once; if not, by pieces.
row_mapping mapping_for(const problem& p, const gpu& device) {
  if (!costs::device_even(p)) return row_mapping::by_length;
  if (costs::mean_row(p) <= costs::device_longest_for_groups) return row_mapping::thread_group;
  if (p.a.shape.rows >= 1024 || p.rows.longest_on_device <= 4 * threads) return row_mapping::block;
  const int width = device::cluster_width(p.rows.longest_on_device);
  const bool clusters =
      device.compute_capability >= cuda::cluster_capability && width > 0 &&
      p.a.shape.rows <= device.multiprocessors &&
      p.a.shape.rows * cuda::cluster_blocks * width <= index_t{2048} * device.multiprocessors;
  return clusters ? row_mapping::cluster : row_mapping::by_length;
}

/// The number of threads with which nearly every row takes one round of four nonzeros per thread;
/// or every row, where all rows are resident at once.
int group_width(const problem& p, index_t at_once) {
  const index_t rows = p.a.shape.rows;
  const double mean = costs::mean_row(p);
  const double usual = mean + 3 * std::sqrt(mean);
  const double longest =
      p.rows.longest_on_device > 0 ? static_cast<double>(p.rows.longest_on_device) : usual;
  int width = 1;
  while (width < device::warp_size && std::min(longest, usual) > 4 * width) width *= 2;
  while (width < device::warp_size && longest > 4 * width && 2 * width * rows <= at_once)
    width *= 2;
  return width;
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const gpu& device = cuda::properties(where.device());
  auto table = std::make_shared<tables>();
  table->mapping = mapping_for(p, device);
  if (table->mapping == row_mapping::cluster) {
    table->width = device::cluster_width(p.rows.longest_on_device);
    with_vector_call<csr_view>(o, [&]<class A, class T>(const A&, const vector_call<T>&) {
      if (!device::rows_can_have_clusters<A, T>()) table->mapping = row_mapping::by_length;
    });
  }
  if (table->mapping == row_mapping::thread_group) {
    table->width = group_width(p, index_t{2048} * device.multiprocessors);
    table->roomy = p.rows.x_lines > 0.3 && costs::mean_row(p) >= 12;
  }
  if (table->mapping == row_mapping::by_length)
    table->uneven = device::find_uneven_rows(where, device::offsets_of(o),
                                             device::limits_for(p.a.nnz, p.rows.longest_on_device));
  auto sums = std::make_shared<device::partial_sums>(where, table->uneven.longer.pieces);
  const index_t held = table->uneven.bytes() + sums->bytes();
  return {.tables = std::move(table), .workspace = std::move(sums), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  auto& sums = prepared.workspace_as<device::partial_sums>();
  with_vector_call<csr_view>(o, [&](const auto& a, const auto& v) {
    if (a.rows == 0) return;
    launch(a, v, table, sums, where);
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
  });
}

std::string_view reason(row_mapping mapping) {
  switch (mapping) {
    case row_mapping::thread_group: return "rows of similar length, a few nonzeros per thread";
    case row_mapping::block: return "long rows of similar length, one block per row";
    case row_mapping::cluster: return "a few long rows, one cluster of blocks per row";
    default: return "short rows by groups of threads, long rows by warps, the longest by blocks";
  }
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const row_mapping mapping = mapping_for(p, m.gpu.value_or(gpu{}));
  const bool listed = mapping == row_mapping::by_length;
  return {.possible = true,
          .prepare_seconds = listed ? costs::device_listing(p, m) : 0,
          .run_seconds = costs::device_product(p, m),
          .bytes = listed ? p.a.nnz / 2 : 0,
          .because = std::string(reason(mapping))};
}

}  // namespace

extern const kernel spmv_csr_adaptive_cuda;
const kernel spmv_csr_adaptive_cuda{
    .id = id,
    .summary = "threads per row by its length, the longest rows by several blocks; one launch",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
