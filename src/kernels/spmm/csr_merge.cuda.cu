// Merge-based SpMM of Yang, Buluc and Owens 2018 as published: every block has 128 nonzeros, one
// per thread, whatever the rows. Phase 1 finds the row in which each block starts, phase 2 flattens
// CSR to COO in shared memory, multiplies 32 columns and adds up by rows; what is left of a row at
// the end of a block is carried out, and a last launch adds the carries in order.
#include "backends/cuda/launch.cuh"
#include "kernels/spmm/cuda/row_major.hpp"
#include "kernels/spmm/cuda/slabs.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/merge/cuda";
using namespace device;
constexpr int warps = slab_block / warp_size;

struct tables {
  buffer<index_t> limits;  ///< the row in which each block starts, and the end
};
/// The workspace of a plan, whose runs are ordered on one stream.
struct carried {
  buffer<index_t> rows;  ///< of each block, -1: none
  buffer<double> sums;   ///< [slab][block][32]; wide enough for any value type
};

/// What a launch carries from block to block.
template <class T>
struct carry_view {
  const index_t* limits;
  index_t* rows;
  T* sums;
};

/// The last row that starts at or before `entry`, which is in [low, high).
__device__ index_t row_of(const offset_reader& offsets, index_t entry, index_t low, index_t high) {
  while (low < high) {  // the first row that starts after the entry
    const index_t middle = (low + high) / 2;
    if (offsets[middle] <= entry)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

__global__ void __launch_bounds__(cuda::block_size)
    find_limits(offset_reader offsets, index_t rows, index_t blocks, index_t* limits) {
  for (index_t i = cuda::first_element(); i <= blocks; i += cuda::element_stride())
    limits[i] = i == 0 ? 0 : i == blocks ? rows : row_of(offsets, i * slab_block, 0, rows);
}

/// The nonzeros of a block as COO.
struct flattened {
  index_t row[slab_block], end[slab_block];
};

/// Rows that end inside a warp are stored, but for the first: earlier warps may have begun it.
template <class T>
struct warp_rows {
  T first_sum = 0, sum = 0;
  index_t first_row = -1;

  template <class I>
  __device__ void add(const warp_nonzeros<T, I>& now, const flattened& coo, index_t begin, int warp,
                      int count, const dense_rows<T>& d, index_t column) {
#pragma unroll
    for (int j = 0; j < warp_size; ++j) {
      if (j >= count) break;
      sum += now.product[j];
      const int at = warp * warp_size + j;
      if (coo.end[at] != begin + at + 1) continue;
      if (first_row < 0)
        first_row = coo.row[at], first_sum = sum;
      else if (column < d.columns)
        d.store(coo.row[at], column, pack<T, 1>{{sum}});
      sum = 0;
    }
  }
};

template <class T, class I>
__global__ void __launch_bounds__(slab_block)
    merge_nonzeros(csr_columns_ref<const T, I> a, index_t nnz, dense_rows<T> d,
                   carry_view<T> carry) {
  __shared__ flattened coo;
  __shared__ T head[warps][warp_size], tail[warps][warp_size];
  __shared__ index_t head_row[warps];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const index_t begin = blockIdx.x * index_t{slab_block}, entry = begin + threadIdx.x;
  const index_t column = blockIdx.y * slab + lane;
  const bool inside = column < d.columns;
  const index_t first_row = carry.limits[blockIdx.x], last_row = carry.limits[blockIdx.x + 1];
  if (entry < nnz) {
    const index_t row = row_of(a.offsets, entry, first_row, min(last_row + 1, a.rows));
    coo.row[threadIdx.x] = row;
    coo.end[threadIdx.x] = a.offsets[row + 1];
  }
  __syncthreads();
  warp_nonzeros<T, I> now;
  now.load(a, entry, nnz);
  const int count =
      static_cast<int>(max(index_t{0}, min(nnz - begin - warp * warp_size, index_t{warp_size})));
  now.multiply(d.b + (inside ? column : 0), d.b_step, count);
  warp_rows<T> rows;
  rows.add(now, coo, begin, warp, count, d, column);
  head[warp][lane] = rows.first_sum;
  tail[warp][lane] = rows.sum;
  if (lane == 0) head_row[warp] = rows.first_row;
  __syncthreads();
  if (warp == 0) {
    T left = 0;
    for (int w = 0; w < warps; ++w) {
      if (head_row[w] >= 0) {
        if (inside) d.store(head_row[w], column, pack<T, 1>{{left + head[w][lane]}});
        left = 0;
      }
      left += tail[w][lane];
    }
    const auto last = static_cast<int>(min(begin + slab_block, nnz) - 1 - begin);
    const bool open = last >= 0 && coo.end[last] != begin + last + 1;
    carry.sums[(blockIdx.y * index_t{gridDim.x} + blockIdx.x) * warp_size + lane] = left;
    if (lane == 0 && blockIdx.y == 0) carry.rows[blockIdx.x] = open ? coo.row[last] : -1;
  }
  for (index_t row = first_row + warp; row < last_row; row += warps)  // without nonzeros
    if (inside && a.offsets[row] == a.offsets[row + 1]) d.store(row, column, pack<T, 1>{{T{0}}});
}

/// A warp for each block whose carry is the first of its row.
template <class T>
__global__ void __launch_bounds__(slab_block)
    add_row_carries(dense_rows<T> d, carry_view<T> carry, index_t blocks) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const index_t block = (blockIdx.x * index_t{slab_block} + threadIdx.x) / warp_size;
  if (block >= blocks) return;
  const index_t row = carry.rows[block];
  if (row < 0 || (block > 0 && carry.rows[block - 1] == row)) return;
  const index_t column = blockIdx.y * slab + lane;
  const T* const mine = carry.sums + blockIdx.y * blocks * warp_size + lane;
  T sum = 0;
  for (index_t k = block; k < blocks && carry.rows[k] == row; ++k) sum += mine[k * warp_size];
  if (column < d.columns) d.c[row * d.c_step + column] += d.alpha * sum;
}

index_t blocks_of(index_t nnz) { return std::max<index_t>((nnz + slab_block - 1) / slab_block, 1); }

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const index_t blocks = blocks_of(p.a.nnz);
  const index_t slabs = std::min(slabs_of(p.result.cols), most_slabs);
  auto table = std::make_shared<tables>(tables{buffer<index_t>(blocks + 1, where.memory())});
  auto workspace = std::make_shared<carried>(
      carried{buffer<index_t>(blocks, where.memory()),
              buffer<double>(blocks * slabs * warp_size, where.memory())});
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        find_limits<<<cuda::blocks_for(blocks + 1, where.device()), cuda::block_size, 0,
                      cuda::stream_of(where)>>>(offset_reader(a.offsets), a.shape.rows, blocks,
                                                table->limits.data());
      },
      o.a);
  cuda::check(cudaGetLastError(), "finding the rows of {} blocks", count_text(blocks));
  const index_t held = (2 * blocks + 1) * index_t{sizeof(index_t)} +
                       workspace->sums.size() * index_t{sizeof(double)};
  return {.tables = std::move(table), .workspace = std::move(workspace), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  auto& workspace = prepared.workspace_as<carried>();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& view = std::get<csr_view<const T>>(e.view);
        const dense_rows<T> d(dense_arguments<T>(o));
        if (view.shape.rows == 0 || d.columns == 0) return;
        const index_t blocks = blocks_of(view.nnz());
        const carry_view<T> carry{table.limits.data(), workspace.rows.data(),
                                  reinterpret_cast<T*>(workspace.sums.data())};
        const auto stream = cuda::stream_of(where);
        with_column_type(view, [&](const auto& a) {
          for_slabs(d.columns, [&](index_t first, unsigned slabs) {
            const auto part = columns_from(d, first);
            merge_nonzeros<<<dim3(static_cast<unsigned>(blocks), slabs), slab_block, 0, stream>>>(
                a, view.nnz(), part, carry);
            const auto fixing = static_cast<unsigned>((blocks + warps - 1) / warps);
            add_row_carries<<<dim3(fixing, slabs), slab_block, 0, stream>>>(part, carry, blocks);
          });
        });
        cuda::launch_check(id, view.shape, view.nnz());
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (!by_rows(p)) return {.because = "takes row-major B and C"};
  const index_t blocks = blocks_of(p.a.nnz);
  return {
      .possible = true,
      .prepare_seconds =
          costs::device_seconds(costs::device_offset_search * static_cast<double>(blocks), m),
      .run_seconds = costs::device_launch +
                     costs::device_part(costs::device_dense_product(p, m), costs::device_row_merge),
      .bytes = blocks * (24 + slabs_of(p.result.cols) * warp_size * 8),
      .because = "128 nonzeros a block and 32 columns, as published"};
}

}  // namespace

extern const kernel spmm_csr_merge_cuda;
const kernel spmm_csr_merge_cuda{
    .id = id,
    .summary = "merge based: equal numbers of nonzeros a block, carries added by a last launch",
    .reference = "Yang, Buluc, Owens 2018 (merge based)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
