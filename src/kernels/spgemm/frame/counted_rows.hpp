// How a memory limit is kept. Before a kernel is chosen the nonzeros of C are counted
// (kernels/count_result.hpp), in memory that stays below the limit itself; then every kernel can
// say to the byte what it will hold, and the choice is between kernels that fit. The counts are
// handed on: no kernel counts again.
#pragma once

#include <algorithm>

#include "kernels/spgemm/operands/row_access.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

struct counted_rows {
  std::shared_ptr<const row_index> a, b;  // of CSC operands
  buffer<index_t> offsets;                // rows + 1: entries of C before each row
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} + (a ? a->bytes() : 0) + (b ? b->bytes() : 0);
  }
};

/// Below this many products a second member costs more than it gives.
inline constexpr index_t products_per_member = 20'000;

inline int team_for_products(index_t products, int threads) {
  return static_cast<int>(std::clamp<index_t>(products / products_per_member, 1, threads));
}

/// A team, and all that is held while it works.
struct team_size {
  int members = 1;
  index_t bytes = 0;
};

/// For kernels whose members hold `each` bytes apiece: under a limit no more members than fit.
team_size team_within(const problem&, index_t each);

}  // namespace gossamer
