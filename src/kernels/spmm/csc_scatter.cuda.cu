// CSC times a dense block on a GPU, which is also a transposed CSR, as it is stored: groups of
// lanes take equal numbers of nonzeros, keep the row of B that belongs to a column in registers,
// and add its multiples to rows of C atomically. Nothing is prepared. The order of atomic additions
// varies, so results are not bitwise reproducible.
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/launch.cuh"
#include "kernels/common/cuda/offset_reader.cuh"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csc/scatter/cuda";
constexpr int threads = 256;
constexpr int in_flight = 4;     // nonzeros; not measured
constexpr index_t at_once = 64;  // nonzeros of a group; not measured
constexpr index_t most_tiles = 65535;

/// CSC with rows of type I.
template <class T, class I>
struct columns_ref {
  index_t cols, nnz;
  device::offset_reader offsets;
  const I* rows;
  const T* values;
};

/// A dense block of any layout.
template <class T>
struct strided {
  T* values;
  index_t row_step, col_step;
  explicit strided(const dense_view<T>& v)
      : values(v.values), row_step(v.row_step()), col_step(v.col_step()) {}
};

/// L lanes with V columns each, L apart: a group adds to contiguous elements of a row-major C.
template <int L, int V, class T, class I>
__global__ void __launch_bounds__(threads)
    scatter(columns_ref<T, I> a, strided<const T> b, strided<T> c, index_t columns, T alpha) {
  const index_t group = (static_cast<index_t>(blockIdx.x) * threads + threadIdx.x) / L;
  index_t k = group * at_once;
  if (k >= a.nnz) return;
  const index_t last = min(k + at_once, a.nnz);
  const index_t first = static_cast<index_t>(blockIdx.y) * (L * V) + threadIdx.x % L;
  const auto column_of = [&](index_t at) {  // the last one that begins at or before
    return cuda::first_not_below(a.offsets, a.cols + 1, at + 1) - 1;
  };
  for (index_t column = column_of(k); k < last; ++column) {
    if (a.offsets[column + 1] <= k) column = column_of(k);  // past empty ones, maybe many
    const index_t end = min(a.offsets[column + 1], last);
    T part[V];
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (first + v * L < columns)
        part[v] = __ldg(b.values + column * b.row_step + (first + v * L) * b.col_step);
    for (; k < end; k += in_flight) {
      index_t row[in_flight];
      T value[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        if (k + u < end) row[u] = __ldg(a.rows + k + u), value[u] = __ldg(a.values + k + u);
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        if (k + u < end)
#pragma unroll
          for (int v = 0; v < V; ++v)
            if (first + v * L < columns)
              atomicAdd(c.values + row[u] * c.row_step + (first + v * L) * c.col_step,
                        alpha * (value[u] * part[v]));
    }
    k = end;
  }
}

template <int L, int V, class T, class I>
void launch(const columns_ref<T, I>& a, const dense_call<T>& d, const context& where) {
  const index_t groups = (a.nnz + at_once - 1) / at_once;
  const auto blocks = static_cast<unsigned>((groups * L + threads - 1) / threads);
  strided<const T> b(d.b);
  strided<T> c(d.c);
  for (index_t left = d.columns(); left > 0;) {
    const index_t tiles = std::min((left + L * V - 1) / (L * V), most_tiles);
    scatter<L, V>
        <<<dim3(blocks, static_cast<unsigned>(tiles)), threads, 0, cuda::stream_of(where)>>>(
            a, b, c, left, d.alpha);
    b.values += tiles * (L * V) * b.col_step;
    c.values += tiles * (L * V) * c.col_step;
    left -= tiles * (L * V);
  }
}

template <class T, class I>
void multiply(const columns_ref<T, I>& a, const dense_call<T>& d, const context& where) {
  if (d.columns() <= 4) return launch<4, 1>(a, d, where);
  if (d.columns() <= 8) return launch<8, 1>(a, d, where);
  if (d.columns() <= 32) return launch<16, 2>(a, d, where);
  launch<32, 4>(a, d, where);
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& view = std::get<csc_view<const T>>(e.view);
        const auto d = dense_arguments<T>(o);
        cuda::scale(where, d.c, d.beta);
        if (view.nnz() == 0 || d.columns() == 0) return;
        const auto go = [&]<class I>() {
          multiply(
              columns_ref<T, I>{view.shape.cols, view.nnz(), device::offset_reader(view.offsets),
                                static_cast<const I*>(view.rows.data()), view.values},
              d, where);
        };
        if (view.rows.width() == index_width::i32)
          go.template operator()<std::int32_t>();
        else
          go.template operator()<std::int64_t>();
        cuda::launch_check(id, view.shape, view.nnz());
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csc) return {.because = "takes CSC, or a transposed CSR"};
  const double added = static_cast<double>(p.a.nnz) * static_cast<double>(p.result.cols);
  return {.possible = true,
          .run_seconds = costs::device_seconds(costs::dense_product_bytes(p), m) +
                         added / costs::device_row_atomics + costs::device_launch,
          .because = "multiples of rows of B are added to C atomically; nothing is prepared"};
}

}  // namespace

extern const kernel spmm_csc_scatter_cuda;
const kernel spmm_csc_scatter_cuda{
    .id = id,
    .summary = "equal numbers of nonzeros per group of lanes, rows of C added to atomically",
    .reference = "docs/kernels/spmm-cuda.md",
    .deterministic = false,
    .consider = consider,
    .run = run};

}  // namespace gossamer
