// A hierarchy from the inside: its levels, and what set-up, cycles and solvers share.
#pragma once

#include <optional>

#include "amg/prolongator.hpp"
#include "gossamer/copy.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::amg {

/// One step of a smoother; see smooth_step.
struct coefficients {
  double keep = 0, weight = 0;
};

/// One level. Matrices and vectors are in the memory of the context, but for what the set-up keeps
/// on the host: connections, aggregates and the tentative prolongator.
template <real T>
struct level {
  csr_view<const T> a;
  csr_matrix<T> held;      ///< owns `a`, unless that is the caller's
  csr_view<const T> host;  ///< `a` on the host
  csr_matrix<T> copied;    ///< owns `host` where `a` is on a device
  vector<T> inverse_diagonal;
  double spectrum = 0;  ///< bound of the spectrum of D^-1 A
  std::vector<coefficients> steps;
  std::optional<plan> times_a, times_p, times_r;

  index_t block = 1;
  connections<T> strong;
  aggregation nodes;
  tentative<T> t;
  csr_matrix<T> p, r;                        ///< r is the transpose of p
  csr_matrix<T> between;                     ///< A P, or P^T A
  csr_matrix<T> smoothing, tentative_there;  ///< on a device: the factors of p

  /// Plans of the products of the set-up, from the first update on, and the positions in p of the
  /// values of r.
  std::optional<plan> smoothed, first, second;
  std::vector<index_t> order;

  /// What cycles write to.
  mutable vector<T> x, b, residual, direction, second_x, second_b;
};

template <real T>
struct hierarchy<T>::implementation {
  gossamer::context where;  ///< where products run
  int threads = 1;          ///< of what runs on the host
  setup_options how;
  statistics stats;
  std::vector<level<T>> levels;
  csr_matrix<T> inverse;  ///< of the coarsest level; empty when that is only smoothed
  std::optional<plan> times_inverse;

  bool on_device() const { return where.backend() == backend::cuda; }
};

/// Steps of the smoother for a spectrum in [0, rho].
std::vector<coefficients> smoother_steps(const setup_options& how, double rho, int sweeps);

/// A bound of the spectrum of D^-1 A: Gershgorin's where rows are dominated by their diagonal,
/// which it is close for, and otherwise ten steps of Lanczos.
template <real T>
double bound_spectrum(const context& where, const level<T>& on, double gershgorin);

/// x = M b by one cycle from `depth` downwards.
template <real T>
void run_cycle(const typename hierarchy<T>::implementation& all, int depth, const T* b, T* x);

/// y = A x + beta z on a level; beta z = y's own values when z is y.
template <real T>
void subtract_product(const level<T>& on, const context& where, const T* x, const T* z, T* y);
template <real T>
void product(const level<T>& on, const context& where, const T* x, T* y);

/// The set-up, and the set-up of new values.
template <real T>
void build_levels(typename hierarchy<T>::implementation& all, const csr_view<const T>& a,
                  const near_null_space<T>& candidates);
template <real T>
void update_levels(typename hierarchy<T>::implementation& all, const csr_view<const T>& a);

/// Options of the sparse products. On the host one kernel serves all: the choice of the library
/// depends on the number of threads, and the order of additions on the choice.
options product_options(const context& where);

/// What follows the matrix of a level, in every set-up: diagonal, spectrum, plan of A x.
template <real T>
void finish_matrix(typename hierarchy<T>::implementation& all, level<T>& on);
/// Vectors of the cycle, plans of P and P^T.
template <real T>
void finish_transfer(typename hierarchy<T>::implementation& all, level<T>& fine);
/// The direct solver.
template <real T>
void finish_coarsest(typename hierarchy<T>::implementation& all);

class laps;
/// Completes the matrix that the products gave: rows of coarse unknowns that no vector needs get a
/// diagonal of one, and a device's matrix is copied to the host.
template <real T>
void mend_coarse(typename hierarchy<T>::implementation& all, const level<T>& fine, level<T>& coarse,
                 laps& lap);

/// Adds the time since the last lap to a phase; waits for the device first.
class laps {
 public:
  explicit laps(const context& where);
  void add(double& phase);

 private:
  context where_;
  double before_;
};
double now();

}  // namespace gossamer::amg
