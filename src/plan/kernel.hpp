// A kernel is a row of data: who it is, what it says about a problem, how it prepares and runs.
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
  std::variant<std::monostate, float, double> beta;
  std::optional<dense_target> dense;
  std::optional<csr_target> sparse;
  /// Row sizes of a sparse result that were counted before the choice; null without a limit.
  std::shared_ptr<const counted_rows> counted;
  /// Where `whole`, `general` and `run` put the phases they measure, unless null.
  std::vector<phase>* measured = nullptr;

  /// beta in the call's type; 0 when the output is not to be read.
  template <scalar T>
  T beta_as() const {
    const T* found = std::get_if<T>(&beta);
    return found ? *found : T{0};
  }
};

/// What prepare leaves behind: tables of the kernel's own type, never changed by a run, so that one
/// plan may run in several threads at once.
struct state {
  std::shared_ptr<const void> tables;
  index_t result_nnz = 0;          ///< SpGEMM: entries of the result
  index_t bytes = 0;               ///< held by the tables
  std::vector<phase> phases = {};  ///< measured while preparing; may be empty
  bool general = false;            ///< tables of kernels/shared/general_rows

  template <class Tables>
  const Tables& as() const {
    return *static_cast<const Tables*>(tables.get());
  }
};

template <class T>
using csr_run = void (*)(const state&, const csr_view<const T>&, const vector_call<T>&);

struct kernel {
  std::string_view id;         ///< operation/format/algorithm/backend: its path
  std::string_view summary;    ///< one line
  std::string_view reference;  ///< paper or ADR
  bool deterministic = false;  ///< same bits for every run and every number of threads
  verdict (*consider)(const problem&, const machine&) = nullptr;
  state (*prepare)(const problem&, const operands&, const context&) = nullptr;  ///< may be null
  void (*run)(const state&, const operands&, const context&) = nullptr;
  /// SpGEMM: a product in one go, for callers that keep no plan and set no memory limit; may be
  /// null, then prepare and run do it.
  csr_result (*whole)(const problem&, const operands&, const context&) = nullptr;
  /// SpGEMM over any semiring, under a mask, rows filtered before they are stored; in one go like
  /// `whole`, and prepare and run take such problems too. Null: the kernel takes ordinary products
  /// only, and filters are applied to its result.
  csr_result (*general)(const problem&, const operands&, const context&) = nullptr;
  std::string_view parameters = {};  ///< names that options::tuning may set, comma-separated
  /// CSR times a vector: `run` of arguments that were checked and need no unpacking, which would
  /// take longer than a very small product. May be null.
  csr_run<float> run_f32 = nullptr;
  csr_run<double> run_f64 = nullptr;
};

/// The four parts of an id.
struct kernel_path {
  std::string_view operation, format, algorithm, backend;
};
kernel_path path_of(const kernel&);

/// The algorithm that is a rule. Of sparse products: the choice of Gu et al. 2020, propagation
/// blocking where the compression factor is below 4, else a hash table. Of CSR times a vector on a
/// GPU: the "automatic" strategy of Anzt et al. 2020, load_balance above a million rows or a row of
/// 64 entries, else classical.
inline constexpr std::string_view paper_rule = "paper";

using catalogue = std::span<const kernel* const>;

struct choice {
  const kernel* chosen = nullptr;
  explanation why;
};

/// Pure: filters by operation, backend, algorithm and determinism, asks each kernel, takes the
/// least prepare / expected_calls + run. Throws when nothing can run and names what can. Of a
/// problem that nobody wants explained, `why` stays empty.
choice choose(const problem&, const machine&, catalogue);

}  // namespace gossamer
