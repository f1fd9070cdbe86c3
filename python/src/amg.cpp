// The multigrid solver, gossamer::amg.
#include "gossamer/amg.hpp"

#include <algorithm>
#include <array>
#include <memory>
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

amg::setup_options read_setup(const py::dict& from) {
  amg::setup_options how;
  for (const auto& [key, value] : from) {
    const auto name = key.cast<std::string>();
    if (name == "strength")
      how.strength = value.cast<double>();
    else if (name == "seed")
      how.seed = value.cast<std::uint64_t>();
    else if (name == "block_size")
      how.block_size = value.cast<gs::index_t>();
    else if (name == "omega")
      how.omega = value.cast<double>();
    else if (name == "coarsest")
      how.coarsest = value.cast<gs::index_t>();
    else if (name == "levels")
      how.levels = value.cast<int>();
    else if (name == "symmetric")
      how.symmetric = value.cast<bool>();
    else if (name == "sweeps")
      how.sweeps = value.cast<int>();
    else if (name == "smoother")
      how.smoother = choice_named(value.cast<std::string>(),
                                  std::array{amg::smoother::jacobi, amg::smoother::chebyshev},
                                  "smoother");
    else if (name == "cycle")
      how.cycle = choice_named(value.cast<std::string>(),
                               std::array{amg::cycle::v, amg::cycle::w}, "cycle");
    else
      throw py::type_error("amg has no option '" + name +
                           "'; there are strength, seed, block_size, omega, coarsest, levels, "
                           "symmetric, sweeps, smoother, cycle");
  }
  return how;
}

/// A hierarchy and the matrix it borrows.
struct solver {
  matrix_operand matrix;
  std::variant<std::unique_ptr<amg::hierarchy<float>>, std::unique_ptr<amg::hierarchy<double>>>
      levels;
};

template <class F>
auto with_csr(const matrix_operand& a, F&& f) {
  if (a.code != 'f' && a.code != 'd')
    throw py::type_error("the multigrid solver takes float32 and float64");
  const auto typed = [&]<class T>(std::type_identity<T>) {
    return f(std::get<gs::csr_view<const T>>(std::get<gs::expression<T>>(a.view).view));
  };
  return a.code == 'f' ? typed(std::type_identity<float>{}) : typed(std::type_identity<double>{});
}

std::unique_ptr<solver> make_solver(const gs::context& where, const matrix_operand& a,
                                    const py::dict& options, const py::object& near_null) {
  const auto how = read_setup(options);
  auto result = std::make_unique<solver>();
  result->matrix = a;
  const auto candidates =
      near_null.is_none() ? matrix_operand{} : dense_operand(near_null, "near_null_space");
  with_csr(a, [&]<class T>(const gs::csr_view<const T>& view) {
    gs::dense_view<const T> vectors;
    if (!near_null.is_none())
      vectors = std::get<gs::dense_view<const T>>(
          std::get<gs::expression<T>>(candidates.view).view);
    const py::gil_scoped_release released;
    result->levels = std::make_unique<amg::hierarchy<T>>(where, view, how, vectors);
  });
  return result;
}

void update(solver& s, const matrix_operand& a) {
  if (a.code != s.matrix.code) throw py::type_error("the new matrix holds another type of values");
  with_csr(a, [&]<class T>(const gs::csr_view<const T>& view) {
    const py::gil_scoped_release released;
    std::get<std::unique_ptr<amg::hierarchy<T>>>(s.levels)->update(view);
  });
  s.matrix = a;
}

/// f(hierarchy, vector b, vector x) with the GIL released; both are contiguous.
template <class F>
void with_vectors(const solver& s, const py::object& b, const py::object& x, F&& f) {
  const auto from = lent(b, "b"), to = lent(x, "x");
  const auto rows = s.matrix.shape().rows;
  if (from.code != s.matrix.code || to.code != s.matrix.code || from.size() != rows ||
      to.size() != rows || !to.writable || (rows > 1 && (from.row_step != 1 || to.row_step != 1)))
    throw py::value_error("b and x must be contiguous vectors of " + std::to_string(rows) +
                          " elements of the matrix's type");
  std::visit(
      [&]<class T>(const std::unique_ptr<amg::hierarchy<T>>& levels) {
        const py::gil_scoped_release released;
        f(*levels, gs::dense_view<const T>(static_cast<const T*>(from.data), rows, from.where),
          gs::dense_view<T>(static_cast<T*>(to.data), rows, to.where));
      },
      s.levels);
}

void apply(const solver& s, const py::object& b, const py::object& x) {
  with_vectors(s, b, x,
               [](const auto& levels, const auto& from, const auto& to) { levels.apply(from, to); });
}

py::dict solve(const solver& s, const py::object& b, const py::object& x, const std::string& method,
               double tolerance, gs::index_t iterations, int restart) {
  const amg::solve_options how{
      .method = choice_named(method,
                             std::array{amg::method::cg, amg::method::bicgstab, amg::method::gmres},
                             "method"),
      .tolerance = tolerance,
      .iterations = iterations,
      .restart = restart};
  amg::solve_result done;
  with_vectors(s, b, x, [&](const auto& levels, const auto& from, const auto& to) {
    done = amg::solve(levels, from, to, how);
  });
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

py::dict facts_of(const solver& s) {
  return std::visit(
      [](const auto& levels) {
        const auto& stats = levels->stats();
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
  py::class_<solver>(m, "amg_solver")
      .def(py::init(&make_solver))
      .def("update", &update)
      .def("apply", &apply)
      .def("solve", &solve)
      .def("facts", &facts_of);
}

}  // namespace binding
