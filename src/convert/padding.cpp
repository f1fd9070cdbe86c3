#include "convert/padding.hpp"

#include <cmath>

#include "base/text.hpp"

namespace gossamer {

index_t saturating_product(index_t a, index_t b) {
  index_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<index_t>::max() : result;
}

padded_size ell_size(extents shape, index_t nnz, index_t width, index_t stride, value_type values) {
  return {.format = "ELL",
          .shape = shape,
          .nnz = nnz,
          .longest_row = width,
          .places = saturating_product(width, stride),
          .values = values,
          .way_out = "use HYB or SELL-P instead, or "};
}

padded_size sellp_size(extents shape, index_t nnz, index_t longest_row, index_t height,
                       index_t slice, value_type values) {
  return {.format = "SELL-P",
          .shape = shape,
          .nnz = nnz,
          .longest_row = longest_row,
          .places = saturating_product(height, slice),
          .values = values,
          .way_out = "use HYB, smaller slices or a sort window instead, or "};
}

padded_size hyb_size(extents shape, index_t nnz, index_t longest_row, index_t width,
                     value_type values) {
  return {.format = "HYB",
          .shape = shape,
          .nnz = nnz,
          .longest_row = longest_row,
          .places = saturating_product(width, shape.rows),
          .values = values,
          .way_out = "use the minimal_storage strategy instead, or "};
}

padded_size dense_size(extents shape, index_t nnz, index_t longest_row, value_type values) {
  return {.format = "dense",
          .shape = shape,
          .nnz = nnz,
          .longest_row = longest_row,
          .places = saturating_product(shape.rows, shape.cols),
          .values = values,
          .way_out = ""};
}

void require_factor(std::string_view what, index_t value) {
  constexpr index_t largest = 1 << 30;
  if (value < 1 || value > largest)
    throw fail(error_kind::bad_argument, "{} is {}; it must be from 1 to {}", what, value,
               count_text(largest));
}

void require_sellp_factors(const convert_options& how) {
  require_factor("the slice of SELL-P", how.slice);
  require_factor("the stride factor of SELL-P", how.stride_factor);
  require_factor("the sort window of SELL-P", how.sort_window);
}

void require_reasonable(const padded_size& wanted, double limit) {
  if (std::isnan(limit) || limit < 0)
    throw fail(error_kind::bad_argument,
               "padding_limit is {}; it says how many times the bytes of CSR a padded format may "
               "take: a number above 0, or 0 for no limit",
               limit);
  if (limit == 0) return;
  constexpr double always_granted = 64 * 1024 * 1024;
  const auto w = narrowest(wanted.shape, wanted.nnz);
  const bool has_columns = wanted.format != "dense";
  const index_t place = bytes(wanted.values) + (has_columns ? bytes(w.indices) : 0);
  const index_t needed = saturating_product(wanted.places, place);
  const index_t csr = (wanted.shape.rows + 1) * bytes(w.offsets) +
                      wanted.nnz * (bytes(wanted.values) + bytes(w.indices));
  if (static_cast<double>(needed) <= limit * static_cast<double>(csr) + always_granted) return;
  throw fail(error_kind::memory_limit,
             "the {} matrix with {} entries would take {} in the {} format against {} in CSR "
             "({} rows, the longest with {} entries), more than {} times as much; {}raise "
             "padding_limit (0 removes it) if this is meant",
             shape_text(wanted.shape), count_text(wanted.nnz), bytes_text(needed), wanted.format,
             bytes_text(csr), count_text(wanted.shape.rows), count_text(wanted.longest_row), limit,
             wanted.way_out);
}

}  // namespace gossamer
