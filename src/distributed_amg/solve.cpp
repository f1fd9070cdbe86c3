// Conjugate gradients over ranks: those of one process, with sums over all of them.
#include <chrono>
#include <cmath>

#include "amg/conjugate_gradients.hpp"
#include "base/text.hpp"
#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

/// The system as amg/conjugate_gradients.hpp sees it.
template <amg::real T>
struct distributed_system {
  typename amg_hierarchy<T>::implementation& all;
  const T* b;
  T* x;
  product_plan<T>& times_a;

  index_t size() const { return all.levels.front()->a->local_rows(); }
  std::vector<T> make_vector() const { return std::vector<T>(static_cast<std::size_t>(size())); }
  dense_view<const T> seen(const T* v) const { return {v, size(), memory::host}; }
  void multiply(const T* from, T* to) const {
    mpi::multiply<T>(times_a, T{1}, seen(from), T{0}, dense_view<T>(to, size(), memory::host));
  }
  void residual(T* r) const {
    std::copy_n(b, size(), r);
    mpi::multiply<T>(times_a, T{-1}, seen(x), T{1}, dense_view<T>(r, size(), memory::host));
  }
  void precondition(const T* from, T* to) const { run_cycle<T>(all, 0, from, to); }
  double dot(const T* left, const T* right) const {
    return mpi::dot(all.ranks, all.where, size(), left, right);
  }
  double descend(double step, const T* p, T* r, const T* q) const {
    return sum_of(all.ranks,
                  amg::descend<T>(all.where, size(), static_cast<T>(step), {x, p, r, q}));
  }
  void combine(double factor, const T* from, double keep, T* to) const {
    amg::combine<T>(all.where, size(), static_cast<T>(factor), from, static_cast<T>(keep), to);
  }
};

template <amg::real T>
void require_vectors(const typename amg_hierarchy<T>::implementation& all, std::span<const T> b,
                     std::span<T> x, const amg::solve_options& how) {
  agreed(all.ranks, [&] {
    amg::require_options(how);
    if (how.method != amg::method::cg)
      throw fail(error_kind::not_available, "{} was asked for; distributed solves are by cg",
                 name(how.method));
    const auto rows = static_cast<std::size_t>(all.levels.front()->a->local_rows());
    if (b.size() != rows || x.size() != rows)
      throw fail(error_kind::bad_argument, "b has {} elements here and x {}; expected {}, as rows",
                 b.size(), x.size(), rows);
  });
}

}  // namespace

template <amg::real T>
amg::solve_result solve(const amg_hierarchy<T>& levels, std::span<const T> b, std::span<T> x,
                        const amg::solve_options& how) {
  auto& all = levels.impl();
  require_vectors<T>(all, b, x, how);
  const double begun = amg::now();
  product_plan<T> times_a(all.where, *all.levels.front()->a, {.agree = agreement::none});
  const distributed_system<T> s{all, b.data(), x.data(), times_a};
  amg::solve_result done;
  const double size = std::sqrt(s.dot(b.data(), b.data()));
  if (!std::isfinite(size))
    throw agreed_error(error_kind::bad_input,
                       "b has values that are not finite, or whose squares are not", 0);
  if (size == 0) {
    std::fill(x.begin(), x.end(), T{0});
    done.residuals = {0};
    done.because = "b is zero, and so is x";
    return done;
  }
  amg::watch seen(how, size, done);
  amg::conjugate_gradients_of(s, seen);
  auto r = s.make_vector();
  s.residual(r.data());
  done.residual = std::sqrt(s.dot(r.data(), r.data())) / size;
  if (done.outcome == amg::outcome::converged && !(done.residual <= 10 * how.tolerance))
    done.outcome = amg::outcome::stagnated;
  done.because = amg::reason_of(done, how, std::same_as<T, float>);
  done.seconds = amg::now() - begun;
  return done;
}

template amg::solve_result solve(const amg_hierarchy<float>&, std::span<const float>,
                                 std::span<float>, const amg::solve_options&);
template amg::solve_result solve(const amg_hierarchy<double>&, std::span<const double>,
                                 std::span<double>, const amg::solve_options&);

}  // namespace gossamer::mpi
