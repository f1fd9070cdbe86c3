#include "kernels/common/cuda/converted.hpp"

#include "analysis/format_sizes.hpp"
#include "backends/cuda/runtime.hpp"
#include "gossamer/convert.hpp"
#include "plan/costs.hpp"
#include "plan/describe_problem.hpp"

namespace gossamer::device {

namespace {

struct converted {
  csr_result rows;
  chosen_for_rows chosen;
};

operands with_copy(const operands& o, const csr_result& copy) {
  return std::visit(
      [&]<class T>(const csr_matrix<T>& rows) {
        return with_rows<T>(o, csr_view<const T>(rows.view()));
      },
      copy);
}

csr_result rows_of(const operands& o, const context& where) {
  return std::visit(
      [&]<class T>(expression<T> e) -> csr_result {
        e.alpha = 1;
        e.conjugated = false;  // left to the product
        return convert<csr_matrix<T>>(where, e);
      },
      o.a);
}

converted convert_and_prepare(const operands& o, const options& how, const context& where,
                              catalogue kernels) {
  converted copy{.rows = rows_of(o, where), .chosen = {}};
  copy.chosen = prepare_rows(with_copy(o, copy.rows), how, where, kernels);
  return copy;
}

}  // namespace

chosen_for_rows prepare_rows(const operands& o, const options& how, const context& where,
                             catalogue kernels) {
  options asked = how;
  // A single column is a block for kernels of blocks.
  asked.algorithm = kernels.front()->id;
  asked.memory_limit = 0;  // checked by the choice of the calling kernel
  asked.tuning.clear();
  problem p = describe_dense(where, o, asked);
  p.options.algorithm.clear();
  p.explained = false;
  chosen_for_rows result{choose(p, cuda::machine_of(where.device()), kernels).chosen, {}};
  if (result.by->prepare) result.prepared = result.by->prepare(p, o, where);
  return result;
}

state prepare_converted(const problem& p, const operands& o, const context& where,
                        catalogue kernels) {
  if (!p.options.constant_values) return {};
  auto copy = std::make_shared<converted>(convert_and_prepare(o, p.options, where, kernels));
  const index_t held =
      analysis::csr_bytes(p.a.shape, p.a.nnz, p.a.values) + copy->chosen.prepared.bytes;
  return {.tables = std::move(copy), .bytes = held};
}

void run_converted(const state& prepared, const operands& o, const context& where,
                   catalogue kernels) {
  const auto multiply = [&](const converted& copy) {
    copy.chosen.by->run(copy.chosen.prepared, with_copy(o, copy.rows), where);
  };
  if (prepared.tables)
    multiply(prepared.as<converted>());
  else
    multiply(convert_and_prepare(o, {}, where, kernels));
}

problem as_rows(const problem& p) {
  problem rows = p;
  rows.a.format = format::csr;
  rows.a.places = p.a.nnz;
  return rows;
}

verdict consider_converted(const problem& p, double product, double conversion) {
  if (p.a.format == format::csr) return {.because = "takes what is not CSR"};
  if (p.a.format == format::dense) return {.because = "takes sparse formats"};
  const bool kept = p.options.constant_values;
  return {.possible = true,
          .prepare_seconds = kept ? conversion : 0,
          .run_seconds = kept ? product : conversion + product,
          // The copy, the tables of its kernel, and the workspace of sorting.
          .bytes = static_cast<index_t>(3 * costs::sparse_bytes(as_rows(p).a)),
          .because = kept ? "brought into CSR once, then as fast as CSR"
                          : "brought into CSR for every product; constant_values would keep it"};
}

}  // namespace gossamer::device
