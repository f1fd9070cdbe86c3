// A decision and its reasons: which kernel runs, what it needs, and why not the others.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer {

struct options {
  /// "" lets the library choose. Else an algorithm ("merge") or a kernel id
  /// ("spmv/csr/merge/openmp").
  std::string algorithm = {};
  /// Only kernels that give the same bits for every run and every number of threads.
  bool deterministic = false;
  /// Bytes the call may hold beyond its operands, results included; 0 means no limit.
  index_t memory_limit = 0;
  /// How often the plan will be used: preparation is weighed against it.
  index_t expected_calls = 1;
  /// A promise about a plan for dense results: the values of A stay as they are while it is used,
  /// so it may keep them in a layout of its own. Without it, calls read the values of the day.
  bool constant_values = false;
  /// 0 keeps the context's threads.
  int threads = 0;
  /// Sparse results without the entries that come out as exactly zero. Not for multiply_compute:
  /// a plan knows the structure before the values.
  bool drop_zeros = false;
  /// Parameters of the kernel, as name=value,name=value; unknown names throw and list the known
  /// ones. Each kernel's page in docs/kernels says what its parameters mean.
  std::string tuning = {};
  /// Sparse products: what is added and multiplied with. Others than plus_times take no scaled
  /// operands.
  gossamer::semiring semiring = semiring::plus_times;
  /// Sparse products: only entries that the mask has (complemented: has not) are computed and
  /// stored; it has the shape of the result. Borrowed during the call; a plan keeps a copy.
  std::optional<pattern> mask = {};
  /// Sparse products: what is stored of each row. Not for multiply_compute, like drop_zeros.
  filter keep = {};
};

/// A measured part of a product: what it took and what it had to move.
struct phase {
  std::string name;
  double seconds = 0;
  double bytes = 0;
};

/// What one kernel said about one problem.
struct verdict {
  bool possible = false;
  double prepare_seconds = 0;  ///< predicted, once per plan
  double run_seconds = 0;      ///< predicted, per call
  index_t bytes = 0;           ///< predicted peak beyond the operands, results included
  std::string because = {};    ///< the reason, for people
};

struct considered {
  std::string kernel;
  bool deterministic = false;
  gossamer::verdict verdict;
};

/// Why a kernel was chosen, as a value: print it, or take it as JSON.
struct explanation {
  std::string operation;
  std::string problem;  ///< one line: shapes, entries, types
  std::string chosen;   ///< kernel id
  std::string because;  ///< one line
  std::vector<considered> all;
  index_t expected_calls = 1;
  index_t memory_limit = 0;
  std::vector<phase> phases = {};  ///< measured by kernels that do: of a plan, while preparing

  std::string text() const;
  std::string json() const;
};
std::ostream& operator<<(std::ostream&, const explanation&);

/// A prepared product: kernel, tables and workspace. Cheap to copy (copies share the tables).
/// Using one plan from several threads at once is safe; the tables are not changed by a call.
class plan {
 public:
  const explanation& explain() const;
  const std::string& kernel() const;
  /// Shape of the result; for sparse products of the sparse result.
  extents result_shape() const;
  /// Sparse products only: entries of the result. Throws error(bad_argument) otherwise.
  index_t result_nnz() const;

  struct implementation;
  explicit plan(std::shared_ptr<const implementation> impl) : impl_(std::move(impl)) {}
  const implementation& impl() const { return *impl_; }

 private:
  std::shared_ptr<const implementation> impl_;
};

/// One line per kernel of the catalogue: what `gossamer info --kernels` and the docs print.
struct kernel_info {
  std::string id, summary, reference;
  bool deterministic = false;
  bool available = false;
  std::string why_not;  ///< when not available
};
std::vector<kernel_info> kernels();

}  // namespace gossamer
