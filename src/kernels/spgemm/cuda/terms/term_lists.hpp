// The multiplications behind every nonzero of C = A B, worked out once for a plan that will run
// often. Each nonzero of C is a sum of terms a[i] * b[j]; with i and j listed, new values need no
// sorting, no searching and no structure: a pass over the list.
#pragma once

#include <cstdint>

#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

/// A multiplication: which nonzero of A, which of B.
struct product_term {
  std::uint32_t a, b;
};

struct term_lists {
  buffer<product_term> terms;    ///< by nonzero of C, in the order of the multiplications
  buffer<std::uint32_t> starts;  ///< nonzeros of C + 1: its first term
  buffer<std::int32_t> columns;  ///< of C
  bool listed() const { return terms.size() > 0; }
  index_t bytes() const {
    return terms.size() * index_t{sizeof(product_term)} +
           (starts.size() + columns.size()) * index_t{sizeof(std::int32_t)};
  }
};

/// Device memory while terms are listed, what is kept included.
index_t term_listing_bytes(index_t products, index_t nnz);

/// Terms and nonzeros are numbered in 32 bits, and so are both operands' nonzeros.
bool can_list_terms(const product_structure&, index_t products, index_t nnz);

/// Lists the terms of C, whose rows begin at `offsets` and have these columns, in ascending order.
/// Waits.
term_lists list_terms(const context&, const product_structure&, const buffer<index_t>& offsets,
                      buffer<std::int32_t> columns);

}  // namespace gossamer::device
