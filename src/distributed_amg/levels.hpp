// A distributed hierarchy from the inside.
#pragma once

#include "amg/levels.hpp"
#include "amg/vectors.hpp"
#include "distributed/halo.hpp"
#include "gossamer/distributed.hpp"
#include "gossamer/mpi/distributed_amg.hpp"

namespace gossamer::mpi {

/// A vector with the elements of this rank and, behind them, those of the halo of a matrix.
template <class E>
class extended {
 public:
  /// Not collective.
  extended(const communicator& ranks, const halo_routes& routes, index_t own)
      : routes_(routes),
        own_(own),
        inside_(routes.wanted.size()),
        values_(static_cast<std::size_t>(own + routes.halo)),
        messages_(ranks, routes, halo_messages::direction::forward,
                  reinterpret_cast<std::byte*>(inside_.data()),
                  reinterpret_cast<std::byte*>(values_.data() + own),
                  static_cast<index_t>(sizeof(E))) {}

  E& operator[](index_t i) { return values_[static_cast<std::size_t>(i)]; }
  const E& operator[](index_t i) const { return values_[static_cast<std::size_t>(i)]; }
  index_t own() const { return own_; }
  E* data() { return values_.data(); }
  /// Brings the halo up to date. Collective.
  void update() {
    for (std::size_t k = 0; k < inside_.size(); ++k)
      inside_[k] = values_[static_cast<std::size_t>(routes_.wanted[k])];
    messages_.start();
    messages_.wait();
  }

 private:
  const halo_routes& routes_;
  index_t own_;
  std::vector<E> inside_, values_;
  halo_messages messages_;
};

/// Rows of a matrix over extended vectors: columns of others come after the own ones.
template <real_scalar T>
class extended_rows {
 public:
  explicit extended_rows(const distributed_csr<T>& a) : own_(a.own()), off_(a.off()) {}
  index_t size() const { return own_.shape.rows; }
  /// Calls f(column, value) for each nonzero of a row.
  template <class F>
  void for_each(index_t row, F&& f) const {
    for (index_t k = own_.offsets[row]; k < own_.offsets[row + 1]; ++k)
      f(static_cast<index_t>(own_.columns[k]), own_.values[k]);
    for (index_t k = off_.offsets[row]; k < off_.offsets[row + 1]; ++k)
      f(own_.shape.cols + off_.columns[k], off_.values[k]);
  }

 private:
  csr_view<const T> own_, off_;
};

/// What one pass over a level finds, on all ranks together.
template <amg::real T>
struct level_facts {
  std::vector<T> diagonal;  ///< of this rank's rows
  double spectrum = 0;      ///< Gershgorin's bound of D^-1 A
};

/// One distributed level.
template <amg::real T>
struct distributed_level {
  const distributed_csr<T>* a = nullptr;
  std::optional<distributed_csr<T>> held;  ///< owns `a`, unless that is the caller's
  level_facts<T> facts;
  std::vector<T> inverse_diagonal;
  double spectrum = 0;
  std::vector<amg::coefficients> steps;
  std::optional<distributed_csr<T>> p, r;
  std::optional<product_plan<T>> times_a, times_p, times_r;
  index_t weak = 0, aggregates = 0;
  std::vector<T> x, b, residual, direction;
};

/// The levels below the distributed ones: all of it on each rank.
template <amg::real T>
struct gathered_levels {
  csr_matrix<T> a;
  std::vector<T> candidates;
  std::optional<amg::hierarchy<T>> levels;
  partition rows;
  mutable std::vector<T> b, x;
};

template <amg::real T>
struct amg_hierarchy<T>::implementation {
  context where;
  communicator ranks;
  amg_options how;
  std::vector<std::unique_ptr<distributed_level<T>>> levels;
  gathered_levels<T> gathered;  ///< without levels where the last one is too large
  std::vector<amg::level_info> infos;
};

/// Diagonal and Gershgorin's bound. Throws on all ranks where a row has no usable diagonal or a
/// value is not finite.
template <amg::real T>
level_facts<T> facts_of(const distributed_csr<T>& a, bool symmetric, int level);

/// A without its weak connections, which are added to the diagonal; nothing where all are strong.
template <amg::real T>
std::optional<distributed_csr<T>> without_weak(const context& where, const distributed_csr<T>& a,
                                               const level_facts<T>& facts, double threshold,
                                               index_t& weak);

/// Aggregates of the rows of this rank, numbered over all ranks; -1: none. `owners` says which rank
/// has which aggregates: that of their root.
struct distributed_aggregates {
  std::vector<index_t> of;
  partition owners;
};
template <amg::real T>
distributed_aggregates aggregate(const distributed_csr<T>& graph, std::uint64_t seed);

/// The smoothed prolongator (I - weight D^-1 A) T; `vector` is the near-null-space vector of this
/// level and becomes that of the next.
template <amg::real T>
struct smoothing {
  const distributed_csr<T>& a;
  const std::vector<T>& diagonal;
  double weight;
};
template <amg::real T>
distributed_csr<T> prolongator(const context& where, const smoothing<T>& by,
                               const distributed_aggregates& nodes, std::vector<T>& vector,
                               const spgemm_options& how);

/// A bound of the spectrum of D^-1 A.
template <amg::real T>
double bound_spectrum(const context& where, distributed_level<T>& on);

/// All of a matrix, and of a vector, on each rank.
template <amg::real T>
csr_matrix<T> gather_to_all(const context& where, const distributed_csr<T>& a);
template <amg::real T>
void gather_to_all(const communicator& ranks, const partition& blocks, std::span<const T> mine,
                   std::vector<T>& all);
/// Goes on with the last distributed level as one process.
template <amg::real T>
void gather_levels(typename amg_hierarchy<T>::implementation& all, const std::vector<T>& vector,
                   double threshold);

/// x = M b by one cycle from `depth` downwards; blocks of this rank.
template <amg::real T>
void run_cycle(typename amg_hierarchy<T>::implementation& all, std::size_t depth, const T* b, T* x);
/// y = z - A x on a level.
template <amg::real T>
void subtract_product(distributed_level<T>& on, const T* x, const T* z, T* y);
/// The sum of x_i y_i over all ranks.
template <amg::real T>
double dot(const communicator& ranks, const context& where, index_t n, const T* x, const T* y);

}  // namespace gossamer::mpi
