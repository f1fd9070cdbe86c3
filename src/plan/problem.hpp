// The problem that a kernel considers: facts about the operands, never their arrays.
#pragma once

#include <optional>

#include "analysis/row_sample.hpp"
#include "convert/row_filter.hpp"
#include "formats/operand.hpp"
#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace gossamer {

/// Exact sizes of a sparse product, counted before the choice when a memory limit has to be kept.
struct counted_sizes {
  index_t nnz = 0;            ///< nonzeros of C
  index_t longest_row = 0;    ///< nonzeros of the longest row of C
  index_t longest_a_row = 0;  ///< nonzeros of the longest row of op(A)
  index_t most_products = 0;  ///< multiplications of the costliest row of C
  bool a_ascends = true;      ///< columns ascend in every row of op(A)
  bool b_ascends = true;      ///< columns ascend in every row of op(B)
  index_t result_bytes = 0;   ///< bytes of C
  /// Bytes of C, its offsets and the indexes of CSC operands: every kernel needs them.
  index_t held = 0;
  index_t least = 0;  ///< bytes the call needs whatever the kernel
};

/// Facts of a product with a dense result.
struct dense_facts {
  layout b_order = layout::row_major, result_order = layout::row_major;
  bool reads_result = false;  ///< beta != 0
  bool turned = false;        ///< computed as the transpose of dense times sparse
  bool a_rows_sorted = true;  ///< COO (and the COO part of HYB): triplets ascend by rows
};

/// Facts of a product with a sparse result.
struct spgemm_facts {
  index_t flop = 0;  ///< multiplications; on a device 0 unless the choice is explained
  /// Multiplications per nonzero of C, where a rule asks for it; sampled unless C was counted.
  std::optional<double> compression = {};
  std::optional<counted_sizes> counted = {};  ///< under a memory limit
};

struct problem {
  gossamer::operation operation = operation::spmv;
  gossamer::backend backend = backend::openmp;
  int threads = 1;
  operand_facts a, b;  ///< b: vector, dense block or sparse matrix
  extents result;
  dense_facts dense;          ///< SpMV and SpMM
  analysis::row_sample rows;  ///< SpMV and SpMM with A in CSR: a sample of its rows
  spgemm_facts spgemm;        ///< SpGEMM
  gossamer::options options;
  bool explained = true;  ///< reasons are formatted, which costs microseconds

  /// text(), or nothing where reasons are not formatted.
  template <class F>
  std::string reason(F&& text) const {
    return explained ? text() : std::string{};
  }

  /// SpGEMM in ordinary arithmetic and without a mask: what every kernel takes.
  bool ordinary() const { return options.semiring == semiring::plus_times && !options.mask; }
  /// SpGEMM: what is stored of each row.
  entry_filter kept() const { return {options.keep, options.drop_zeros}; }
  /// Ordinary, and every nonzero is stored.
  bool plain() const { return ordinary() && kept().keeps_all(); }

  /// One line for people: operation, operands, types.
  std::string text() const;
};

}  // namespace gossamer
