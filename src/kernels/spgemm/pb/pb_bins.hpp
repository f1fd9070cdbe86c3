// Where the tuples of a product by propagation blocking go: row slices that are worked off one
// after the other, bins of consecutive rows inside a slice, and how a row and a column become one
// key. Nothing here depends on the number of threads.
#pragma once

#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "kernels/spgemm/pb/radix_sort.hpp"
#include "plan/kernel.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

struct pb_settings {
  index_t bins = 0;         ///< in a slice; 0: so that a bin and its sorting fit in L2
  index_t local_bytes = 0;  ///< of one thread-private bin; 0: pb_local_bytes
  index_t sockets = 1;      ///< slices at least
  bool by_products = true;  ///< bins of about equal products, else of equal rows
  bool flag_sort = false;   ///< American flag sort in place instead of the stable one

  static constexpr std::string_view names = "bins,local_bytes,balance,sockets,sort";
  explicit pb_settings(std::string_view text);
};

/// The bins of one slice.
struct pb_slice {
  range rows;
  std::vector<index_t> first_row;  ///< bins + 1
  int row_bits = 0;                ///< of a row within its bin
  index_t products = 0, largest_bin = 0;
  index_t bins() const { return static_cast<index_t>(first_row.size()) - 1; }
};

struct pb_layout {
  std::vector<pb_slice> slices;
  int column_bits = 0;
  bool wide = false;  ///< 8-byte keys
  index_t largest_slice = 0, most_bins = 0, largest_bin = 0;
};

/// Tuples of a local bin: a power of two, full cache lines of keys and of values.
index_t pb_local_tuples(const pb_settings&, index_t tuple_bytes);

/// Slices of at most `most_products` products (or one row). products[i]: those before row i. Where
/// `entries` is given (of A, before row i) a slice has no more of them than that either.
pb_layout lay_out_bins(const problem&, std::span<const index_t> products, const pb_settings&,
                       index_t most_products, index_view entries = {});

/// No slice of so many products gets more bins.
index_t pb_most_bins(const problem&, const pb_settings&, index_t products);

}  // namespace gossamer
