// Conjugate gradients, BiCGStab and GMRES; Saad, Iterative Methods for Sparse Linear Systems,
// algorithms 9.1, 7.7 and 6.9 with preconditioning from the right for the latter two, so that the
// residuals they watch are those of A x = b.
#include "amg/krylov.hpp"

#include <cmath>

#include "amg/conjugate_gradients.hpp"

namespace gossamer::amg {

bool watch::over(double residual) {
  const double relative = residual / size_of_b_;
  const bool first = result_.residuals.empty();
  result_.residuals.push_back(relative);
  if (!first) ++result_.iterations;
  if (!std::isfinite(relative)) {
    end(outcome::broke_down);
  } else if (relative <= how_.tolerance) {
    end(outcome::converged);
  } else if (result_.iterations >= how_.iterations) {
    end(outcome::iteration_limit);
  } else if (first || relative < best_) {
    best_ = relative;
    since_best_ = 0;
  } else if (++since_best_ >= how_.patience) {
    end(outcome::stagnated);
  }
  return ended_;
}

template <real T>
void conjugate_gradients(const linear_system<T>& s, watch& seen) {
  conjugate_gradients_of(s, seen);
}

template <real T>
void stabilised_biconjugate_gradients(const linear_system<T>& s, watch& seen) {
  auto r = s.make_vector(), shadow = s.make_vector(), p = s.make_vector(), v = s.make_vector();
  auto t = s.make_vector(), p_hat = s.make_vector(), r_hat = s.make_vector();
  s.residual(r.data());
  if (seen.over(std::sqrt(s.dot(r.data(), r.data())))) return;
  s.combine(1, r.data(), 0, shadow.data());
  s.combine(1, r.data(), 0, p.data());
  double rho = s.dot(shadow.data(), r.data());
  for (;;) {
    s.precondition(p.data(), p_hat.data());
    s.multiply(p_hat.data(), v.data());
    const double along = s.dot(shadow.data(), v.data());
    if (along == 0 || !std::isfinite(along)) return seen.end(outcome::broke_down);
    const double alpha = rho / along;
    s.combine(-alpha, v.data(), 1, r.data());
    s.combine(alpha, p_hat.data(), 1, s.x);
    s.precondition(r.data(), r_hat.data());
    s.multiply(r_hat.data(), t.data());
    const double tt = s.dot(t.data(), t.data());
    const double omega = tt > 0 ? s.dot(t.data(), r.data()) / tt : 0;
    s.combine(omega, r_hat.data(), 1, s.x);
    s.combine(-omega, t.data(), 1, r.data());
    if (seen.over(std::sqrt(s.dot(r.data(), r.data())))) return;
    const double next = s.dot(shadow.data(), r.data());
    if (omega == 0 || next == 0) return seen.end(outcome::broke_down);
    s.combine(-omega, v.data(), 1, p.data());
    s.combine(1, r.data(), next / rho * alpha / omega, p.data());
    rho = next;
  }
}

namespace {

/// The least-squares problem of GMRES, kept triangular by rotations.
class hessenberg {
 public:
  explicit hessenberg(double beta) : right_{beta} {}
  /// A new column, with one element more than there are columns. Returns |r|.
  double add(std::vector<double> column) {
    for (std::size_t i = 0; i < rotations_.size(); ++i)
      rotate(rotations_[i], column[i], column[i + 1]);
    const std::size_t last = rotations_.size();
    const double length = std::hypot(column[last], column[last + 1]);
    const rotation turn =
        length > 0 ? rotation{column[last] / length, column[last + 1] / length} : rotation{1, 0};
    rotate(turn, column[last], column[last + 1]);
    right_.push_back(0);
    rotate(turn, right_[last], right_[last + 1]);
    rotations_.push_back(turn);
    columns_.push_back(std::move(column));
    return std::abs(right_.back());
  }
  std::vector<double> solution() const {
    std::vector<double> y(columns_.size());
    for (std::size_t i = y.size(); i-- > 0;) {
      double sum = right_[i];
      for (std::size_t j = i + 1; j < y.size(); ++j) sum -= columns_[j][i] * y[j];
      y[i] = columns_[i][i] != 0 ? sum / columns_[i][i] : 0;
    }
    return y;
  }

 private:
  struct rotation {
    double c, s;
  };
  static void rotate(const rotation& by, double& upper, double& lower) {
    const double u = by.c * upper + by.s * lower;
    lower = -by.s * upper + by.c * lower;
    upper = u;
  }
  std::vector<double> right_;
  std::vector<rotation> rotations_;
  std::vector<std::vector<double>> columns_;
};

/// One restart of GMRES from the residual r, of length beta. True: the solve is over.
template <real T>
bool minimise(const linear_system<T>& s, watch& seen, int restart, vector<T>& r, double beta) {
  std::vector<vector<T>> basis;
  auto hat = s.make_vector();
  hessenberg system(beta);
  basis.push_back(s.make_vector());
  s.combine(1 / beta, r.data(), 0, basis[0].data());
  bool over = false;
  for (int k = 0; k < restart && !over; ++k) {
    auto w = s.make_vector();
    s.precondition(basis.back().data(), hat.data());
    s.multiply(hat.data(), w.data());
    std::vector<double> column;
    for (const auto& v : basis) {
      column.push_back(s.dot(w.data(), v.data()));
      s.combine(-column.back(), v.data(), 1, w.data());
    }
    const double length = std::sqrt(s.dot(w.data(), w.data()));
    column.push_back(length);
    over = seen.over(system.add(std::move(column)));
    if (!(length > 0)) break;
    s.combine(1 / length, w.data(), 0, w.data());
    basis.push_back(std::move(w));
  }
  const auto y = system.solution();
  for (std::size_t k = 0; k < y.size(); ++k)
    s.combine(y[k], basis[k].data(), k == 0 ? 0 : 1, r.data());
  s.precondition(r.data(), hat.data());
  s.combine(1, hat.data(), 1, s.x);
  return over;
}

}  // namespace

template <real T>
void minimal_residuals(const linear_system<T>& s, watch& seen, int restart) {
  auto r = s.make_vector();
  double before = -1;
  for (;;) {
    s.residual(r.data());
    const double beta = std::sqrt(s.dot(r.data(), r.data()));
    if (before < 0 && seen.over(beta)) return;
    if (beta == 0 || beta == before)
      return seen.end(beta == 0 ? outcome::converged : outcome::stagnated);
    before = beta;
    if (minimise(s, seen, restart, r, beta)) return;
  }
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                \
  template void conjugate_gradients(const linear_system<T>&, watch&);              \
  template void stabilised_biconjugate_gradients(const linear_system<T>&, watch&); \
  template void minimal_residuals(const linear_system<T>&, watch&, int);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg
