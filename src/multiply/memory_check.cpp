#include "multiply/memory_check.hpp"

#include "analysis/format_sizes.hpp"
#include "base/text.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer::detail {

namespace {

[[noreturn]] void refuse(const problem& p, std::string_view size, index_t needed, index_t memory) {
  throw fail(error_kind::out_of_memory,
             "the product of A ({}) and B ({}) has {} and takes {}, more than the {} of memory "
             "that are here; a mask or a filter would keep less of it",
             shape_text(p.a.shape), shape_text(p.b.shape), size, bytes_text(needed),
             bytes_text(memory));
}

}  // namespace

void require_result_fits(const problem& p, const operands& o, const context& where,
                         index_t memory) {
  const auto bytes_of = [&](index_t nnz) { return analysis::csr_bytes(p.result, nnz, p.a.values); };
  const bool counted = p.options.memory_limit > 0;
  if (memory <= 0 || p.backend == backend::cuda || counted || p.options.mask ||
      p.options.keep != filter{} || bytes_of(p.spgemm.flop) <= memory)
    return;
  if (bytes_of(0) > memory)
    refuse(p, formatted("{} rows", count_text(p.result.rows)), bytes_of(0), memory);
  const auto expected = estimate(where, o.a, o.b, {});
  if (bytes_of(expected.nnz_low) > memory)
    refuse(p,
           formatted("{} {} nonzeros", expected.exact ? "exactly" : "at least",
                     count_text(expected.nnz_low)),
           bytes_of(expected.nnz_low), memory);
}

}  // namespace gossamer::detail
