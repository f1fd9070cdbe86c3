// A kernel as the catalogue lists it: its name, its verdict on a problem, how it prepares and runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "gossamer/machine.hpp"
#include "plan/problem.hpp"
#include "plan/vector_call.hpp"

namespace gossamer {

struct counted_rows;  // kernels/spgemm/frame/counted_rows.hpp

/// The arrays of one call. Dense products use `dense`, sparse ones `sparse`; operands are in
/// normal form. beta is already in the value type of the call, like the operands' alpha.
struct operands {
  operand a, b;
  std::variant<std::monostate, float, double, std::complex<float>, std::complex<double>> beta;
  std::optional<dense_target> dense;
  std::optional<csr_target> sparse;
  /// The caller asked for C = B A with B dense; a, b and dense are those of C' = A' B'.
  bool turned = false;
  /// Row sizes of a sparse result that were counted before the choice; null without a limit.
  std::shared_ptr<const counted_rows> counted;
  /// Where kernels put the phases they measure while multiplying, unless null.
  std::vector<phase>* measured = nullptr;

  /// beta in the call's type; 0 when the output is not to be read.
  template <scalar T>
  T beta_as() const {
    const T* found = std::get_if<T>(&beta);
    return found ? *found : T{0};
  }
};

/// What only sparse products leave behind.
struct spgemm_state {
  index_t result_nnz = 0;  ///< nonzeros of the result
  /// Prepared for a semiring, a mask or a filter: `run` applies all that the options ask for, and
  /// result_nnz counts what it keeps. Otherwise filters are applied to the result.
  bool masked = false;
};

/// What prepare leaves behind, in types of the kernel's own. Tables are never changed by a run, so
/// one plan may run in several threads at once. Workspace is memory that runs write to: only
/// kernels on devices have it, where the runs of a plan follow one another on one stream.
struct state {
  std::shared_ptr<const void> tables = {};
  std::shared_ptr<void> workspace = {};
  index_t bytes = 0;               ///< held by tables and workspace
  std::vector<phase> phases = {};  ///< measured while preparing; may be empty
  spgemm_state spgemm = {};

  template <class Tables>
  const Tables& as() const {
    return *static_cast<const Tables*>(tables.get());
  }
  template <class Workspace>
  Workspace& workspace_as() const {
    return *static_cast<Workspace*>(workspace.get());
  }
};

/// y = alpha A x + beta y with a prepared CSR matrix and arguments that were checked.
template <class T>
using csr_run = void (*)(const state&, const csr_view<const T>&, const vector_call<T>&);

/// What only kernels of SpMV may have.
struct spmv_functions {
  /// CSR times a vector: `run` of arguments that need no unpacking, which would take longer than a
  /// very small product. Both or none; may be null.
  csr_run<float> run_csr_f32 = nullptr;
  csr_run<double> run_csr_f64 = nullptr;
  csr_run<std::complex<float>> run_csr_c64 = nullptr;  ///< these two or none
  csr_run<std::complex<double>> run_csr_c128 = nullptr;
};

/// A sparse product in one go, for callers that keep no plan and, on the host, set no memory limit.
/// Kernels on devices keep the limit themselves: error(memory_limit) says the smallest limit that
/// would do, as early as it can be known.
using once_function = csr_result (*)(const problem&, const operands&, const context&);

/// What only kernels of SpGEMM may have.
struct spgemm_functions {
  /// Ordinary products with every nonzero stored. Null: prepare and run do it. Kernels on devices
  /// have it.
  once_function multiply_once = nullptr;
  /// Over any semiring, under a mask, rows filtered before they are stored; prepare and run take
  /// such problems, too. Null: the kernel takes ordinary products only, and filters are applied to
  /// its result.
  once_function multiply_once_masked = nullptr;

  /// The function for this problem; null: prepare and run do it.
  once_function once_for(const problem& p) const {
    return p.plain() || !multiply_once_masked ? multiply_once : multiply_once_masked;
  }
};

/// The value types that a kernel is compiled for. Most are for real values: every type more would
/// have to be compiled for each of them (docs/adr/0011).
enum class taken_values : std::uint8_t { real, complex, all };

struct kernel {
  std::string_view id;         ///< operation/format/algorithm/backend: its path
  std::string_view summary;    ///< one line
  std::string_view reference;  ///< paper or ADR
  bool deterministic = false;  ///< bitwise reproducible for any number of threads
  verdict (*consider)(const problem&, const machine&) = nullptr;
  state (*prepare)(const problem&, const operands&, const context&) = nullptr;  ///< may be null
  void (*run)(const state&, const operands&, const context&) = nullptr;
  std::string_view parameters = {};  ///< names that options::tuning may set, comma-separated
  spmv_functions spmv = {};
  spgemm_functions spgemm = {};
  taken_values values = taken_values::real;
  /// What `prepare` leaves behind is right, if not fast, for every matrix with the same shape,
  /// number of nonzeros and widths: it holds no value and no index of A.
  bool tables_fit_all = false;

  bool takes(value_type type) const {
    return values == taken_values::all || is_complex(type) == (values == taken_values::complex);
  }
};

/// The four parts of an id.
struct kernel_path {
  std::string_view operation, format, algorithm, backend;
};
kernel_path path_of(const kernel&);

/// The name of an algorithm that is a rule. For sparse products it is the choice of Gu et al. 2020:
/// propagation blocking where the compression factor is below 4, else a hash table. For CSR times a
/// vector on a GPU it is the "automatic" strategy of Anzt et al. 2020, load_balance above a million
/// rows or a row of 64 nonzeros, else classical.
inline constexpr std::string_view paper_rule = "paper";

using catalogue = std::span<const kernel* const>;

struct choice {
  const kernel* chosen = nullptr;
  explanation why;
};

/// A pure function: filters kernels by operation, backend, algorithm and determinism, considers
/// each and takes the least prepare / expected_calls + run. Throws when nothing can run and names
/// what can. `why` stays empty for a problem that need not be explained.
choice choose(const problem&, const machine&, catalogue);

}  // namespace gossamer
