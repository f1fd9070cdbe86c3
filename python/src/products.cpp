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
  interruptible(a.nnz() + b.nnz(), [&] {
    gs::detail::multiply_dense(where, left, b.view, addend ? &*addend : nullptr, target, how);
  });
}

/// (data, indices, indptr) of C = alpha A B + beta Z, all sparse.
py::tuple multiply_sparse(const gs::context& where, const matrix_operand& a,
                          const matrix_operand& b, const py::object& alpha,
                          const py::object& beta, const optional_operand& added,
                          const py::dict& options) {
  const auto how = read_options(options);
  const auto left = scaled(a, alpha);
  const auto addend = added ? std::optional(scaled(*added, beta)) : std::nullopt;
  std::optional<gs::csr_result> result;
  interruptible(20 * (a.nnz() + b.nnz()), [&] {
    result = addend ? gs::detail::multiply_added(where, left, b.view, *addend, how)
                    : gs::detail::multiply_sparse(where, left, b.view, how);
  });
  return std::visit([&](auto& matrix) { return lend_result(std::move(matrix), where); }, *result);
}

}  // namespace

void define_products(py::module_& m) {
  m.def("multiply_dense", &multiply_dense);
  m.def("multiply_sparse", &multiply_sparse);
}

}  // namespace binding
