// The rows of C = A B in the order of their work, and the groups that threads, warps and blocks
// take (Dalton, Bell, Olson 2015, section 3.1).
#pragma once

#include <algorithm>

#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

/// The most multiplications of a row that a thread, a warp or a block takes. Rows with more are
/// expanded in device memory.
struct group_limits {
  index_t thread, warp, block;
};

/// What the kernels of the groups can take.
inline constexpr group_limits most_of_groups{64, 1024, 12'288};

/// Launches of the groups: rows of a group whose limit is far above their work need less shared
/// memory and fewer registers, and ordered rows are divided without cost.
enum row_launch : int {
  no_work,
  thread_few,
  thread_many,
  warp_few,
  warp_many,
  block_few,
  block_many,
  row_launches
};

/// What launches with few multiplications take.
inline constexpr group_limits few_of_groups{32, 128, 6144};

/// The most multiplications of the rows of each launch; they never decrease.
constexpr std::array<index_t, row_launches> launch_limits(const group_limits& limits) {
  const auto few = [](index_t group, index_t below, index_t wanted) {
    return std::max(below, std::min(group, wanted));
  };
  return {0,
          few(limits.thread, 0, few_of_groups.thread),
          limits.thread,
          few(limits.warp, limits.thread, few_of_groups.warp),
          limits.warp,
          few(limits.block, limits.warp, few_of_groups.block),
          limits.block};
}

struct row_groups {
  group_limits limits{};
  /// Rows by ascending multiplications, in their own order where these are equal. Empty: every row
  /// is taken by a thread, in the order of the matrix.
  buffer<index_t> order;
  std::array<index_t, row_launches> ends{};  ///< rows in `order` up to the end of each launch
  index_t global_rows = 0;                   ///< the last rows in `order`
  index_t global_nonzeros = 0;               ///< of A in these rows
  index_t global_multiplications = 0;
  bool natural() const { return order.size() == 0; }
  index_t bytes() const { return order.size() * index_t{sizeof(index_t)}; }
};

/// Orders the rows by work.products, which becomes negative for those of the global group, and
/// takes the list of `work` for it. Waits.
row_groups order_rows(const context&, const product_structure&, row_work&, const group_limits&);

/// Device memory that ordering so many rows takes for a while.
index_t ordering_bytes(index_t rows);

}  // namespace gossamer::device
