// CSR by merge path (Merrill and Garland 2016): the path over rows and nonzeros is split into
// chunks of equal length, whatever the row lengths. A chunk stores the rows that end in it; the
// unfinished row at its end is a carry that is added afterwards, in order. Chunks have a fixed
// length, so results are bitwise reproducible for any number of threads.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/common/merge_path.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/rows/row_sums.hpp"
#include "plan/spmv_costs.hpp"

namespace gossamer {

namespace {

/// Rows plus nonzeros of a chunk, as in the pieces of csr/rows.
constexpr index_t chunk_length = 16384;

struct chunk_starts {
  buffer<merge_coordinate> at;  // one more than chunks
  row_style style = row_style::vector;
};

template <class T>
struct row_carry {
  index_t row = -1;  // -1: the chunk ended with its last row
  T sum = 0;
};

[[noreturn]] void throw_structure_changed() {
  throw fail(error_kind::bad_argument,
             "the row offsets of A changed after the plan was made; make a new plan");
}

// A stale start would read the wrong nonzeros: each is checked against the current offsets.
template <class O>
bool lies_on_path(const merge_coordinate& at, const O* offsets, index_t rows) {
  return offsets[at.row] <= at.entry && (at.row == rows || at.entry <= offsets[at.row + 1]);
}

template <class T, class I, class O>
row_carry<T> multiply(const csr_ref<const T, I, O>& a, const vector_call<T>& v,
                      row_summer<T, I, O> sum_rows, merge_coordinate begin, merge_coordinate end) {
  if (!lies_on_path(begin, a.offsets, a.rows) || !lies_on_path(end, a.offsets, a.rows))
    throw_structure_changed();
  const auto piece = [&](index_t from, index_t to) { return piece_sum(sum_rows, a, v, from, to); };
  if (begin.row == end.row) return {end.row, piece(begin.entry, end.entry)};
  range whole{begin.row, end.row};
  if (begin.entry > a.offsets[begin.row]) {
    v.store(begin.row, piece(begin.entry, a.offsets[begin.row + 1]));
    ++whole.begin;
  }
  sum_rows(a, v, whole);
  const index_t entry = a.offsets[end.row];
  if (entry == end.entry) return {};
  return {end.row, piece(entry, end.entry)};
}

state prepare(const problem& p, const operands& o, const context&) {
  auto table = std::make_shared<chunk_starts>();
  with_any_vector_call<csr_view>(o, [&](const auto& a, const auto&) {
    const index_t path = a.rows + a.nnz();
    const index_t chunks = (path + chunk_length - 1) / chunk_length;
    table->at = buffer<merge_coordinate>(chunks + 1);
    table->style = style_of(a, p.rows.lengths);
    for (index_t c = 0; c <= chunks; ++c)
      table->at[c] = merge_search(std::min(path, c * chunk_length), a.offsets, a.rows);
  });
  const index_t held = table->at.size() * index_t{sizeof(merge_coordinate)};
  return {.tables = table, .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const auto& table = prepared.as<chunk_starts>();
  const auto& starts = table.at;
  with_any_vector_call<csr_view>(
      o, [&]<class T, class I, class O>(const csr_ref<const T, I, O>& a, const vector_call<T>& v) {
        const auto sum_rows = fastest_row_summer<T, I, O>(table.style);
        if (starts[starts.size() - 1].entry != a.nnz()) throw_structure_changed();
        const index_t chunks = starts.size() - 1;
        buffer<row_carry<T>> carries(chunks);
        parallel_shares(where.threads(), chunks, [&](index_t c) {
          carries[c] = multiply(a, v, sum_rows, starts[c], starts[c + 1]);
        });
        for (const auto& carry : carries.span())
          if (carry.row >= 0) v.y[carry.row] += scaled_value(v.alpha, carry.sum);
      });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const double path = static_cast<double>(p.a.nnz + p.a.shape.rows);
  const double chunks = path / static_cast<double>(chunk_length) + 1;
  const double compute = costs::rows_compute(p, m) + costs::chunk_overhead * chunks;
  return {
      .possible = true,
      .prepare_seconds = chunks * costs::chunk_search,
      .run_seconds = costs::merge_overhead *
                     costs::spmv_seconds(costs::dense_product_bytes(p), compute, m, p.threads),
      .bytes = static_cast<index_t>(chunks) * 32,
      .because = "equal work per thread for any row lengths, at the cost of a search per piece"};
}

}  // namespace

extern const kernel spmv_csr_merge_openmp;
const kernel spmv_csr_merge_openmp{
    .id = "spmv/csr/merge/openmp",
    .summary = "equal pieces of the merge path, long rows split, carries added in order",
    .reference = "Merrill and Garland 2016; Anzt et al. 2020 (merge_path)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
