// What a kernel is asked to judge: facts about the operands, never their arrays.
#pragma once

#include <optional>

#include "convert/row_filter.hpp"
#include "formats/operand.hpp"
#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace gossamer {

/// Exact sizes of a sparse product, counted before the choice when a memory limit has to be kept.
struct counted_sizes {
  index_t nnz = 0;            ///< entries of C
  index_t longest_row = 0;    ///< of C
  index_t longest_a_row = 0;  ///< of op(A)
  index_t most_products = 0;  ///< of a row of C
  bool a_ascends = true;      ///< columns in every row of op(A)
  bool b_ascends = true;      ///< the same of op(B)
  index_t result_bytes = 0;   ///< C
  index_t held = 0;   ///< C, its offsets and the indexes of CSC operands: any kernel has them
  index_t least = 0;  ///< what the call needs whatever the kernel
};

struct problem {
  gossamer::operation operation = operation::spmv;
  gossamer::backend backend = backend::openmp;
  int threads = 1;
  operand_facts a, b;  ///< b: vector, dense block or sparse matrix
  extents result;
  layout b_order = layout::row_major, result_order = layout::row_major;  ///< dense operands
  bool reads_result = false;                                             ///< beta != 0
  /// A row of op(A) this long is known to exist (found by probing: any of nnz / 64 entries or
  /// more is; on a device it is the longest). 0 when the format gives no cheap answer.
  index_t long_row = 0;
  /// SpMV by a plan that is worth a look at the columns: different lines of x that consecutive
  /// entries of CSR touch, per entry; sampled. 0 when nobody looked.
  double x_lines = 0;
  double alike_rows = 1;      ///< share of neighbours of equal length, sampled with x_lines
  bool float_values = false;  ///< those doubles of A that were sampled with x_lines are all floats
  bool a_rows_sorted = true;  ///< COO (and the COO part of HYB): entries ascend by rows
  index_t flop = 0;           ///< SpGEMM: multiplications
  /// SpGEMM: products / entries of C, where a rule asks for it; sampled unless C was counted.
  std::optional<double> compression = {};
  std::optional<counted_sizes> counted = {};  ///< SpGEMM under a memory limit
  gossamer::options options;
  bool explained = true;  ///< somebody may read the reasons; formatting them costs microseconds

  /// text(), or nothing where nobody reads it.
  template <class F>
  std::string reason(F&& text) const {
    return explained ? text() : std::string{};
  }

  /// SpGEMM in ordinary arithmetic and without a mask: what every kernel takes.
  bool ordinary() const { return options.semiring == semiring::plus_times && !options.mask; }
  /// SpGEMM: what is stored of each row.
  entry_filter kept() const { return {options.keep, options.drop_zeros}; }
  /// Ordinary, and every entry stored.
  bool plain() const { return ordinary() && kept().keeps_all(); }

  /// One line for people: operation, operands, types.
  std::string text() const;
};

}  // namespace gossamer
