// C = alpha A B + Z, all sparse: the product, then the sum of two sparse matrices, then the
// filters.
#include "analysis/format_sizes.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/keep.hpp"
#include "multiply/checks.hpp"
#include "multiply/options.hpp"
#include "multiply/sparse_steps.hpp"

namespace gossamer::detail {

namespace {

/// Of the sum and, on a device, of what it takes to add.
index_t bytes_to_add(const context& where, extents result, index_t product_nnz,
                     const operand_facts& z) {
  if (where.backend() == backend::cuda)
    return cuda::add_rows_bytes(result, product_nnz, z.nnz, z.values);
  return analysis::csr_bytes(result, product_nnz + z.nnz, z.values);
}

}  // namespace

csr_result multiply_added(const context& where, const operand& a, const operand& b,
                          const operand& z, const options& how, explanation* why) try {
  const auto fa = facts(a), fb = facts(b), fz = facts(z);
  if (how.semiring != semiring::plus_times)
    throw fail(error_kind::bad_argument,
               "a product over {} takes nothing to add; multiply without the addend",
               name(how.semiring));
  require_same_type(fa, fz, "the addend");
  require_where(where, fz, "the addend");
  require_valid(how.keep);
  const extents result{fa.shape.rows, fb.shape.cols};
  if (fz.format == format::dense || fz.shape != result)
    throw fail(error_kind::bad_argument,
               "{} is added to a sparse result of {}; it must be sparse and of the same shape",
               describe(fz, "the addend"), shape_text(result));
  const csr_result c = multiply_sparse(where, a, b, without_filters(how), why);
  return std::visit(
      [&]<class T>(const csr_matrix<T>& product) -> csr_result {
        const index_t held = analysis::csr_bytes(result, product.nnz(), fa.values);
        const index_t needed = held + bytes_to_add(where, result, product.nnz(), fz);
        if (how.memory_limit > 0 && needed > how.memory_limit)
          throw fail(error_kind::memory_limit,
                     "the product has {} entries and the addend {}: adding them may need {}, more "
                     "than the limit of {}; raise the limit to {} bytes",
                     count_text(product.nnz()), count_text(fz.nnz), bytes_text(needed),
                     bytes_text(how.memory_limit), needed);
        const context here = within_limit(where.with_threads(how.threads),
                                          how.memory_limit > 0 ? how.memory_limit - held : 0);
        return filtered(here, add(here, product, std::get<expression<T>>(z)), how);
      },
      c);
} catch (const std::bad_alloc&) {
  refuse_memory("a sparse product");
}

}  // namespace gossamer::detail
