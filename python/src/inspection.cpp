// Statistics, estimates, the catalogue, generators and conversions.
#include "everyday/operations.hpp"
#include "module.hpp"

namespace binding {

namespace {

/// f.template operator()<T>(csr view of the operand): for functions of the library that take CSR.
template <class F>
auto with_csr(const matrix_operand& a, const char* what, F&& f) {
  return std::visit(
      [&]<class T>(const gs::expression<T>& e) {
        const auto* const view = std::get_if<gs::csr_view<const T>>(&e.view);
        if (view == nullptr || e.transposed)
          throw py::type_error(std::string(what) + " takes a matrix in CSR; convert it first");
        return f(std::type_identity<T>{}, *view);
      },
      a.view);
}

/// Text for people and JSON for programs.
template <class Facts>
py::tuple reported(const Facts& facts) {
  return py::make_tuple(gs::describe(facts), gs::to_json(facts));
}

py::tuple analyze(const gs::context& where, const matrix_operand& a) {
  std::optional<gs::matrix_analysis> found;
  with_csr(a, "analyze", [&]<class T>(std::type_identity<T>, const gs::csr_view<const T>& view) {
    const py::gil_scoped_release released;
    found = gs::analyse<T>(where, view);
  });
  return reported(*found);
}

py::tuple estimate(const gs::context& where, const matrix_operand& a, const matrix_operand& b,
                   bool exact, gs::index_t sample_rows, std::uint64_t seed) {
  const auto found = std::make_shared<gs::product_estimate>();
  interruptible((exact ? 20 : 0) * (a.nnz() + b.nnz()), where, [=](const gs::context& here) {
    *found = gs::detail::estimate(here, a.view, b.view,
                                  {.exact = exact, .sample_rows = sample_rows, .seed = seed});
  });
  return reported(*found);
}

py::list kernels() {
  py::list result;
  for (const auto& k : gs::kernels()) {
    py::dict facts;
    facts["id"] = k.id;
    facts["summary"] = k.summary;
    facts["reference"] = k.reference;
    facts["deterministic"] = k.deterministic;
    facts["available"] = k.available;
    facts["why_not"] = k.why_not;
    result.append(facts);
  }
  return result;
}

py::list recipes() {
  py::list result;
  for (const auto& r : gs::generate::recipes()) {
    py::list parameters;
    for (const auto& p : r.parameters) parameters.append(py::make_tuple(p.name, p.value, p.help));
    result.append(py::make_tuple(r.kind, r.summary, parameters));
  }
  return result;
}

py::object generated(const gs::context& where, char code, const std::string& kind,
                     const std::vector<std::string>& settings) {
  return with_real_type(code, [&]<class T>(std::type_identity<T>) {
    return to_python(without_gil([&] { return gs::generate::by_name<T>(where, kind, settings); }),
                     where);
  });
}

gs::format format_named(const std::string& wanted) {
  std::string known;
  for (int k = 0; k <= static_cast<int>(gs::format::dense); ++k) {
    const auto candidate = static_cast<gs::format>(k);
    if (gs::name(candidate) == wanted) return candidate;
    known += (known.empty() ? "" : ", ") + std::string(gs::name(candidate));
  }
  throw py::value_error("there is no format '" + wanted + "'; there are " + known);
}

gs::convert_options read_convert_options(const py::dict& from) {
  gs::convert_options how;
  for (const auto& [key, value] : from) {
    const auto name = key.cast<std::string>();
    if (name == "slice")
      how.slice = value.cast<gs::index_t>();
    else if (name == "stride_factor")
      how.stride_factor = value.cast<gs::index_t>();
    else if (name == "sort_window")
      how.sort_window = value.cast<gs::index_t>();
    else if (name == "padding_limit")
      how.padding_limit = value.cast<double>();
    else
      throw py::type_error("convert has no option '" + name +
                           "'; there are slice, stride_factor, sort_window, padding_limit");
  }
  return how;
}

/// A matrix in another format, owned by the operand.
matrix_operand converted(const gs::context& where, const matrix_operand& a, const std::string& to,
                         char code, const py::dict& options) {
  const auto format = format_named(to);
  const auto how = read_convert_options(options);
  matrix_operand result{.format = format, .code = code, .where = where.memory()->where()};
  without_gil([&] {
    with_value_type(code, [&]<class T>(std::type_identity<T>) {
      auto made = std::visit(
          [&]<class From>(const gs::expression<From>& e) -> gs::detail::any_matrix<T> {
            if constexpr (gs::value_convertible<From, T>)
              return gs::detail::convert_expression<T, From>(where, e, format, how);
            else
              throw gs::error(gs::error_kind::bad_argument,
                              "A holds complex values, which do not become real by themselves; "
                              "convert A.real, or abs(A)");
          },
          a.view);
      result.view = std::visit([](const auto& m) -> gs::operand { return gs::express(m); }, made);
      result.stored = std::make_shared<stored_matrix>(std::move(made));
    });
  });
  return result;
}

/// The arrays of a converted matrix in CSR, CSC, COO or dense, over its memory. Others have None.
py::object arrays_of(const matrix_operand& a) {
  const auto index = [&](gs::index_view v) {
    return numpy_over(v.width() == gs::index_width::i32 ? 'i' : 'l', {v.size()}, v.data(),
                      a.stored);
  };
  return std::visit(
      [&]<class T>(const gs::expression<T>& e) -> py::object {
        const auto values = [&](const T* data, gs::index_t n) {
          return numpy_over(code_of<T>, {n}, data, a.stored);
        };
        if (const auto* v = std::get_if<gs::csr_view<const T>>(&e.view))
          return py::make_tuple(values(v->values, v->nnz()), index(v->columns), index(v->offsets));
        if (const auto* v = std::get_if<gs::csc_view<const T>>(&e.view))
          return py::make_tuple(values(v->values, v->nnz()), index(v->rows), index(v->offsets));
        if (const auto* v = std::get_if<gs::coo_view<const T>>(&e.view))
          return py::make_tuple(values(v->values, v->nnz()), index(v->rows), index(v->columns));
        if (const auto* v = std::get_if<gs::dense_view<const T>>(&e.view))
          return numpy_over(code_of<T>, {v->shape.rows, v->shape.cols}, v->values, a.stored);
        return py::none();
      },
      a.view);
}

}  // namespace

void define_inspection(py::module_& m) {
  m.def("analyze", &analyze);
  m.def("estimate", &estimate);
  m.def("kernels", &kernels);
  m.def("recipes", &recipes);
  m.def("generate", &generated);
  m.def("convert", &converted);
  m.def("arrays_of", &arrays_of);
  m.def("release_memory", &gs::release_memory, py::call_guard<py::gil_scoped_release>());
  m.def("build_description", &gs::build_description);
}

}  // namespace binding
