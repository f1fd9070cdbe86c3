// Layout of the tuples of a product by propagation blocking: row slices that are computed one after
// the other, bins of consecutive rows inside a slice, and how a row and a column become one key.
// Nothing here depends on the number of threads.
#pragma once

#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "kernels/spgemm/pb/radix_sort.hpp"
#include "plan/kernel.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

struct pb_settings {
  index_t bins = 0;         ///< bins per slice; 0: as many as make a bin and its sorting fit L2
  index_t local_bytes = 0;  ///< bytes of one thread-private bin; 0: pb_local_bytes
  index_t sockets = 1;      ///< least number of slices
  bool by_products = true;  ///< bins of about equal multiplications, else of equal rows
  bool flag_sort = false;   ///< American flag sort in place instead of the stable sort

  static constexpr std::string_view names = "bins,local_bytes,balance,sockets,sort";
  explicit pb_settings(std::string_view text);
};

/// The bins of one slice.
struct pb_slice {
  range rows;
  std::vector<index_t> first_row;  ///< bins + 1
  int row_bits = 0;                ///< bits of a row within its bin
  index_t products = 0, largest_bin = 0;
  index_t bins() const { return static_cast<index_t>(first_row.size()) - 1; }
};

struct pb_layout {
  std::vector<pb_slice> slices;
  int column_bits = 0;
  bool wide = false;  ///< 8-byte keys
  index_t largest_slice = 0, most_bins = 0, largest_bin = 0;
};

/// Tuples per local bin: a power of two, full cache lines of keys and of values.
index_t pb_local_tuples(const pb_settings&, index_t tuple_bytes);

/// Slices of at most `most_products` multiplications (or one row). products[i]: multiplications
/// before row i. Where `entries` is given (nonzeros of A before row i) it bounds the nonzeros of a
/// slice, too.
pb_layout lay_out_bins(const problem&, std::span<const index_t> products, const pb_settings&,
                       index_t most_products, index_view entries = {});

/// Upper bound on the bins of a slice with this many multiplications.
index_t pb_most_bins(const problem&, const pb_settings&, index_t products);

}  // namespace gossamer
