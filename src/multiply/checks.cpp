#include "multiply/checks.hpp"

#include "backends/cuda/arrays.hpp"
#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/validate.hpp"

namespace gossamer::detail {

namespace {

bool same_facts(const operand_facts& a, const operand_facts& b) {
  return a.format == b.format && a.values == b.values && a.index == b.index && a.shape == b.shape &&
         a.nnz == b.nnz && a.places == b.places && a.transposed == b.transposed;
}

}  // namespace

void require_same_type(const operand_facts& a, const operand_facts& b, std::string_view b_name) {
  if (a.values != b.values)
    throw fail(error_kind::bad_argument, "A holds {} and {} holds {}; convert one of them",
               name(a.values), b_name, name(b.values));
}

void require_where(const context& where, const operand_facts& o, std::string_view o_name) {
  const auto wanted = where.memory()->where();
  if (o.where != wanted)
    throw fail(error_kind::bad_argument,
               "{} lives in {} memory, but a {} context needs it in {} "
               "memory; move it with copy_to",
               describe(o, o_name), name(o.where), name(where.backend()), name(wanted));
}

void require_not_captured(const context& where) {
  if (cuda::is_captured(where))
    throw fail(error_kind::bad_argument,
               "the stream is captured in a CUDA graph, but a sparse product has to allocate its "
               "result and wait for its size; call multiply_compute before, and capture "
               "multiply_fill");
}

void require_sparse(const operand_facts& o, std::string_view o_name) {
  if (o.format == format::dense)
    throw fail(error_kind::bad_argument,
               "{} must be sparse; for dense times dense use a BLAS, or convert it to CSR",
               describe(o, o_name));
}

void require_inner(const operand_facts& a, const operand_facts& b, std::string_view b_name) {
  if (a.shape.cols != b.shape.rows)
    throw fail(error_kind::bad_argument,
               "A is {} and {} is {}: the columns of A must equal the rows of {} ({} against {})",
               shape_text(a.shape), b_name, shape_text(b.shape), b_name, a.shape.cols,
               b.shape.rows);
}

void validate_on_device(const context& where, const operand& o, std::string_view o_name) {
  if (validates_operands() && facts(o).where == memory::device) validate(where, o, {}, o_name);
}

std::array<const void*, 2> addresses_of(const operand& a) {
  return std::visit(
      []<class T>(const expression<T>& e) {
        return std::visit(
            [](const auto& v) -> std::array<const void*, 2> {
              if constexpr (requires { v.ell; })
                return {v.ell.values, v.coo.values};
              else if constexpr (requires { v.columns; })
                return {v.values, v.columns.data()};
              else if constexpr (requires { v.rows; })
                return {v.values, v.rows.data()};
              else
                return {v.values, nullptr};
            },
            e.view);
      },
      a);
}

void require_promised(const plan::implementation& plan, const operand& a) {
  if (!plan.problem.options.constant_values || plan.kept == addresses_of(a)) return;
  throw fail(
      error_kind::bad_argument,
      "the plan was made with constant_values for another matrix: {} has the same shape, but "
      "other arrays; make a new plan, or one without constant_values",
      describe(facts(a), "A"));
}

void require_planned(const problem& planned, const operand& a, const operand& b) {
  const auto fa = facts(a), fb = facts(b);
  if (!same_facts(planned.a, fa) || !same_facts(planned.b, fb))
    throw fail(error_kind::bad_argument,
               "the plan was made for {} and {}, but was given {} and {}; make a new plan",
               describe(planned.a, "A"), describe(planned.b, "B"), describe(fa, "A"),
               describe(fb, "B"));
}

namespace {

/// Kernels on devices are chosen for layouts; those of CPUs take any. A single column has both.
template <class T>
void require_planned_layouts(const problem& planned, const dense_view<const T>& b,
                             const dense_view<T>& c) {
  const auto& d = planned.dense;
  if (planned.backend != backend::cuda || planned.result.cols == 1 ||
      (b.order == d.b_order && c.order == d.result_order))
    return;
  const bool of_b = b.order != d.b_order;
  throw fail(error_kind::bad_argument,
             "the plan was made for a {} {}, but was given a {} one; make a new plan",
             name(of_b ? d.b_order : d.result_order), of_b ? "B" : "C",
             name(of_b ? b.order : c.order));
}

}  // namespace

template <class T>
void require_planned_vectors(const problem& planned, const dense_view<const T>& x,
                             const dense_view<T>& y) {
  if (planned.operation == operation::spmm) return require_planned_layouts(planned, x, y);
  if (is_vector(x) && is_vector(y)) return;
  const bool of_x = !is_vector(x);
  throw fail(error_kind::bad_argument,
             "the plan was made for vectors whose elements lie side by side, but those of {} ({}) "
             "are {} apart; make a new plan, or copy it",
             of_x ? "x" : "y", shape_text(of_x ? x.shape : y.shape),
             of_x ? x.row_step() : y.row_step());
}
#define GOSSAMER_INSTANTIATE(T)                                                     \
  template void require_planned_vectors(const problem&, const dense_view<const T>&, \
                                        const dense_view<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
