// Formats that also store padding or zeros (ELL, SELL-P, HYB, dense) can outgrow any memory. These
// functions are called before anything is allocated and refuse what nobody can have meant.
#pragma once

#include <string_view>

#include "gossamer/convert.hpp"

namespace gossamer {

/// The size of a conversion's result, for the check and its message.
struct padded_size {
  std::string_view format;  ///< as written in a message: "ELL"
  extents shape;
  index_t nnz = 0;
  index_t longest_row = 0;
  index_t places = 0;  ///< from saturating products
  value_type values = value_type::f64;
  std::string_view way_out;  ///< what to use instead: a clause that ends in "or "; may be empty
};

padded_size ell_size(extents shape, index_t nnz, index_t width, index_t stride, value_type values);
padded_size sellp_size(extents shape, index_t nnz, index_t longest_row, index_t height,
                       index_t slice, value_type values);
padded_size hyb_size(extents shape, index_t nnz, index_t longest_row, index_t width,
                     value_type values);
padded_size dense_size(extents shape, index_t nnz, index_t longest_row, value_type values);

/// Throws error(bad_argument) unless a factor is 1 or more, and small enough for rounding up not to
/// overflow 64 bits.
void require_factor(std::string_view what, index_t value);
void require_sellp_factors(const convert_options& how);

/// a * b, or the largest index_t when that does not fit.
index_t saturating_product(index_t a, index_t b);

/// Throws error(memory_limit) when the positions take more than `limit` times the bytes of CSR plus
/// 64 MiB. A limit of 0 allows everything that fits 64 bits.
void require_reasonable(const padded_size& wanted, double limit);

}  // namespace gossamer
