// Algebraic multigrid on distributed matrices: gossamer::amg's method over ranks, in a library of
// its own, gossamer::mpi_amg. Aggregates, prolongators and coarse matrices are distributed;
// once a level is small, every rank has all of it and goes on as one process does.
//
//   const mpi::amg_hierarchy<double> levels(cpu, A);   // A must outlive it
//   const auto done = mpi::solve(levels, my_b, my_x);  // conjugate gradients, blocks of vectors
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gossamer/amg.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {

/// How a distributed hierarchy is built.
struct amg_options {
  /// As on one process; block_size is 1 and the cycle V.
  amg::setup_options setup = {};
  /// A level with at most this many rows is gathered on all ranks, which solve it redundantly: the
  /// time of a message is that of tens of thousands of multiplications.
  index_t gather_below = 4000;
  /// The products of the set-up.
  spgemm_options products = {.algorithm = "1d"};
};

/// Levels of a distributed matrix. Aggregates are those of one process, for any number of ranks:
/// random priorities belong to global rows.
template <amg::real T>
class amg_hierarchy {
 public:
  /// Builds all levels from a square matrix whose columns are partitioned as its rows, and which
  /// must outlive the hierarchy. Throws on all ranks what amg::hierarchy refuses.
  amg_hierarchy(const context& where, const distributed_csr<T>& a, const amg_options& how = {});
  amg_hierarchy(const context&, distributed_csr<T>&&, const amg_options& = {}) = delete;
  amg_hierarchy(amg_hierarchy&&) noexcept;
  amg_hierarchy& operator=(amg_hierarchy&&) noexcept;
  ~amg_hierarchy();

  /// All levels, those that every rank has included; numbers are of all ranks. Not collective.
  const std::vector<amg::level_info>& levels() const;
  /// The number of levels that are distributed. Not collective.
  int distributed_levels() const;
  /// x = M b, one cycle from x = 0; blocks of vectors.
  void apply(std::span<const T> b, std::span<T> x) const;

  /// Internals of the library; not part of the interface.
  struct implementation;
  implementation& impl() const { return *impl_; }

 private:
  std::unique_ptr<implementation> impl_;
};

/// Solves A x = b by conjugate gradients, preconditioned by cycles, from the x given. Each rank has
/// its blocks of b and x. Other methods are refused.
template <amg::real T>
amg::solve_result solve(const amg_hierarchy<T>& levels, std::span<const T> b, std::span<T> x,
                        const amg::solve_options& how = {});
template <amg::real T>
amg::solve_result solve(const amg_hierarchy<T>& levels, const std::vector<T>& b, std::vector<T>& x,
                        const amg::solve_options& how = {}) {
  return solve(levels, std::span<const T>(b), std::span<T>(x), how);
}

}  // namespace gossamer::mpi
