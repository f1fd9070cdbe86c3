// How a memory limit is honoured. Before a kernel is chosen the nonzeros of C are counted, in
// memory that stays below the limit itself; then every kernel can predict its memory to the byte,
// and the choice is among kernels that fit. The counts are passed on: no kernel counts again.
#pragma once

#include <algorithm>

#include "kernels/spgemm/operands/row_access.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

struct counted_rows {
  std::shared_ptr<const row_index> a, b;  // of CSC operands
  buffer<index_t> offsets;                // rows + 1: nonzeros of C before each row
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} + (a ? a->bytes() : 0) + (b ? b->bytes() : 0);
  }
};

inline int team_for_products(index_t products, int threads) {
  return static_cast<int>(std::clamp<index_t>(products / costs::thread_products, 1, threads));
}

/// A number of threads, and the memory they need.
struct team_size {
  int threads = 1;
  index_t bytes = 0;
};

/// For kernels that need `each` bytes per thread: under a limit no more threads than fit.
team_size team_within(const problem&, index_t each);

/// Memory of a product by so many threads, `each` bytes of their own; saturates.
index_t bytes_of_team(const problem&, int team, index_t each);

}  // namespace gossamer
