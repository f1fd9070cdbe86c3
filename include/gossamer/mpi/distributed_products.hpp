// Sparse products of distributed matrices, a part of gossamer::mpi; docs/guide/mpi.md is the guide.
//
//   const auto C = mpi::multiply(cpu, A, B);                         // rows of C as those of A
//   const auto D = mpi::multiply(cpu, A, B, {.algorithm = "2d"});    // sparse SUMMA
//   mpi::spgemm_report why;
//   const auto E = mpi::multiply(cpu, A, B, {}, &why);
//   if (ranks.rank() == 0) std::cout << why.text();                  // what each way would send
//
// The contract is that of one process: C has sorted columns, no duplicates, and keeps nonzeros that
// cancel to zero; operands are untouched; the memory limit is kept, on each rank.
#pragma once

#include <string>
#include <vector>

#include "gossamer/mpi/distributed_matrix.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::mpi {

/// How a distributed product is computed.
struct spgemm_options {
  /// "1d": each rank fetches the rows of B that its rows of A need. "2d": sparse SUMMA on a grid of
  /// ranks. "3d": layers of such grids, each with a share of the inner dimension, whose results are
  /// added. "auto": the one whose busiest rank is estimated to send the fewest bytes.
  std::string algorithm = "auto";
  /// Layers of "3d", from 2 on; 0: those that are estimated best.
  int layers = 0;
  /// C = alpha A B. Semirings other than plus_times take 1 only.
  double alpha = 1;
  /// As on one process: semiring, mask, filters, drop_zeros, kernel, determinism, threads. The mask
  /// is that of this rank's rows: local rows x all columns. memory_limit is per rank: bytes the
  /// call may allocate beyond its operands, its part of C included.
  gossamer::options local = {};
};

/// Ranks as rows x columns x layers. A row has contiguous ranks, which are dealt to its layers in
/// turn. Ranks beyond rows * columns * layers keep their parts of A, B and C, and multiply nothing.
struct process_grid {
  int rows = 1, columns = 1, layers = 1;
  friend bool operator==(const process_grid&, const process_grid&) = default;
  /// The grid with this many layers that is nearest to a square, for any number of ranks.
  static process_grid near_square(int ranks, int layers = 1);
};

/// What one algorithm would send, over all ranks and by the rank that sends most.
struct predicted_traffic {
  std::string algorithm;   ///< "1d", "2d", "3d"
  process_grid grid;       ///< of 2d and 3d
  index_t bytes = 0;       ///< of all ranks
  index_t messages = 0;    ///< of all ranks; this and those below are 0 where they are unknown
  index_t most_bytes = 0;  ///< of the rank that sends most
  index_t most_messages = 0;
  bool exact = false;  ///< counted from the structure, not estimated
};

/// The structure of a product, and who has which rows. Patterns are of the whole matrices: nothing
/// here needs processes, so any number of ranks can be asked about.
struct product_structure {
  pattern a, b;
  partition a_rows, b_rows;
  value_type value = value_type::f64;
};
/// What each rank would send in a 1D product in one round without a mask, message by message.
std::vector<traffic> predict_traffic(const product_structure& of);
/// The same on a grid: 2D with one layer, 3D with several. Takes as many steps as the product has
/// multiplications.
std::vector<traffic> predict_traffic(const product_structure& of, const process_grid& grid);
/// The sums and the greatest of what ranks send.
predicted_traffic summary(const std::string& algorithm, const process_grid& grid,
                          const std::vector<traffic>& by_rank);

/// What a product did, and why.
struct spgemm_report {
  std::string algorithm;        ///< that ran: "1d", "2d", "3d"
  std::string because;          ///< one line
  process_grid grid;            ///< of 2d and 3d
  index_t rounds = 1;           ///< parts of the product that were computed one after another
  index_t multiplications = 0;  ///< of all ranks
  index_t nnz = 0;              ///< of C
  std::vector<predicted_traffic> considered;  ///< where a choice was made
  traffic sent;                               ///< by this rank, to build C
  traffic sent_by_all;                        ///< by all ranks together
  index_t most_bytes = 0;                     ///< by the rank that sent most
  /// The report for people, several lines.
  std::string text() const;
};

/// C = alpha A B, distributed: rows as those of A, columns as those of B. The same bits as on one
/// process wherever sums are added in one piece: in "1d" always, for one kernel (local.algorithm);
/// in "2d" in one round. Throws on all ranks where shapes, ranks or options do not fit, or a rank
/// cannot keep its memory limit.
template <real_scalar T>
distributed_csr<T> multiply(const context& where, const distributed_csr<T>& a,
                            const distributed_csr<T>& b, const spgemm_options& how = {},
                            spgemm_report* why = nullptr);

/// R (A P), the intermediate product freed. Semiring, kernel, algorithm and memory limit are those
/// of both products; alpha, mask, filters and drop_zeros apply to the result.
template <real_scalar T>
distributed_csr<T> triple_product(const context& where, const distributed_csr<T>& r,
                                  const distributed_csr<T>& a, const distributed_csr<T>& p,
                                  const spgemm_options& how = {});
/// P' (A P), the Galerkin product of multigrid: rows and columns as the columns of P are.
template <real_scalar T>
distributed_csr<T> galerkin_product(const context& where, const distributed_csr<T>& a,
                                    const distributed_csr<T>& p, const spgemm_options& how = {});

}  // namespace gossamer::mpi
