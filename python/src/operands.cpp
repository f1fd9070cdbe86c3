#include "operands.hpp"

#include "index_checks.hpp"

namespace binding {

namespace {

const char* const names[] = {"csr", "csc", "coo"};

template <class T>
gs::any_view<const T> view_over(gs::format format, gs::extents shape, const lent_array& data,
                                gs::index_view first, gs::index_view second) {
  const auto* const values = static_cast<const T*>(data.data);
  switch (format) {
    case gs::format::csr: return gs::csr_view<const T>(shape, second, first, values, data.where);
    case gs::format::csc: return gs::csc_view<const T>(shape, second, first, values, data.where);
    default: return gs::coo_view<const T>(shape, first, second, values, data.where);
  }
}

void require_sizes(gs::format format, gs::extents shape, gs::index_t nnz, gs::index_view first,
                   gs::index_view second) {
  const std::string name = names[static_cast<int>(format)];
  const auto text = [&](const char* what, gs::index_t found, gs::index_t expected) {
    return "a " + name + " matrix of " + std::to_string(shape.rows) + " x " +
           std::to_string(shape.cols) + " has " + std::to_string(found) + " " + what +
           "; expected " + std::to_string(expected);
  };
  if (shape.rows < 0 || shape.cols < 0)
    throw py::value_error("a matrix of " + std::to_string(shape.rows) + " x " +
                          std::to_string(shape.cols) + " does not exist");
  if (first.size() != nnz) throw py::value_error(text("indices", first.size(), nnz));
  const auto expected = format == gs::format::coo   ? nnz
                        : format == gs::format::csr ? shape.rows + 1
                                                    : shape.cols + 1;
  if (second.size() != expected)
    throw py::value_error(
        text(format == gs::format::coo ? "columns" : "offsets", second.size(), expected));
}

template <class Option>
void read(const py::dict& from, const char* name, Option& option, std::size_t& known) {
  if (!from.contains(name)) return;
  ++known;
  const py::object value = from[name];
  try {
    option = value.cast<Option>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(name) + " = " + py::repr(value).cast<std::string>() +
                         " has the wrong type");
  }
}

gs::semiring semiring_named(const std::string& wanted) {
  std::string known;
  for (int k = 0; k <= static_cast<int>(gs::semiring::max_min); ++k) {
    const auto candidate = static_cast<gs::semiring>(k);
    if (gs::name(candidate) == wanted) return candidate;
    known += (known.empty() ? "" : ", ") + std::string(gs::name(candidate));
  }
  throw py::value_error("there is no semiring '" + wanted + "'; there are " + known);
}

gs::pattern pattern_over(const matrix_operand& mask) {
  return std::visit(
      []<class T>(const gs::expression<T>& e) -> gs::pattern {
        if (const auto* csr = std::get_if<gs::csr_view<const T>>(&e.view))
          return gs::pattern_of(*csr);
        throw py::type_error("a mask is a matrix in CSR");
      },
      mask.view);
}

/// True for CSR and CSC on the host that pass a check without words, which takes an eighth of the
/// time of the library's.
bool is_known_valid(const matrix_operand& a) {
  if (a.where != gs::memory::host) return false;
  const auto passes = [](gs::extents shape, gs::index_view offsets, gs::index_view minors) {
    return offsets.width() == minors.width() && has_valid_indices(shape, offsets, minors);
  };
  return std::visit(
      [&]<class T>(const gs::expression<T>& e) {
        if (const auto* v = std::get_if<gs::csr_view<const T>>(&e.view))
          return passes(v->shape, v->offsets, v->columns);
        if (const auto* v = std::get_if<gs::csc_view<const T>>(&e.view))
          return passes(gs::transposed(v->shape), v->offsets, v->rows);
        return false;
      },
      a.view);
}

/// The complex conjugate over the same arrays; real operands stay as they are.
matrix_operand conjugated(const matrix_operand& a) {
  auto other = a;
  std::visit(
      []<class T>(gs::expression<T>& e) {
        if constexpr (gs::complex_scalar<T>) {
          e.alpha = std::conj(e.alpha);
          e.conjugated = !e.conjugated;
        }
      },
      other.view);
  return other;
}

}  // namespace

gs::extents matrix_operand::shape() const {
  return std::visit(
      [](const auto& e) {
        const auto stored = std::visit([](const auto& v) { return v.shape; }, e.view);
        return e.transposed ? gs::transposed(stored) : stored;
      },
      view);
}

gs::index_t matrix_operand::nnz() const {
  return std::visit(
      [](const auto& e) { return std::visit([](const auto& v) { return v.nnz(); }, e.view); },
      view);
}

matrix_operand sparse_operand(gs::format format, gs::extents shape, const py::object& data,
                              const py::object& first, const py::object& second) {
  const auto values = lent(data, "data");
  if (values.cols != 1 || (values.size() > 1 && values.row_step != 1))
    throw py::value_error("data is not contiguous; pass numpy.ascontiguousarray(...) of it");
  const bool coo = format == gs::format::coo;
  const auto one = lent_indices(first, coo ? "row" : "indices");
  const auto two = lent_indices(second, coo ? "col" : "indptr");
  require_sizes(format, shape, values.size(), one, two);
  matrix_operand result{
      .format = format, .code = values.code, .where = values.where, .device = values.device};
  result.view = with_value_type(values.code, [&]<class T>(std::type_identity<T>) -> gs::operand {
    return gs::expression<T>{.view = view_over<T>(format, shape, values, one, two)};
  });
  result.arrays = {data, first, second};
  return result;
}

matrix_operand dense_operand(const py::object& array, const char* what) {
  const auto values = lent(array, what);
  matrix_operand result{.format = gs::format::dense,
                        .code = values.code,
                        .where = values.where,
                        .device = values.device};
  result.view = with_value_type(values.code, [&]<class T>(std::type_identity<T>) -> gs::operand {
    return gs::expression<T>{.view = dense_over<const T>(values)};
  });
  result.arrays = {array};
  return result;
}

gs::operand scaled(const matrix_operand& a, const py::object& alpha) {
  gs::operand result = a.view;
  if (alpha.is_none()) return result;
  std::visit([&]<class T>(gs::expression<T>& e) { e.alpha *= number<T>(alpha); }, result);
  return result;
}

void check(const matrix_operand& a, const char* name, const gs::context& where) {
  if (a.format == gs::format::dense || a.stored) return;
  const py::gil_scoped_release released;
  if (is_known_valid(a)) return;
  if (a.where == gs::memory::host)
    gs::detail::validate(a.view, {}, name);
  else
    gs::detail::validate(where, a.view, {}, name);
}

gs::dense_target dense_target_over(const py::object& array, const char* what) {
  const auto values = lent(array, what);
  if (!values.writable)
    throw py::value_error(std::string(what) + " is read-only; give an array that may be written");
  return with_value_type(values.code, [&]<class T>(std::type_identity<T>) -> gs::dense_target {
    return dense_over<T>(values);
  });
}

gs::options read_options(const py::dict& from) {
  gs::options how;
  if (from.empty()) return how;
  std::size_t known = 0;
  read(from, "algorithm", how.algorithm, known);
  read(from, "deterministic", how.deterministic, known);
  read(from, "memory_limit", how.memory_limit, known);
  read(from, "expected_calls", how.expected_calls, known);
  read(from, "constant_values", how.constant_values, known);
  read(from, "threads", how.threads, known);
  read(from, "drop_zeros", how.drop_zeros, known);
  read(from, "tuning", how.tuning, known);
  std::string semiring;
  read(from, "semiring", semiring, known);
  if (!semiring.empty()) how.semiring = semiring_named(semiring);
  std::pair<double, gs::index_t> kept{0, 0};
  read(from, "keep", kept, known);
  how.keep = {.magnitude = kept.first, .largest = kept.second};
  if (from.contains("mask")) {
    ++known;
    how.mask = pattern_over(from["mask"].cast<const matrix_operand&>());
    if (from.contains("complemented") && from["complemented"].cast<bool>())
      how.mask = gs::complement(*how.mask);
  }
  known += from.contains("complemented") ? 1 : 0;
  if (known != from.size())
    throw py::type_error("unknown option among " + py::repr(from).cast<std::string>());
  return how;
}

void define_operands(py::module_& m) {
  py::class_<matrix_operand>(m, "operand")
      .def_property_readonly("shape",
                             [](const matrix_operand& a) {
                               const auto shape = a.shape();
                               return py::make_tuple(shape.rows, shape.cols);
                             })
      .def_property_readonly("nnz", &matrix_operand::nnz)
      .def_readonly("arrays", &matrix_operand::arrays)
      .def_readonly("device", &matrix_operand::device)
      .def_property_readonly("code", [](const matrix_operand& a) { return std::string(1, a.code); })
      .def_property_readonly(
          "format", [](const matrix_operand& a) { return std::string(gs::name(a.format)); })
      .def_property_readonly("on_device",
                             [](const matrix_operand& a) { return a.where == gs::memory::device; })
      .def_property_readonly("T",
                             [](const matrix_operand& a) {
                               auto other = a;
                               std::visit([](auto& e) { e.transposed = !e.transposed; },
                                          other.view);
                               return other;
                             })
      .def_property_readonly("conj", &conjugated)
      .def("check", &check, py::arg("name"), py::arg("where"));
  const auto sparse = [](gs::format format) {
    return [format](gs::index_t rows, gs::index_t cols, const py::object& data,
                    const py::object& first, const py::object& second) {
      return sparse_operand(format, {rows, cols}, data, first, second);
    };
  };
  m.def("csr", sparse(gs::format::csr));
  m.def("csc", sparse(gs::format::csc));
  m.def("coo", sparse(gs::format::coo));
  m.def("dense", [](const py::object& array) { return dense_operand(array, "the array"); });
}

}  // namespace binding
