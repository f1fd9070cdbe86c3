// Row split of Yang, Buluc and Owens 2018 as published: a warp per row and 32 columns, four warps
// per block. Each lane loads one nonzero, 32 shuffles broadcast them, and the lanes load rows of B
// and store the row of C coalesced.
#include "backends/cuda/launch.cuh"
#include "kernels/spmm/cuda/row_major.hpp"
#include "kernels/spmm/cuda/slabs.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/row_split/cuda";
using namespace device;

template <class T, class I>
__global__ void __launch_bounds__(slab_block)
    row_split(csr_columns_ref<const T, I> a, dense_rows<T> d) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const index_t row = (blockIdx.x * index_t{slab_block} + threadIdx.x) / warp_size;
  if (row >= a.rows) return;
  const index_t column = blockIdx.y * slab + lane;
  const bool inside = column < d.columns;
  const T* const b = d.b + (inside ? column : 0);
  const index_t last = a.offsets[row + 1];
  T sum = 0;
  for (index_t k = a.offsets[row]; k < last; k += warp_size) {
    warp_nonzeros<T, I> now;
    now.load(a, k + lane, last);
    const int count = static_cast<int>(min(last - k, index_t{warp_size}));
    now.multiply(b, d.b_step, count);
#pragma unroll
    for (int j = 0; j < warp_size; ++j)
      if (j < count) sum += now.product[j];
  }
  if (inside) d.store(row, column, pack<T, 1>{{sum}});
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  std::visit(
      [&]<class T>(const expression<T>& e) {
        const auto& view = std::get<csr_view<const T>>(e.view);
        const dense_rows<T> d(dense_arguments<T>(o));
        if (view.shape.rows == 0 || d.columns == 0) return;
        constexpr index_t rows = slab_block / warp_size;
        const auto blocks = static_cast<unsigned>((view.shape.rows + rows - 1) / rows);
        with_column_type(view, [&](const auto& a) {
          for_slabs(d.columns, [&](index_t first, unsigned slabs) {
            row_split<<<dim3(blocks, slabs), slab_block, 0, cuda::stream_of(where)>>>(
                a, columns_from(d, first));
          });
        });
        cuda::launch_check(id, view.shape, view.nnz());
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (!by_rows(p)) return {.because = "takes row-major B and C"};
  // A warp walks its row alone, 32 nonzeros at a time: a load of A, then one of B.
  const double longest =
      static_cast<double>(p.rows.longest_on_device) / warp_size * 2 * costs::device_step;
  return {.possible = true,
          .run_seconds = longest + costs::device_part(costs::device_dense_product(p, m),
                                                      costs::device_row_split),
          .because = "a warp per row and 32 columns, as published"};
}

}  // namespace

extern const kernel spmm_csr_row_split_cuda;
const kernel spmm_csr_row_split_cuda{
    .id = id,
    .summary = "row split: a warp per row and 32 columns, nonzeros broadcast by shuffles",
    .reference = "Yang, Buluc, Owens 2018 (row split)",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
