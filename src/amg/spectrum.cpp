// Bounds of spectra, and the smoothers that rest on them.
#include <cmath>

#include "amg/lanczos.hpp"
#include "amg/levels.hpp"
#include "amg/vectors.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::amg {

namespace {

template <real T>
double lanczos(const context& where, const level<T>& on) {
  const index_t n = on.a.shape.rows;
  buffer<T> random(n);
  generate::fill_random<T>(context::openmp(1), random.span(), 1);
  auto r = copy_to(where, random.span());
  vector<T> z(n, where.memory()), p(n, where.memory()), q(n, where.memory()), x(where, n);
  vector<T> scratch(n, where.memory());
  const auto scale = [&] {
    smooth_step<T>(where, n, T{0}, T{1},
                   {on.inverse_diagonal.data(), r.data(), scratch.data(), z.data()},
                   start::from_zero);
    return dot<T>(where, n, r.data(), z.data());
  };
  // One kernel for any number of threads: what it finds is part of the hierarchy.
  options how{.deterministic = true};
  if (where.backend() == backend::openmp) how.algorithm = "rows";
  const auto times_a = multiply_inspect(where, on.a, p, q, how);
  lanczos_matrix found;
  double rz = scale();
  combine<T>(where, n, T{1}, z.data(), T{0}, p.data());
  for (int step = 0; step < 10; ++step) {
    multiply(times_a, on.a, p, q);
    const double pq = dot<T>(where, n, p.data(), q.data());
    const double alpha = rz / pq;
    if (!(pq > 0) || !std::isfinite(alpha) || !(alpha > 0)) break;
    descend<T>(where, n, static_cast<T>(alpha), {x.data(), p.data(), r.data(), q.data()});
    const double next = scale();
    found.add(alpha, next / rz);
    if (!(next > 1e-14 * rz)) break;
    combine<T>(where, n, T{1}, z.data(), static_cast<T>(next / rz), p.data());
    rz = next;
  }
  return found.largest();
}

}  // namespace

std::vector<coefficients> smoother_steps(const setup_options& how, double rho, int sweeps) {
  std::vector<coefficients> steps;
  if (how.smoother == smoother::jacobi) {
    steps.assign(static_cast<std::size_t>(sweeps), {0, 4.0 / 3 / rho});
    return steps;
  }
  // Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1, on [rho / ratio, rho].
  const double centre = (rho + rho / how.ratio) / 2, radius = (rho - rho / how.ratio) / 2;
  const double sigma = centre / radius;
  double before = 1 / sigma;
  steps.push_back({0, 1 / centre});
  for (int s = 1; s < sweeps; ++s) {
    const double next = 1 / (2 * sigma - before);
    steps.push_back({next * before, 2 * next / radius});
    before = next;
  }
  return steps;
}

template <real T>
double bound_spectrum(const context& where, const level<T>& on, double gershgorin) {
  if (is_dominated(gershgorin)) return gershgorin;
  return bounded_by(lanczos(where, on), gershgorin);
}

template double bound_spectrum(const context&, const level<float>&, double);
template double bound_spectrum(const context&, const level<double>&, double);

}  // namespace gossamer::amg
