// CSR times a few dense columns on a GPU: A is read once for up to 8 columns, whose sums a group of
// threads keeps in registers; more columns are taken in panels of 8. For the several right-hand
// sides of a solver; many columns deserve more than reading A again for each panel.
#include "backends/cuda/launch.cuh"
#include "kernels/shared/dense_call.hpp"
#include "kernels/shared/device_sums.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/panels/cuda";
constexpr int threads = 256, panel = 8;

/// A dense block by its steps: what a device needs of it.
template <class T>
struct block_ref {
  T* values;
  index_t row_step, col_step;
  explicit block_ref(const dense_view<T>& v)
      : values(v.values), row_step(v.row_step()), col_step(v.col_step()) {}
  __device__ T& operator()(index_t row, index_t column) const {
    return values[row * row_step + column * col_step];
  }
};

template <int Group, class A, class T>
__global__ void __launch_bounds__(threads)
    by_panels(A a, block_ref<const T> b, block_ref<T> c, index_t columns, T alpha, T beta) {
  const index_t row = (static_cast<index_t>(blockIdx.x) * threads + threadIdx.x) / Group;
  const int lane = static_cast<int>(threadIdx.x) % Group;
  for (index_t first = static_cast<index_t>(blockIdx.y) * panel; first < columns;
       first += static_cast<index_t>(gridDim.y) * panel) {
    T sums[panel] = {};
    if (row < a.rows)
      for (auto p = static_cast<index_t>(a.offsets[row]) + lane;
           p < static_cast<index_t>(a.offsets[row + 1]); p += Group) {
        const T value = a.values[p];
        const auto at = static_cast<index_t>(a.columns[p]);
#pragma unroll
        for (int k = 0; k < panel; ++k)
          if (first + k < columns) sums[k] += value * b(at, first + k);
      }
#pragma unroll
    for (int k = 0; k < panel; ++k) {
      const T sum = device::group_sum<Group>(sums[k]);
      if (row < a.rows && lane == 0 && first + k < columns)
        c(row, first + k) = blend(alpha, sum, beta, c(row, first + k));
    }
  }
}

template <int Group, class A, class T>
void launch(const A& a, const dense_call<T>& d, const context& where) {
  constexpr index_t most = 65535;  // panels of a grid
  const dim3 grid(static_cast<unsigned>((a.rows * Group + threads - 1) / threads),
                  static_cast<unsigned>(std::min((d.columns() + panel - 1) / panel, most)));
  by_panels<Group><<<grid, threads, 0, cuda::stream_of(where)>>>(
      a, block_ref<const T>(d.b), block_ref<T>(d.c), d.columns(), d.alpha, d.beta);
  cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  std::visit(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<csr_view<const T>>(e.view), [&](const auto& a) {
          const auto d = dense_arguments<T>(o);
          if (a.rows == 0 || d.columns() == 0) return;
          const index_t mean = a.nnz() / a.rows;
          if (mean <= 8) return launch<4>(a, d, where);
          if (mean <= 24) return launch<8>(a, d, where);
          return launch<32>(a, d, where);
        });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const auto panels = static_cast<double>((p.result.cols + panel - 1) / panel);
  const double steps = static_cast<double>(p.long_row) / device::warp_size;
  return {.possible = true,
          .run_seconds = panels * costs::device_seconds(costs::sparse_bytes(p.a), m) +
                         costs::device_seconds(costs::dense_product_bytes(p), m) +
                         costs::device_step * steps,
          .because = "A read once for every 8 columns, their sums in registers"};
}

}  // namespace

extern const kernel spmm_csr_panels_cuda;
const kernel spmm_csr_panels_cuda{
    .id = id,
    .summary = "a group of threads a row, panels of 8 columns in registers",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
