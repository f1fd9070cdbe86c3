// A B C as two products, in the order that is estimated to take fewer multiplications.
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "gossamer/analysis.hpp"
#include "multiply/checks.hpp"
#include "multiply/options.hpp"

namespace gossamer::detail {

namespace {

/// Multiplications of the products X Y and (X Y) Z, or Z (X Y). The nonzeros of X Y are estimated,
/// and each is taken to meet as many nonzeros of Z as its lines have on average.
double estimated_work(const context& where, const operand& x, const operand& y,
                      const operand_facts& z, index_t z_lines) {
  const auto found = estimate(where, x, y, {});
  const double per_line =
      z_lines > 0 ? static_cast<double>(z.nnz) / static_cast<double>(z_lines) : 0;
  return static_cast<double>(found.flop) + static_cast<double>(found.nnz) * per_line;
}

/// Estimates read CSR and CSC on the host; other operands are associated from the left.
bool can_be_estimated(const operand& o) {
  const auto known = facts(o);
  return known.where == memory::host &&
         (known.format == format::csr || known.format == format::csc);
}

triple_choice choose_order(const context& where, const operand& a, const operand& b,
                           const operand& c) {
  triple_choice found;
  if (!can_be_estimated(a) || !can_be_estimated(b) || !can_be_estimated(c)) return found;
  const auto fa = facts(a), fc = facts(c);
  found.left_work = estimated_work(where, a, b, fc, fc.shape.rows);
  found.right_work = estimated_work(where, b, c, fa, fa.shape.cols);
  found.left_first = found.left_work <= found.right_work;
  return found;
}

/// The intermediate product is neither masked nor filtered, and scaled by nothing.
options of_intermediate(options how) {
  how = without_filters(std::move(how));
  how.mask.reset();
  return how;
}

}  // namespace

csr_result multiply_three(const context& where, const operand& a, const operand& b,
                          const operand& c, const options& how, triple_choice* why) try {
  const operand checked_a = checked_form(a, "A"), checked_b = checked_form(b, "B"),
                checked_c = checked_form(c, "C");
  const auto fa = facts(checked_a), fb = facts(checked_b), fc = facts(checked_c);
  require_sparse(fa, "A");
  require_sparse(fb, "B");
  require_sparse(fc, "C");
  require_same_type(fa, fb, "B");
  require_same_type(fa, fc, "C");
  require_inner(fa, fb, "B");
  if (fb.shape.cols != fc.shape.rows)
    throw fail(error_kind::bad_argument,
               "B is {} and C is {}: the columns of B must equal the rows of C ({} against {})",
               shape_text(fb.shape), shape_text(fc.shape), fb.shape.cols, fc.shape.rows);
  const auto chosen = choose_order(where, checked_a, checked_b, checked_c);
  if (why) *why = chosen;
  const auto between =
      multiply_sparse(where, chosen.left_first ? checked_a : checked_b,
                      chosen.left_first ? checked_b : checked_c, of_intermediate(how));
  return std::visit(
      [&](const auto& product) {
        return chosen.left_first ? multiply_sparse(where, express(product), checked_c, how)
                                 : multiply_sparse(where, checked_a, express(product), how);
      },
      between);
} catch (const std::bad_alloc&) {
  refuse_memory("a product of three matrices");
}

}  // namespace gossamer::detail
