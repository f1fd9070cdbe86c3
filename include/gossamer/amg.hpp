// Algebraic multigrid by smoothed aggregation, and Krylov methods that it preconditions. A library
// of its own, gossamer::amg; docs/guide/amg.md is its guide. Everything that multiplies matrices is
// a product of the library: A P and P^T (A P) in the set-up, SpMV with plans in the solve.
//
//   const amg::hierarchy<double> levels(cpu, A);       // set-up; A must outlive it
//   const auto done = amg::solve(levels, b, x);        // conjugate gradients, to 1e-8
//   if (!done.converged()) std::cerr << done.because;
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"
#include "gossamer/operand.hpp"

namespace gossamer::amg {

/// Value types of the solver.
template <class T>
concept real = std::same_as<T, float> || std::same_as<T, double>;

/// The smoother of a cycle: damped Jacobi, or a Chebyshev polynomial of D^-1 A.
enum class smoother : std::uint8_t { jacobi, chebyshev };
/// V: each level visits the next one once per cycle; W: twice.
enum class cycle : std::uint8_t { v, w };
/// The order of the Galerkin product: P^T (A P), or (P^T A) P.
enum class galerkin : std::uint8_t { right_first, left_first };
/// Krylov methods. Conjugate gradients need a symmetric positive definite matrix.
enum class method : std::uint8_t { cg, bicgstab, gmres };

/// Names as the command line prints them: "chebyshev", "V", "P'(AP)", "bicgstab".
std::string_view name(smoother);
std::string_view name(cycle);
std::string_view name(galerkin);
std::string_view name(method);

/// How a hierarchy is built. The defaults serve scalar elliptic problems.
struct setup_options {
  /// a_ij is a strong connection when |a_ij| / sqrt(a_ii a_jj) is at least `strength` times the
  /// largest such quotient of row i, or of row j. Weak ones are added to the diagonal before P is
  /// smoothed. On every coarser level the threshold is halved. 0: all are strong.
  double strength = 0.25;
  /// Seed of the maximal independent sets.
  std::uint64_t seed = 1;
  /// Rows of A that belong to one node of a mesh: 3 for displacements in space. Nodes are
  /// aggregated whole.
  index_t block_size = 1;
  /// P = (I - omega / rho D^-1 A) T, where rho bounds the spectrum of D^-1 A.
  double omega = 4.0 / 3;
  /// Coarsening ends at a level with at most this many rows, which is solved directly.
  index_t coarsest = 200;
  /// The most levels, the finest included.
  int levels = 20;
  galerkin product = galerkin::right_first;
  /// The pattern of A is symmetric. Say false for others: then the graph of strong connections is
  /// made symmetric before it is aggregated.
  bool symmetric = true;
  gossamer::amg::smoother smoother = smoother::chebyshev;
  /// Jacobi: sweeps before and after the coarse correction. Chebyshev: degree of the polynomial.
  int sweeps = 2;
  /// Chebyshev polynomials are small on [rho / ratio, rho].
  double ratio = 6;
  gossamer::amg::cycle cycle = cycle::v;
  /// Number of products with each matrix that plans are made for.
  index_t expected_calls = 50;
};

/// What a level looks like.
struct level_info {
  index_t rows = 0, nnz = 0;
  index_t aggregates = 0;       ///< 0 on the coarsest
  index_t prolongator_nnz = 0;  ///< 0 on the coarsest
  index_t weak = 0;             ///< connections that were dropped
  double spectrum = 0;          ///< bound of the spectrum of D^-1 A
  std::string kernel;           ///< of the products A x
};

/// What one phase of the set-up took, over all levels.
struct setup_times {
  double strength = 0;       ///< diagonals, strong connections, weak ones lumped
  double aggregation = 0;    ///< MIS-2 and aggregates
  double prolongator = 0;    ///< QR of aggregates and smoothing; on a device smoothing is a product
  double transpose = 0;      ///< P^T, which is also the restriction
  double first_product = 0;  ///< A P, or P^T A
  double second_product = 0;  ///< P^T (A P), or (P^T A) P
  double coarsest = 0;        ///< the direct solver
  double plans = 0;           ///< bounds of spectra, plans of SpMV
  double copies = 0;          ///< between host and device
  double total = 0;
  /// Seconds in SpGEMM.
  double products() const { return first_product + second_product; }
};

/// The shape of a hierarchy and what it cost.
struct statistics {
  std::vector<level_info> levels;
  setup_times times;     ///< of the latest set-up, full or numeric
  std::string coarsest;  ///< "direct", "direct, of rank 99 of 100", "smoothed": how it is solved
  /// Nonzeros, and rows, of all levels over those of the finest.
  double operator_complexity() const;
  double grid_complexity() const;
};

/// Vectors that A maps to nearly nothing, n x k: constants for Poisson, rigid body motions for
/// elasticity. An empty view means the constant vector (one for each unknown of a node).
template <real T>
using near_null_space = dense_view<const T>;

/// Levels of A, from the finest to one that is solved directly. Cycles write to vectors that it
/// owns: one solve at a time. On a CUDA context matrices and
/// vectors of all levels are on the device, where products and cycles run; strong connections and
/// aggregates are computed on the host, to which coarse matrices are copied for that. The hierarchy
/// is the same, bit for bit, for any number of threads.
template <real T>
class hierarchy {
 public:
  using value = T;
  /// Builds all levels. A is a host matrix; on a host context it is borrowed and must outlive the
  /// hierarchy (unsorted columns and duplicates cost a copy). Throws error(bad_input) when A is not
  /// square or has an infinite value, a NaN or, on its diagonal, a zero; with `symmetric`, negative
  /// diagonals are refused, too.
  hierarchy(const context& where, const csr_view<const T>& a, const setup_options& how = {},
            const near_null_space<T>& candidates = {});
  hierarchy(const context& where, const csr_matrix<T>& a, const setup_options& how = {},
            const near_null_space<T>& candidates = {})
      : hierarchy(where, a.view(), how, candidates) {}
  hierarchy(const context&, csr_matrix<T>&&, const setup_options& = {},
            const near_null_space<T>& = {}) = delete;  // it would outlive what it borrows
  hierarchy(hierarchy&&) noexcept;
  hierarchy& operator=(hierarchy&&) noexcept;
  ~hierarchy();

  /// New values, the same structure: aggregates are kept, prolongators get new values, products
  /// only their numeric phase. The first call prepares the plans for that. Throws error(bad_input)
  /// when the structure is another or a row of A is refused; the hierarchy is then as it was. An
  /// error of a coarser level leaves a hierarchy that must be built anew.
  void update(const csr_view<const T>& a);
  void update(const csr_matrix<T>& a) { update(a.view()); }
  void update(csr_matrix<T>&&) = delete;

  /// x = M b, one cycle from x = 0; both in the memory of the context.
  void apply(const dense_view<const T>& b, const dense_view<T>& x) const;

  const statistics& stats() const;
  const gossamer::context& context() const;
  const setup_options& options() const;
  /// Number of levels; matrices are on the device under a CUDA context.
  int levels() const;
  csr_view<const T> matrix(int level) const;
  csr_view<const T> prolongator(int level) const;
  /// The aggregate of each node of a level; -1: none, its row has no other nonzeros.
  std::span<const std::int32_t> aggregates(int level) const;

  /// Internals of the library; not part of the interface.
  struct implementation;
  const implementation& impl() const { return *impl_; }

 private:
  std::unique_ptr<implementation> impl_;
};

/// When a solve ends.
struct solve_options {
  gossamer::amg::method method = method::cg;
  /// Solved when |b - A x| <= tolerance |b|, in the Euclidean norm.
  double tolerance = 1e-8;
  index_t iterations = 200;
  /// GMRES: dimension of the Krylov space before a restart.
  int restart = 30;
  /// Ends as stagnated after this many iterations without a smaller residual.
  int patience = 30;
};

/// How a solve ended. `indefinite`: conjugate gradients met a direction with p^T A p <= 0.
enum class outcome : std::uint8_t { converged, iteration_limit, stagnated, indefinite, broke_down };
std::string_view name(outcome);

/// What a solve did.
struct solve_result {
  gossamer::amg::outcome outcome = outcome::converged;
  std::string because;  ///< one line, with the way out when it did not converge
  index_t iterations = 0;
  std::vector<double> residuals;  ///< |b - A x| / |b|, the initial one first; of the recurrence
  double residual = 0;            ///< |b - A x| / |b|, computed anew at the end
  double seconds = 0;
  bool converged() const { return outcome == gossamer::amg::outcome::converged; }
};

/// Solves A x = b from the x given, in the memory of the hierarchy's context.
template <real T>
solve_result solve(const hierarchy<T>& levels, const dense_view<const T>& b, const dense_view<T>& x,
                   const solve_options& how = {});

/// The same for vectors on the host: under a CUDA context they are copied there and back.
template <real T>
solve_result solve(const hierarchy<T>& levels, std::span<const T> b, std::span<T> x,
                   const solve_options& how = {});
template <real T>
solve_result solve(const hierarchy<T>& levels, const std::vector<T>& b, std::vector<T>& x,
                   const solve_options& how = {}) {
  return solve(levels, std::span<const T>(b), std::span<T>(x), how);
}

}  // namespace gossamer::amg
