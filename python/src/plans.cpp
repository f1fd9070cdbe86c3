#include "plans.hpp"

#include <memory>

#include "module.hpp"

namespace binding {

namespace {

/// A dense array of the result's shape to prepare a plan with; nothing is written to it.
template <class T>
gs::dense_matrix<T> example_result(const gs::context& where, gs::extents shape) {
  return gs::dense_matrix<T>(shape, gs::layout::row_major, where.memory());
}

gs::plan prepare_dense(const gs::context& where, const matrix_operand& a, const matrix_operand& b,
                       const gs::options& how) {
  const gs::extents shape{a.shape().rows, b.shape().cols};
  return with_value_type(a.code, [&]<class T>(std::type_identity<T>) {
    auto y = example_result<T>(where, shape);
    return gs::detail::inspect_dense(where, a.view, b.view, nullptr, y.mutable_view(), how);
  });
}

product_plan make_plan(const gs::context& where, const matrix_operand& a, const matrix_operand& b,
                       const py::dict& options) {
  auto how = read_options(options);
  const bool dense = a.format == gs::format::dense || b.format == gs::format::dense;
  const auto made = std::make_shared<std::optional<gs::plan>>();
  interruptible(dense ? 0 : 20 * (a.nnz() + b.nnz()), where,
                [=, kept = options](const gs::context& here) {
                  *made = dense ? prepare_dense(here, a, b, how)
                                : gs::detail::compute_sparse(here, a.view, b.view, how);
                });
  how.mask.reset();
  product_plan result{**made, where, how, a, b, !dense, a.format == gs::format::dense};
  if (!dense) return result;
  const auto& example = result.dense_first ? result.a : result.b;
  result.dimensions = lent(example.arrays.at(0), "x").dimensions;
  return result;
}

/// out = A x, or alpha A x + beta out.
void run_dense(const product_plan& p, const matrix_operand& x, const py::object& out,
               const py::object& alpha, const py::object& beta) {
  const auto target = dense_target_over(out, "out");
  const auto left = scaled(p.dense_first ? x : p.a, alpha);
  const auto& right = p.dense_first ? p.b : x;
  std::optional<gs::operand> addend;
  if (!beta.is_none()) addend = scaled(dense_operand(out, "out"), beta);
  const py::gil_scoped_release released;
  gs::detail::multiply_dense(p.plan, left, right.view, addend ? &*addend : nullptr, target);
}

template <class T>
gs::csr_matrix<T> empty_result(const product_plan& p) {
  const auto shape = p.plan.result_shape();
  const auto nnz = p.plan.result_nnz();
  return {shape, nnz, gs::narrowest(shape, nnz), p.where.memory()};
}

/// (data, indices, indptr) of the sparse product with the current values.
py::tuple run_sparse(const product_plan& p) {
  return with_value_type(p.a.code, [&]<class T>(std::type_identity<T>) {
    const auto result = std::make_shared<gs::csr_matrix<T>>(empty_result<T>(p));
    interruptible(20 * (p.a.nnz() + p.b.nnz()), p.where, [=](const gs::context&) {
      gs::detail::fill_sparse(p.plan, p.a.view, p.b.view, result->mutable_view());
    });
    return lend_result(std::move(*result), p.where);
  });
}

/// Writes the sparse product over the arrays of an earlier result.
void run_sparse_into(const product_plan& p, const py::object& data, const py::object& indices,
                     const py::object& indptr) {
  const auto values = lent(data, "out.data");
  const auto columns = lent_indices(indices, "out.indices");
  const auto offsets = lent_indices(indptr, "out.indptr");
  for (const auto& [array, what] :
       {std::pair{data, "out.data"}, {indices, "out.indices"}, {indptr, "out.indptr"}})
    if (!lent(array, what).writable)
      throw py::value_error(std::string(what) + " is read-only; give arrays that may be written");
  if (values.code != p.a.code) throw py::type_error("out holds another type of values than A");
  const auto shape = p.plan.result_shape();
  if (values.size() != p.plan.result_nnz() || columns.size() != values.size() ||
      offsets.size() != shape.rows + 1)
    throw py::value_error("out has " + std::to_string(values.size()) + " nonzeros in " +
                          std::to_string(offsets.size() - 1) + " rows; the result has " +
                          std::to_string(p.plan.result_nnz()) + " in " +
                          std::to_string(shape.rows));
  const auto writable = [](gs::index_view v) {
    return gs::index_span(const_cast<void*>(v.data()), v.size(), v.width());
  };
  with_value_type(p.a.code, [&]<class T>(std::type_identity<T>) {
    const gs::csr_view<T> target(shape, writable(offsets), writable(columns),
                                 static_cast<T*>(values.data), values.where);
    const py::gil_scoped_release released;
    gs::detail::fill_sparse(p.plan, p.a.view, p.b.view, target);
  });
}

void replace_values(matrix_operand& a, const py::object& data, const char* what) {
  const auto values = lent(data, what);
  if (values.code != a.code)
    throw py::type_error(std::string(what) + " has another type than the plan's");
  if (values.size() != a.nnz() || (values.size() > 1 && values.row_step != 1) || values.cols != 1)
    throw py::value_error(std::string(what) + " has " + std::to_string(values.size()) +
                          " elements; expected a contiguous array of " + std::to_string(a.nnz()));
  if (values.where != a.where)
    throw py::value_error(std::string(what) + " is not in the memory of the plan's matrix");
  std::visit(
      [&]<class T>(gs::expression<T>& e) {
        std::visit(
            [&](auto& view) {
              if constexpr (requires { view.values; })
                view.values = static_cast<const T*>(values.data);
            },
            e.view);
      },
      a.view);
  a.arrays.at(0) = data;
}

/// New values for the matrix, or matrices, of a plan; the structure stays.
void refill(product_plan& p, const py::object& a_values, const py::object& b_values) {
  if (p.matrix().stored)
    throw py::value_error(
        "the matrix of this plan was converted; convert the new values and make a "
        "new plan");
  if (!p.sparse_result) {
    if (!b_values.is_none())
      throw py::type_error("b_values is for plans of sparse products; this one has a dense result");
    replace_values(p.matrix(), a_values, "values");
    if (p.how.constant_values) {  // the plan may hold a copy of the old ones
      const auto example = p.dense_first ? p.a : p.b;
      const py::gil_scoped_release released;
      p.plan = p.dense_first ? prepare_dense(p.where, example, p.b, p.how)
                             : prepare_dense(p.where, p.a, example, p.how);
    }
    return;
  }
  if (!a_values.is_none()) replace_values(p.a, a_values, "values");
  if (!b_values.is_none()) replace_values(p.b, b_values, "b_values");
}

}  // namespace

void define_plans(py::module_& m) {
  py::class_<product_plan>(m, "plan")
      .def(py::init(&make_plan))
      .def("run_dense", &run_dense)
      .def("run_sparse", &run_sparse)
      .def("run_sparse_into", &run_sparse_into)
      .def("refill", &refill)
      .def_property_readonly("kernel", [](const product_plan& p) { return p.plan.kernel(); })
      .def_property_readonly("sparse_result", [](const product_plan& p) { return p.sparse_result; })
      .def_property_readonly("dimensions", [](const product_plan& p) { return p.dimensions; })
      .def_property_readonly("code", [](const product_plan& p) { return std::string(1, p.a.code); })
      .def_property_readonly("result_shape",
                             [](const product_plan& p) {
                               const auto shape = p.plan.result_shape();
                               return py::make_tuple(shape.rows, shape.cols);
                             })
      .def_property_readonly("result_nnz",
                             [](const product_plan& p) { return p.plan.result_nnz(); })
      .def("text", [](const product_plan& p) { return p.plan.explain().text(); })
      .def("json", [](const product_plan& p) { return p.plan.explain().json(); });
}

}  // namespace binding
