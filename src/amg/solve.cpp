// Solves: checks, the method, and words for how it ended.
#include <cmath>

#include "amg/krylov.hpp"
#include "base/text.hpp"

namespace gossamer::amg {

std::string_view name(method m) {
  return m == method::cg ? "cg" : (m == method::bicgstab ? "bicgstab" : "gmres");
}

std::string_view name(outcome o) {
  switch (o) {
    case outcome::converged: return "converged";
    case outcome::iteration_limit: return "iteration limit";
    case outcome::stagnated: return "stagnated";
    case outcome::indefinite: return "indefinite";
    default: return "broke down";
  }
}

std::string reason_of(const solve_result& r, const solve_options& how, bool single) {
  switch (r.outcome) {
    case outcome::converged:
      return formatted("|b - A x| = {:.1e} |b| after {} iterations", r.residual, r.iterations);
    case outcome::iteration_limit:
      return formatted(
          "|b - A x| is {:.1e} |b| after the {} iterations allowed; allow more, or a "
          "tolerance above {:.0e}",
          r.residual, r.iterations, how.tolerance);
    case outcome::stagnated:
      return formatted("|b - A x| stays at {:.1e} |b|: {}", r.residual,
                       single && how.tolerance < 1e-6
                           ? "float carries seven digits; use double, or a larger tolerance"
                           : "A may be singular with b outside its range (take the mean off b), or "
                             "nearly so");
    case outcome::indefinite:
      return "conjugate gradients met a direction in which A is not positive definite; use "
             "BiCGStab "
             "or GMRES (and setup_options::symmetric = false unless A is symmetric)";
    default:
      return formatted(
          "the recurrence broke down after {} iterations (a division by zero, or values "
          "out of range); try GMRES, or scale the system",
          r.iterations);
  }
}

void require_options(const solve_options& how) {
  if (!(how.tolerance >= 0) || how.iterations < 0 || how.restart < 1 || how.patience < 1)
    throw error(error_kind::bad_argument,
                "solve_options: tolerance and iterations from 0, restart and patience from 1");
}

namespace {

template <real T>
void run_method(const linear_system<T>& s, watch& seen, const solve_options& how) {
  switch (how.method) {
    case method::cg: return conjugate_gradients(s, seen);
    case method::bicgstab: return stabilised_biconjugate_gradients(s, seen);
    case method::gmres: return minimal_residuals(s, seen, how.restart);
  }
}

/// |b - A x| / |b|, computed anew.
template <real T>
double true_residual(const linear_system<T>& s, double size) {
  auto r = s.make_vector();
  s.residual(r.data());
  return std::sqrt(s.dot(r.data(), r.data())) / size;
}

}  // namespace

template <real T>
solve_result solve(const hierarchy<T>& levels, const dense_view<const T>& b, const dense_view<T>& x,
                   const solve_options& how) {
  require_options(how);
  const auto& all = levels.impl();
  const auto place = all.where.memory()->where();
  const index_t n = all.levels.front().a.shape.rows;
  const auto fits = [&](const auto& v) {
    return v.shape == extents{n, 1} && v.row_step() == 1 && v.where == place;
  };
  if (!fits(b) || !fits(x))
    throw fail(
        error_kind::bad_argument,
        "b is {} in {} memory and x is {} in {} memory; the system needs contiguous vectors of "
        "{} elements in {} memory",
        shape_text(b.shape), name(b.where), shape_text(x.shape), name(x.where), count_text(n),
        name(place));
  const double begun = now();
  const linear_system<T> s{all, b.values, x.values};
  solve_result done;
  const double size = std::sqrt(s.dot(b.values, b.values));
  if (!std::isfinite(size))
    throw error(error_kind::bad_input,
                "b has values that are not finite, or whose squares are not");
  if (size == 0) {  // the one right-hand side whose solution is known
    s.combine(0, b.values, 0, x.values);
    done.residuals = {0};
    done.because = "b is zero, and so is x";
    return done;
  }
  watch seen(how, size, done);
  run_method(s, seen, how);
  done.residual = true_residual(s, size);
  // Rounding parts the recurrence from the truth; a tolerance near the precision shows it.
  if (done.outcome == outcome::converged && !(done.residual <= 10 * how.tolerance))
    done.outcome = outcome::stagnated;
  done.because = reason_of(done, how, std::same_as<T, float>);
  all.where.synchronise();
  done.seconds = now() - begun;
  return done;
}

template <real T>
solve_result solve(const hierarchy<T>& levels, std::span<const T> b, std::span<T> x,
                   const solve_options& how) {
  const auto& where = levels.impl().where;
  const dense_view<const T> right(b.data(), static_cast<index_t>(b.size()), memory::host);
  const dense_view<T> left(x.data(), static_cast<index_t>(x.size()), memory::host);
  if (where.backend() != backend::cuda) return solve(levels, right, left, how);
  const auto there = copy_to(where, b);
  auto unknown = copy_to(where, x);
  auto done = solve<T>(levels, there.view(), unknown.mutable_view(), how);
  copy_into(where, unknown, left);
  return done;
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                  \
  template solve_result solve(const hierarchy<T>&, const dense_view<const T>&,       \
                              const dense_view<T>&, const solve_options&);           \
  template solve_result solve(const hierarchy<T>&, std::span<const T>, std::span<T>, \
                              const solve_options&);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg
