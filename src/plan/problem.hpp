// What a kernel is asked to judge: facts about the operands, never their arrays.
#pragma once

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

  /// One line for people: operation, operands, types.
  std::string text() const;
};

}  // namespace gossamer
