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

/// Complex values: every lane reads the nonzero itself, which is one load for a warp. B and C in
/// any layout.
template <class T, class I, class O>
__global__ void __launch_bounds__(slab_block)
    complex_row_split(csr_ref<const T, I, O> a, dense_call<T> d, index_t first) {
  const index_t row = (blockIdx.x * index_t{slab_block} + threadIdx.x) / warp_size;
  const index_t column = first + blockIdx.y * slab + threadIdx.x % warp_size;
  if (row >= a.rows || column >= d.c.shape.cols) return;
  const index_t b_row = d.b.order == layout::row_major ? d.b.stride : 1;
  const index_t b_column = d.b.order == layout::row_major ? 1 : d.b.stride;
  const index_t c_row = d.c.order == layout::row_major ? d.c.stride : 1;
  const index_t c_column = d.c.order == layout::row_major ? 1 : d.c.stride;
  const T* const b = d.b.values + column * b_column;
  T sum = 0;
  for (index_t k = a.offsets[row]; k < static_cast<index_t>(a.offsets[row + 1]); ++k)
    sum += times(conjugated_if(d.conjugated, a.values[k]), b[a.columns[k] * b_row]);
  T& c = d.c.values[row * c_row + column * c_column];
  c = blend(d.alpha, sum, d.beta, c);
}

void run_complex(const operands& o, const context& where) {
  visit_complex(
      [&]<class T>(const expression<T>& e) {
        const auto& view = std::get<csr_view<const T>>(e.view);
        const auto d = dense_arguments<T>(o);
        if (view.shape.rows == 0 || d.columns() == 0) return;
        constexpr index_t rows = slab_block / warp_size;
        const auto blocks = static_cast<unsigned>((view.shape.rows + rows - 1) / rows);
        typed(view, [&](const auto& a) {
          for_slabs(d.columns(), [&](index_t first, unsigned slabs) {
            complex_row_split<<<dim3(blocks, slabs), slab_block, 0, cuda::stream_of(where)>>>(
                a, d, first);
          });
        });
        cuda::launch_check(id, view.shape, view.nnz());
      },
      o.a);
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  if (is_complex(facts(o.a).values)) return run_complex(o, where);
  visit_real(
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
  if (!is_complex(p.a.values) && !by_rows(p)) return {.because = "takes row-major B and C"};
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
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
