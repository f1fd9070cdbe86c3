// Plans: which kernel runs, what it prepared, and why it was chosen over the others.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer {

/// How a plan finds the fastest kernel: by the cost model, or by running the likely ones.
enum class tune { predict, measure };

/// Options of a product. Those that do not apply to an operation are refused or ignored as noted.
struct options {
  /// Algorithm ("merge") or kernel id ("spmv/csr/merge/openmp"); "" lets the library choose.
  std::string algorithm = {};
  /// Use only kernels that are bitwise reproducible, run to run and for every number of threads.
  bool deterministic = false;
  /// Bytes the call may allocate beyond its operands, results included; 0 means no limit.
  index_t memory_limit = 0;
  /// Number of times the plan will be used; preparation is amortised over it.
  index_t expected_calls = 1;
  /// Promises, for a plan with a dense result, that the values of A do not change while it is used,
  /// so that it may keep a copy of them in another layout. Without the promise every call reads the
  /// current values.
  bool constant_values = false;
  /// Number of threads; 0 keeps the context's.
  int threads = 0;
  /// Drop elements of a sparse result that are exactly zero. Not for multiply_compute: a plan knows
  /// the structure before the values.
  bool drop_zeros = false;
  /// Parameters of the kernel, as name=value,name=value; unknown names throw and list the known
  /// ones. Each kernel's page in docs/kernels explains its parameters.
  std::string tuning = {};
  /// Sparse products: addition and multiplication to use. Semirings other than plus_times take no
  /// scaled operands. Dense results on CPUs, without a plan, take them too.
  gossamer::semiring semiring = semiring::plus_times;
  /// Sparse products: compute and store only positions that the mask has (complemented: has not).
  /// The mask has the shape of the result. It is borrowed during the call; a plan keeps a copy. In
  /// a dense result on a CPU the other positions are not written.
  std::optional<pattern> mask = {};
  /// Sparse products: which nonzeros of each row to store. Not for multiply_compute, like
  /// drop_zeros.
  filter keep = {};
  /// Plans with a dense result: `measure` prepares and runs the kernels that are predicted to be
  /// the fastest, three at most, on the operands of the plan (the result is not written), and keeps
  /// the fastest. Not for single calls, nor together with `algorithm`.
  gossamer::tune tune = tune::predict;
  /// What measuring may take, in seconds; the kernel that is predicted to be the fastest is always
  /// prepared and run twice, and no other one is begun when this time is over.
  double tune_seconds = 0.1;
};

/// A measured phase of a product: its time and the bytes it had to move.
struct phase {
  std::string name;
  double seconds = 0;
  double bytes = 0;
};

/// One kernel's answer for one problem: whether it can run, and its predicted costs.
struct verdict {
  bool possible = false;
  double prepare_seconds = 0;  ///< predicted, once per plan
  double run_seconds = 0;      ///< predicted, per call
  index_t bytes = 0;           ///< predicted peak beyond the operands, results included
  std::string because = {};    ///< the reason, for people
};

/// What a kernel took when a plan measured it.
struct measurement {
  double prepare_seconds = 0;  ///< once
  double run_seconds = 0;      ///< median of the runs
  int runs = 0;
};

/// A kernel and its verdict.
struct considered {
  std::string kernel;
  bool deterministic = false;
  gossamer::verdict verdict;
  std::optional<measurement> measured = {};  ///< with tune::measure, of those that were run
};

/// Why a kernel was chosen, as a value: print it as text or as JSON.
struct explanation {
  std::string operation;
  std::string problem;  ///< one line: shapes, nonzeros, types
  std::string chosen;   ///< kernel id
  std::string because;  ///< one line
  std::vector<considered> all;
  index_t expected_calls = 1;
  index_t memory_limit = 0;
  std::vector<phase> phases = {};  ///< measured phases, where the kernel measures them; of a plan,
                                   ///< those of its preparation

  /// The explanation for people, several lines, and for programs, one JSON object.
  std::string text() const;
  std::string json() const;
};
/// Prints text().
std::ostream& operator<<(std::ostream&, const explanation&);

/// A prepared product: kernel, tables and workspace. Cheap to copy (copies share the tables). A
/// plan may be used by several threads at once; calls do not change its tables.
class plan {
 public:
  /// Why this kernel was chosen, with the verdicts of all kernels.
  const explanation& explain() const;
  /// Id of the chosen kernel.
  const std::string& kernel() const;
  /// Shape of the result, dense or sparse.
  extents result_shape() const;
  /// Sparse products only: nonzeros of the result. Throws error(bad_argument) otherwise.
  index_t result_nnz() const;

  /// Internals of the library; not part of the interface.
  struct implementation;
  explicit plan(std::shared_ptr<const implementation> impl) : impl_(std::move(impl)) {}
  const implementation& impl() const { return *impl_; }

 private:
  std::shared_ptr<const implementation> impl_;
};

/// One kernel of the catalogue, as `gossamer info --kernels` and the docs print it.
struct kernel_info {
  std::string id, summary, reference;
  bool deterministic = false;
  bool available = false;
  std::string why_not;  ///< when not available
};
/// All kernels of the catalogue, including those this build or machine cannot run.
std::vector<kernel_info> kernels();

}  // namespace gossamer
