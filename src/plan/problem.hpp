// What a kernel is asked to judge: facts about the operands, never their arrays.
#pragma once

#include "convert/row_filter.hpp"
#include "formats/operand.hpp"
#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace gossamer {

struct problem {
  gossamer::operation operation = operation::spmv;
  gossamer::backend backend = backend::openmp;
  int threads = 1;
  operand_facts a, b;  ///< b: vector, dense block or sparse matrix
  extents result;
  layout b_order = layout::row_major, result_order = layout::row_major;  ///< dense operands
  bool reads_result = false;                                             ///< beta != 0
  /// A row of op(A) this long is known to exist (found by probing: any of nnz / 64 entries or
  /// more is). 0 when the format gives no cheap answer.
  index_t long_row = 0;
  bool a_rows_sorted = true;  ///< COO (and the COO part of HYB): entries ascend by rows
  index_t flop = 0;           ///< SpGEMM: multiplications
  gossamer::options options;

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
