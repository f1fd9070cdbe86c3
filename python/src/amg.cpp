// The multigrid solver, gossamer::amg.
#include "gossamer/amg.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <variant>

#include "module.hpp"
#include "operands.hpp"

namespace binding {

namespace {

namespace amg = gs::amg;

template <class Choice, std::size_t N>
Choice choice_named(const std::string& wanted, const std::array<Choice, N>& all, const char* what) {
  std::string known;
  for (const auto candidate : all) {
    std::string name(amg::name(candidate));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name == wanted) return candidate;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw py::value_error("there is no " + std::string(what) + " '" + wanted + "'; there are " +
                        known);
}

/// Sets one option from Python's value.
using setter = void (*)(amg::setup_options&, const py::handle&);
template <auto Member>
constexpr setter plain = [](amg::setup_options& how, const py::handle& value) {
  how.*Member = value.cast<std::remove_reference_t<decltype(how.*Member)>>();
};

/// The options of a set-up; one that the library gains is one more line.
const std::pair<const char*, setter> setup_table[] = {
    {"strength", plain<&amg::setup_options::strength>},
    {"seed", plain<&amg::setup_options::seed>},
    {"block_size", plain<&amg::setup_options::block_size>},
    {"omega", plain<&amg::setup_options::omega>},
    {"coarsest", plain<&amg::setup_options::coarsest>},
    {"levels", plain<&amg::setup_options::levels>},
    {"symmetric", plain<&amg::setup_options::symmetric>},
    {"sweeps", plain<&amg::setup_options::sweeps>},
    {"ratio", plain<&amg::setup_options::ratio>},
    {"expected_calls", plain<&amg::setup_options::expected_calls>},
    {"smoother",
     [](amg::setup_options& how, const py::handle& value) {
       how.smoother =
           choice_named(value.cast<std::string>(),
                        std::array{amg::smoother::jacobi, amg::smoother::chebyshev}, "smoother");
     }},
    {"cycle",
     [](amg::setup_options& how, const py::handle& value) {
       how.cycle = choice_named(value.cast<std::string>(), std::array{amg::cycle::v, amg::cycle::w},
                                "cycle");
     }},
};

amg::setup_options read_setup(const py::dict& from) {
  amg::setup_options how;
  for (const auto& [key, value] : from) {
    const auto wanted = key.cast<std::string>();
    std::string known;
    const std::pair<const char*, setter>* found = nullptr;
    for (const auto& entry : setup_table) {
      if (entry.first == wanted) found = &entry;
      known += (known.empty() ? "" : ", ") + std::string(entry.first);
    }
    if (found == nullptr)
      throw py::type_error("amg has no option '" + wanted + "'; there are " + known);
    try {
      found->second(how, value);
    } catch (const py::cast_error&) {
      throw py::type_error(wanted + " = " + py::repr(value).cast<std::string>() +
                           " has the wrong type");
    }
  }
  return how;
}

/// A hierarchy and the matrix it borrows. Cycles write to vectors of the hierarchy, so threads take
/// turns: `busy` is held by whoever uses it, also by a solve that was interrupted and still runs.
struct solver {
  matrix_operand matrix;
  std::variant<std::unique_ptr<amg::hierarchy<float>>, std::unique_ptr<amg::hierarchy<double>>>
      levels;
  std::mutex busy;
};
using shared_solver = std::shared_ptr<solver>;

/// f(csr view) for a matrix in CSR of a type that the solver takes.
template <class F>
void with_real_rows(const matrix_operand& a, F&& f) {
  const auto typed = [&]<class T>(std::type_identity<T>) {
    f(std::get<gs::csr_view<const T>>(std::get<gs::expression<T>>(a.view).view));
  };
  if (a.code == 'f')
    typed(std::type_identity<float>{});
  else if (a.code == 'd')
    typed(std::type_identity<double>{});
  else
    throw py::type_error("A holds values of type '" + std::string(1, a.code) +
                         "'; the multigrid solver takes float32 and float64");
}

shared_solver make_solver(const gs::context& where, const matrix_operand& a,
                          const py::dict& options, const py::object& near_null) {
  const auto how = read_setup(options);
  auto result = std::make_shared<solver>();
  result->matrix = a;
  const auto candidates =
      near_null.is_none() ? matrix_operand{} : dense_operand(near_null, "near_null_space");
  with_real_rows(a, [&]<class T>(const gs::csr_view<const T>& view) {
    gs::dense_view<const T> vectors;
    if (!near_null.is_none())
      vectors =
          std::get<gs::dense_view<const T>>(std::get<gs::expression<T>>(candidates.view).view);
    interruptible(20 * a.nnz(), where, [=, kept = candidates](const gs::context& here) {
      result->levels = std::make_unique<amg::hierarchy<T>>(here, view, how, vectors);
    });
  });
  return result;
}

void update(const shared_solver& s, const matrix_operand& a) {
  if (a.code != s->matrix.code) throw py::type_error("the new matrix holds another type of values");
  with_real_rows(a, [&]<class T>(const gs::csr_view<const T>& view) {
    const py::gil_scoped_release released;
    const std::lock_guard turn(s->busy);
    std::get<std::unique_ptr<amg::hierarchy<T>>>(s->levels)->update(view);
  });
  s->matrix = a;
}

void require_vector(const solver& s, const lent_array& v, const char* what) {
  const auto rows = s.matrix.shape().rows;
  if (v.code != s.matrix.code)
    throw py::type_error(std::string(what) + " holds another type of values than the matrix");
  if (v.size() != rows || (rows > 1 && v.row_step != 1))
    throw py::value_error(std::string(what) + " has " + std::to_string(v.size()) +
                          " elements; expected a contiguous vector of " + std::to_string(rows) +
                          ", one for each row of A");
}

/// f(hierarchy, b, x) with the GIL released; Ctrl-C leaves it when there is much to do, which is
/// `visits` times the nonzeros of A.
template <class F>
void with_vectors(const shared_solver& s, const py::object& b, const py::object& x, double visits,
                  F f) {
  const auto from = lent(b, "b"), to = lent(x, "x");
  require_vector(*s, from, "b");
  require_vector(*s, to, "x");
  if (!to.writable) throw py::value_error("x is read-only; give an array that may be written");
  std::visit(
      [&]<class T>(const std::unique_ptr<amg::hierarchy<T>>& levels) {
        const gs::dense_view<const T> given(static_cast<const T*>(from.data), from.rows,
                                            from.where);
        const gs::dense_view<T> target(static_cast<T*>(to.data), to.rows, to.where);
        interruptible(static_cast<gs::index_t>(visits * static_cast<double>(s->matrix.nnz())),
                      levels->context(), [=, kept = std::pair(b, x)](const gs::context&) {
                        const std::lock_guard turn(s->busy);
                        f(*std::get<std::unique_ptr<amg::hierarchy<T>>>(s->levels), given, target);
                      });
      },
      s->levels);
}

void apply(const shared_solver& s, const py::object& b, const py::object& x) {
  with_vectors(s, b, x, 0.25, [](const auto& levels, const auto& from, const auto& to) {
    levels.apply(from, to);
  });
}

py::dict solve(const shared_solver& s, const py::object& b, const py::object& x,
               const std::string& method, double tolerance, gs::index_t iterations, int restart) {
  const amg::solve_options how{
      .method = choice_named(
          method, std::array{amg::method::cg, amg::method::bicgstab, amg::method::gmres}, "method"),
      .tolerance = tolerance,
      .iterations = iterations,
      .restart = restart};
  const auto result = std::make_shared<amg::solve_result>();
  with_vectors(s, b, x, 20, [=](const auto& levels, const auto& from, const auto& to) {
    *result = amg::solve(levels, from, to, how);
  });
  const auto& done = *result;
  py::dict facts;
  facts["converged"] = done.converged();
  facts["outcome"] = std::string(amg::name(done.outcome));
  facts["because"] = done.because;
  facts["iterations"] = done.iterations;
  facts["residuals"] = done.residuals;
  facts["residual"] = done.residual;
  facts["seconds"] = done.seconds;
  return facts;
}

py::dict facts_of(solver& s) {
  return std::visit(
      [&](const auto& levels) {
        const auto stats = [&] {
          const py::gil_scoped_release released;
          const std::lock_guard turn(s.busy);
          return levels->stats();
        }();
        py::list all;
        for (const auto& level : stats.levels) {
          py::dict facts;
          facts["rows"] = level.rows;
          facts["nnz"] = level.nnz;
          facts["aggregates"] = level.aggregates;
          facts["kernel"] = level.kernel;
          all.append(facts);
        }
        py::dict facts;
        facts["levels"] = all;
        facts["operator_complexity"] = stats.operator_complexity();
        facts["grid_complexity"] = stats.grid_complexity();
        facts["setup_seconds"] = stats.times.total;
        facts["product_seconds"] = stats.times.products();
        facts["coarsest"] = stats.coarsest;
        return facts;
      },
      s.levels);
}

}  // namespace

void define_amg(py::module_& m) {
  py::class_<solver, shared_solver>(m, "amg_solver")
      .def(py::init(&make_solver))
      .def("update", &update)
      .def("apply", &apply)
      .def("solve", &solve)
      .def("facts", &facts_of);
}

}  // namespace binding
