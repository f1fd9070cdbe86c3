// CSR times dense by rows: a panel of columns of one row of C stays in registers while the row of A
// is read; panel widths are compile-time constants so that the inner loop is straight vector code.
// Row-major B and C are accessed contiguously; other layouts take a strided loop.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/common/merge_path.hpp"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

/// Computes C(row, first .. first + Width) for row-major operands.
template <int Width, class A, class T>
void multiply_panel(const A& a, const dense_call<T>& d, index_t row, index_t first) {
  T sums[Width] = {};
  for (index_t p = a.offsets[row]; p < a.offsets[row + 1]; ++p) {
    const T value = a.values[p];
    const T* b = d.b.values + a.columns[p] * d.b.stride + first;
    for (int k = 0; k < Width; ++k) sums[k] += value * b[k];
  }
  T* c = d.c.values + row * d.c.stride + first;
  for (int k = 0; k < Width; ++k) c[k] = blend(d.alpha, sums[k], d.beta, c[k]);
}

template <class A, class T>
void multiply_row_major(const A& a, const dense_call<T>& d, index_t row) {
  const index_t n = d.columns();
  index_t k = 0;
  for (; k + 32 <= n; k += 32) multiply_panel<32>(a, d, row, k);
  if (k + 16 <= n) multiply_panel<16>(a, d, row, k), k += 16;
  if (k + 8 <= n) multiply_panel<8>(a, d, row, k), k += 8;
  if (k + 4 <= n) multiply_panel<4>(a, d, row, k), k += 4;
  for (; k < n; ++k) multiply_panel<1>(a, d, row, k);
}

template <class A, class T>
void multiply_any_layout(const A& a, const dense_call<T>& d, index_t row) {
  for (index_t k = 0; k < d.columns(); ++k) {
    T sum = 0;
    for (index_t p = a.offsets[row]; p < a.offsets[row + 1]; ++p)
      sum += a.values[p] * d.b(a.columns[p], k);
    d.c(row, k) = blend(d.alpha, sum, d.beta, d.c(row, k));
  }
}

template <class A, class T>
void multiply_rows(const A& a, const dense_call<T>& d, const context& where) {
  const bool row_major = d.b.order == layout::row_major && d.c.order == layout::row_major;
  const index_t path = a.rows + a.nnz();
  const double bytes = 8.0 * static_cast<double>(path) * static_cast<double>(d.columns());
  const int threads = costs::useful_threads(bytes, where.threads());
  // More pieces than threads: rows cost more when their columns of B are not in cache.
  const index_t pieces = threads > 1 ? std::min<index_t>(16 * threads, a.rows) : 1;
  parallel_chunks(threads, pieces, [&](index_t piece) {
    const auto [begin, end] = part_of(path, piece, pieces);
    const index_t last = merge_search(end, a.offsets, a.rows).row;
    for (index_t row = merge_search(begin, a.offsets, a.rows).row; row < last; ++row)
      row_major ? multiply_row_major(a, d, row) : multiply_any_layout(a, d, row);
  });
}

void run(const state&, const operands& o, const context& where) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<csr_view<const T>>(e.view),
              [&](const auto& a) { multiply_rows(a, dense_arguments<T>(o), where); });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const bool row_major =
      p.dense.b_order == layout::row_major && p.dense.result_order == layout::row_major;
  const double work = static_cast<double>(p.a.nnz) * static_cast<double>(p.result.cols);
  const double compute = work * costs::entry_compute * (row_major ? 0.5 : 2);
  return {
      .possible = true,
      .run_seconds = costs::seconds(costs::dense_product_bytes(p), compute, m, p.threads),
      .because = row_major
                     ? "rows of A per thread, panels of 32 columns in registers, B and C row-major"
                     : formatted("rows of A per thread; B is {} and C {}, so accesses are strided",
                                 name(p.dense.b_order), name(p.dense.result_order))};
}

}  // namespace

extern const kernel spmm_csr_rows_openmp;
const kernel spmm_csr_rows_openmp{
    .id = "spmm/csr/rows/openmp",
    .summary = "row split: rows of A per thread, panels of columns accumulated in registers",
    .reference = "Yang, Buluc, Owens 2018 (row split), on CPU threads",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
