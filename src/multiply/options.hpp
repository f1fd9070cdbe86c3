// What a sparse product may be asked for beyond its operands: checked here, and done here where no
// kernel does it.
#pragma once

#include "gossamer/multiply.hpp"
#include "plan/kernel.hpp"

namespace gossamer::detail {

/// Throws unless the numbers among the options make sense for any product.
void require_counts(const options& how);
/// Dense products know nothing of semirings, masks and filters.
void require_dense_options(const options& how);
/// Throws if A is complex: all semirings but plus_times are for real values.
void require_real(const operand_facts& a, semiring over);
/// Throws if the options ask to measure kernels; `what` cannot.
void require_predicted(const options& how, const char* what);
/// Throws what is wrong with the mask for a result of this shape.
void require_mask_of(const context& where, const options& how, extents result);
/// Throws what is wrong with semiring, mask and filters for these operands.
void require_sparse_options(const context& where, const operands& o, const options& how);
/// multiply_compute knows structures, not values.
void require_structural_options(const options& how);

entry_filter filter_of(const options& how);
options without_filters(options how);
/// The result without what the options drop.
csr_result filtered(const context& where, csr_result c, const options& how);

/// A mask with arrays of its own, for plans.
class held_mask {
 public:
  /// Copies the arrays of `from`, which are in the memory of the context.
  held_mask(const context& where, const pattern& from);
  pattern view() const;

 private:
  index_buffer offsets_, columns_;
  extents shape_;
  bool complemented_ = false;
};

}  // namespace gossamer::detail
