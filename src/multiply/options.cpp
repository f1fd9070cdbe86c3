#include "multiply/options.hpp"

#include "analysis/format_sizes.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/keep.hpp"

namespace gossamer::detail {

namespace {

void require_unscaled(const operands& o, semiring over) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        if (alpha_of<T>(o.a) != T{1} || alpha_of<T>(o.b) != T{1})
          throw fail(error_kind::bad_argument,
                     "{} is scaled, but a product over {} takes operands as they are; leave the "
                     "scale out, or scale the result",
                     alpha_of<T>(o.a) != T{1} ? "A" : "B", name(over));
      },
      o.a);
}

void require_mask(const context& where, const pattern& mask, extents result) {
  if (mask.shape != result)
    throw fail(error_kind::bad_argument,
               "the mask is {} and the result {}: a mask has the shape of the result",
               shape_text(mask.shape), shape_text(result));
  if (const auto wanted = where.memory()->where(); mask.where != wanted)
    throw fail(error_kind::bad_argument,
               "the mask ({}) lives in {} memory, but a {} context needs it in {} memory; take it "
               "of a matrix that was moved with copy_to",
               shape_text(mask.shape), name(mask.where), name(where.backend()), name(wanted));
  if (mask.offsets.size() != mask.shape.rows + 1 && !(mask.shape.rows == 0 && mask.nnz() == 0))
    throw fail(error_kind::bad_argument, "the mask ({}) has {} offsets, expected {}",
               shape_text(mask.shape), mask.offsets.size(), mask.shape.rows + 1);
  if ((mask.nnz() > 0 && mask.columns.data() == nullptr) ||
      (mask.shape.rows > 0 && mask.offsets.data() == nullptr))
    throw fail(error_kind::bad_argument, "the {} of the mask ({}) are a null pointer",
               mask.nnz() > 0 && mask.columns.data() == nullptr ? "columns" : "offsets",
               shape_text(mask.shape));
  if (mask.where == memory::host && mask.shape.rows > 0 &&
      mask.offsets[mask.shape.rows] != mask.nnz())
    throw fail(error_kind::bad_argument,
               "the offsets of the mask ({}) end at {}, but it has {} columns",
               shape_text(mask.shape), mask.offsets[mask.shape.rows], mask.nnz());
}

index_buffer copied(const context& where, index_view from) {
  index_buffer copy(from.size(), from.width(), where.memory());
  const auto size = static_cast<std::size_t>(from.size() * bytes(from.width()));
  if (copy.where() == memory::device)
    cuda::copy_bytes(where, copy.view().data(), from.data(), size, cuda::direction::on_device);
  else if (size > 0)
    std::memcpy(copy.view().data(), from.data(), size);
  return copy;
}

}  // namespace

void require_counts(const options& how) {
  if (how.expected_calls < 1)
    throw fail(error_kind::bad_argument,
               "expected_calls is {}; it says how often a plan will be used, 1 or more",
               how.expected_calls);
  if (how.threads < 0)
    throw fail(error_kind::bad_argument,
               "options ask for {} threads; give 1 or more, or 0 for those of the context",
               how.threads);
  if (how.memory_limit < 0)
    throw fail(error_kind::bad_argument,
               "the memory limit is {} bytes; give 1 or more, or 0 for no limit", how.memory_limit);
}

void require_dense_options(const options& how) {
  require_counts(how);
  const char* const asked = how.semiring != semiring::plus_times ? "a semiring"
                            : how.mask                           ? "a mask"
                            : how.keep != filter{}               ? "a filter"
                            : how.drop_zeros                     ? "drop_zeros"
                                                                 : nullptr;
  if (asked)
    throw fail(error_kind::bad_argument,
               "{} was asked for, but the result is dense; filters are for products of two sparse "
               "matrices, semirings and masks also for dense results without a plan",
               asked);
}

void require_real(const operand_facts& a, semiring over) {
  if (is_complex(a.values))
    throw fail(
        error_kind::bad_argument,
        "{} is complex, but a product over {} takes real values; complex ones are multiplied "
        "over plus_times",
        describe(a, "A"), name(over));
}

void require_predicted(const options& how, const char* what) {
  if (how.tune != tune::predict)
    throw fail(error_kind::bad_argument,
               "tune is measure, which is for plans with a dense result, but this is {}; leave it "
               "out",
               what);
}

void require_mask_of(const context& where, const options& how, extents result) {
  if (how.mask) require_mask(where, *how.mask, result);
}

void require_sparse_options(const context& where, const operands& o, const options& how) {
  require_counts(how);
  require_predicted(how, "a sparse product");
  if (how.semiring != semiring::plus_times) {
    require_real(facts(o.a), how.semiring);
    require_unscaled(o, how.semiring);
  }
  if (how.mask) require_mask(where, *how.mask, {facts(o.a).shape.rows, facts(o.b).shape.cols});
  require_valid(how.keep);
}

void require_structural_options(const options& how) {
  if (filter_of(how).keeps_all()) return;
  const char* const asked = how.drop_zeros ? "drop_zeros" : "keep";
  throw fail(error_kind::bad_argument,
             "{} was asked of multiply_compute, which knows the structure of the result but not "
             "its values; use multiply, or {}(context, result) after multiply_fill",
             asked, asked);
}

entry_filter filter_of(const options& how) { return {how.keep, how.drop_zeros}; }

options without_filters(options how) {
  how.keep = {};
  how.drop_zeros = false;
  return how;
}

namespace {

/// On a device; filters on the host need no more than their result.
template <class T>
void require_memory_to_filter(const context& where, const csr_matrix<T>& c, const options& how) {
  if (where.backend() != backend::cuda || how.memory_limit == 0) return;
  const index_t needed =
      analysis::csr_bytes(c.shape(), c.nnz(), value_type_of<T>) +
      cuda::keep_entries_bytes(c.shape(), c.nnz(), value_type_of<T>, filter_of(how));
  if (needed > how.memory_limit)
    throw fail(error_kind::memory_limit,
               "the product of {} has {} nonzeros, and to filter them may need {}, more than the "
               "limit of {}; the smallest limit that would do is {} bytes",
               shape_text(c.shape()), count_text(c.nnz()), bytes_text(needed),
               bytes_text(how.memory_limit), needed);
}

}  // namespace

csr_result filtered(const context& where, csr_result c, const options& how) {
  if (filter_of(how).keeps_all()) return c;
  return std::visit(
      [&](const auto& result) -> csr_result {
        require_memory_to_filter(where, result, how);
        return keep_entries(where, result.view(), filter_of(how));
      },
      c);
}

held_mask::held_mask(const context& where, const pattern& from)
    : offsets_(copied(where, from.offsets)),
      columns_(copied(where, from.columns)),
      shape_(from.shape),
      complemented_(from.complemented) {}

pattern held_mask::view() const {
  return {.shape = shape_,
          .offsets = offsets_.view(),
          .columns = columns_.view(),
          .where = offsets_.where(),
          .complemented = complemented_};
}

}  // namespace gossamer::detail
