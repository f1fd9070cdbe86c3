// CSR by rows on a GPU (Bell and Garland 2009; "classical" in Anzt et al. 2020): a row is computed
// by a group of 2 to 32 threads of one warp, by the mean row length; the group strides over the
// row, so that loads are coalesced, and reduces by shuffles. Nothing is combined between groups:
// the order of additions is fixed by the row and the group size alone. A row much longer than the
// mean keeps its group busy while the others idle.
#include "backends/cuda/launch.cuh"
#include "kernels/common/cuda/device_sums.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/classical/cuda";
constexpr int threads = 256;  // of a block; not measured

template <int Width, class T, class I, class O>
__global__ void __launch_bounds__(threads) classical(csr_ref<const T, I, O> a, vector_call<T> v) {
  const index_t group = (static_cast<index_t>(blockIdx.x) * threads + threadIdx.x) / Width;
  const index_t groups = static_cast<index_t>(gridDim.x) * (threads / Width);
  const int lane = static_cast<int>(threadIdx.x) % Width;
  // All lanes of a warp run the same number of iterations: the shuffles need all of them.
  const index_t turns = (a.rows + groups - 1) / groups;
  for (index_t turn = 0; turn < turns; ++turn) {
    const index_t row = turn * groups + group;
    T sum = 0;
    if (row < a.rows)
      for (index_t p = static_cast<index_t>(a.offsets[row]) + lane,
                   end = static_cast<index_t>(a.offsets[row + 1]);
           p < end; p += Width)
        sum += times(conjugated_if(v.conjugated, a.values[p]), v.x[a.columns[p]]);
    sum = device::group_sum<Width>(sum);
    if (row < a.rows && lane == 0) v.store(row, sum);
  }
}

/// Threads per row: the power of two that the mean row fills.
int width_for(index_t nnz, index_t rows) {
  const index_t mean = rows > 0 ? nnz / rows : 0;
  int width = 2;
  while (width < 32 && width < mean) width *= 2;
  return width;
}

template <int Width, class A, class T>
void launch(const A& a, const vector_call<T>& v, const context& where) {
  const index_t wanted = (a.rows * Width + threads - 1) / threads;
  constexpr index_t most = std::numeric_limits<std::int32_t>::max();  // blocks of a grid
  classical<Width>
      <<<static_cast<unsigned>(std::min(wanted, most)), threads, 0, cuda::stream_of(where)>>>(a, v);
  cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_any_vector_call<csr_view>(o, [&](const auto& a, const auto& v) {
    if (a.rows == 0) return;
    switch (width_for(a.nnz(), a.rows)) {
      case 2: return launch<2>(a, v, where);
      case 4: return launch<4>(a, v, where);
      case 8: return launch<8>(a, v, where);
      case 16: return launch<16>(a, v, where);
      default: return launch<32>(a, v, where);
    }
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const int width = width_for(p.a.nnz, p.a.shape.rows);
  // The group with the longest row works on while the others idle.
  const double steps = static_cast<double>(p.rows.longest_on_device) / width;
  return {.possible = true,
          .run_seconds =
              costs::device_classical * costs::device_product(p, m) + costs::device_step * steps,
          .because = formatted("{} threads per row; the longest row takes {:.0f} steps", width,
                               std::max(steps, 1.0))};
}

}  // namespace

extern const kernel spmv_csr_classical_cuda;
const kernel spmv_csr_classical_cuda{
    .id = id,
    .summary = "2 to 32 threads per row, by the mean row length",
    .reference = "Bell and Garland 2009; Anzt et al. 2020 (classical)",
    .deterministic = true,
    .consider = consider,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
