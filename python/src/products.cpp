// Products without a plan.
#include <optional>

#include "module.hpp"
#include "operands.hpp"

namespace binding {

namespace {

using optional_operand = std::optional<matrix_operand>;

/// out = alpha A B + beta Z, where A or B is dense. Z may be `out` itself.
void multiply_dense(const gs::context& where, const matrix_operand& a, const matrix_operand& b,
                    const py::object& out, const py::object& alpha, const py::object& beta,
                    const optional_operand& added, const py::dict& options) {
  const auto target = dense_target_over(out, "out");
  const auto how = read_options(options);
  const auto left = scaled(a, alpha);
  const auto addend = added ? std::optional(scaled(*added, beta)) : std::nullopt;
  // The last column counts: the dense operand is visited once per nonzero of a row.
  const auto columns = std::max<gs::index_t>(b.shape().cols, 1);
  interruptible(
      a.nnz() / 16 * columns, where, [=, kept = std::pair(a, out)](const gs::context& here) {
        gs::detail::multiply_dense(here, left, b.view, addend ? &*addend : nullptr, target, how);
      });
}

/// (data, indices, indptr) of C = alpha A B + beta Z, all sparse.
py::tuple multiply_sparse(const gs::context& where, const matrix_operand& a,
                          const matrix_operand& b, const py::object& alpha, const py::object& beta,
                          const optional_operand& added, const py::dict& options) {
  const auto how = read_options(options);
  const auto left = scaled(a, alpha);
  const auto addend = added ? std::optional(scaled(*added, beta)) : std::nullopt;
  const auto result = std::make_shared<std::optional<gs::csr_result>>();
  interruptible(20 * (a.nnz() + b.nnz()), where,
                [=, kept = std::tuple(a, added, options)](const gs::context& here) {
                  *result = addend ? gs::detail::multiply_added(here, left, b.view, *addend, how)
                                   : gs::detail::multiply_sparse(here, left, b.view, how);
                });
  return std::visit([&](auto& matrix) { return lend_result(std::move(matrix), where); }, **result);
}

/// (rows, cols, data, indices, indptr, choice) of A B C, all sparse.
py::tuple multiply_three(const gs::context& where, const matrix_operand& a, const matrix_operand& b,
                         const matrix_operand& c, const py::dict& options) {
  struct outcome {
    std::optional<gs::csr_result> product;
    gs::triple_choice choice;
  };
  const auto how = read_options(options);
  const auto result = std::make_shared<outcome>();
  interruptible(40 * (a.nnz() + b.nnz() + c.nnz()), where,
                [=, kept = std::tuple(a, b, c, options)](const gs::context& here) {
                  result->product = gs::detail::multiply_three(here, a.view, b.view, c.view, how,
                                                               &result->choice);
                });
  py::dict choice;
  choice["order"] = result->choice.left_first ? "(A B) C" : "A (B C)";
  choice["left_work"] = result->choice.left_work;
  choice["right_work"] = result->choice.right_work;
  return std::visit(
      [&](auto& matrix) {
        return lend_with_shape(std::move(matrix), where) + py::make_tuple(choice);
      },
      *result->product);
}

}  // namespace

void define_products(py::module_& m) {
  m.def("multiply_dense", &multiply_dense);
  m.def("multiply_sparse", &multiply_sparse);
  m.def("multiply_three", &multiply_three);
}

}  // namespace binding
