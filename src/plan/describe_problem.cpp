#include "plan/describe_problem.hpp"

#include "analysis/row_sample.hpp"
#include "backends/cuda/arrays.hpp"
#include "formats/row_order.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

bool rows_sorted(index_view rows, memory place, const context& where) {
  if (place == memory::device) return cuda::ascends(where, rows);
  return never_decrease(where.threads(), rows);
}

/// Expected calls from which on columns are sampled, too: fewer do not pay for a copy of A
/// (docs/notes/spmv-cpu.md, "Plans").
constexpr index_t calls_worth_sampling = 8;

/// A plan may copy A, and will be used often enough for it: then it is worth a closer look.
analysis::sampled_facts asked_of(const problem& p) {
  const bool often = p.options.expected_calls >= calls_worth_sampling;
  const bool vector = p.operation == operation::spmv;
  return {
      .lengths = vector, .columns = often, .lanes = vector && often && p.options.constant_values};
}

/// The facts that the arrays of A add: a sample of its rows, whether triplets are in row order.
void add_row_facts(const operand& a, const context& where, problem& p) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        if (const auto* csr = std::get_if<csr_view<const T>>(&e.view))
          p.rows = analysis::sample_rows(where, *csr, asked_of(p));
        if (const auto* coo = std::get_if<coo_view<const T>>(&e.view))
          p.dense.a_rows_sorted = rows_sorted(coo->rows, coo->where, where);
        if (const auto* hyb = std::get_if<hyb_view<const T>>(&e.view))
          p.dense.a_rows_sorted = rows_sorted(hyb->coo.rows, hyb->where, where);
      },
      a);
}

}  // namespace

problem describe_operands(const context& where, const operands& o, const options& how) {
  problem p;
  p.backend = where.backend();
  p.threads = where.threads();
  p.a = facts(o.a);
  p.b = facts(o.b);
  p.result = {p.a.shape.rows, p.b.shape.cols};
  p.options = how;
  return p;
}

problem describe_dense(const context& where, const operands& o, const options& how) {
  problem p = describe_operands(where, o, how);
  std::visit(
      [&]<class T>(const dense_view<T>& c) {
        const auto& b = view_as<dense_view<const T>>(o.b);
        // A single contiguous column is a vector, unless a kernel for blocks was asked for.
        const bool vectors = is_vector(b) && is_vector(c) && !how.algorithm.starts_with("spmm/");
        p.operation = vectors ? operation::spmv : operation::spmm;
        p.dense.b_order = b.order;
        p.dense.result_order = c.order;
        p.dense.reads_result = o.beta_as<T>() != T{0};
        p.dense.turned = o.turned;
      },
      *o.dense);
  add_row_facts(o.a, where, p);
  return p;
}

problem describe_sparse(const context& where, const operands& o, const options& how) {
  problem p = describe_operands(where, o, how);
  p.operation = operation::spgemm;
  if (p.backend == backend::cuda) return p;
  p.spgemm.flop = detail::count_products(where, o.a, o.b);
  // Under a limit C is counted anyway, and sampling would need memory of its own.
  if (how.algorithm == paper_rule && how.memory_limit <= 0)
    p.spgemm.compression = detail::estimate(where, o.a, o.b, {}).compression;
  return p;
}

namespace {

std::optional<cuda::compressed_lines> lines_of(const operand& o) {
  return std::visit(
      []<class T>(const expression<T>& e) -> std::optional<cuda::compressed_lines> {
        if (const auto* csr = std::get_if<csr_view<const T>>(&e.view))
          return cuda::compressed_lines{csr->offsets, csr->columns, true};
        if (const auto* csc = std::get_if<csc_view<const T>>(&e.view))
          return cuda::compressed_lines{csc->offsets, csc->rows, false};
        return {};
      },
      o);
}

}  // namespace

void count_for_explanation(problem& p, const operands& o, const context& where) {
  if (p.backend != backend::cuda || p.operation != operation::spgemm) return;
  const auto a = lines_of(o.a), b = lines_of(o.b);
  if (!a || !b) return;
  // The limit holds for explanations, too: one that allows no more than the answer has none.
  constexpr index_t answer = 64;
  const index_t limit = p.options.memory_limit;
  const bool in_place = !a->by_rows || b->by_rows;
  if (limit == 0 || (in_place && limit >= answer))
    p.spgemm.flop = cuda::count_products(where, *a, *b, p.a.shape.cols);
}

}  // namespace gossamer
