// What spmm/csr/groups/cuda prepares and launches; the launch is compiled once per value type.
#pragma once

#include "kernels/common/cuda/row_classes.cuh"
#include "kernels/spmm/operands/dense_arguments.hpp"

namespace gossamer::device {

struct group_tables {
  int rows_each = 1;  ///< consecutive rows of a group
  bool even = false;  ///< no row is much longer than the mean
  long_rows longer;   ///< all of them in pieces
};

/// Sums of pieces that share a row, and how many of them are done for each tile of columns: the
/// workspace of a plan, whose runs are ordered on one stream. The counters are 0 between two runs.
struct piece_sums {
  buffer<double> partials;  ///< [piece][column] of any value type
  buffer<unsigned> arrived;
  index_t bytes() const {
    return partials.size() * index_t{sizeof(double)} + arrived.size() * index_t{sizeof(unsigned)};
  }
};

/// Tiles of columns that any shape has at most.
constexpr index_t most_tiles(index_t columns) { return (columns + 127) / 128; }

/// C = alpha A B + beta C on the context's stream; B and C are row-major, A and C not empty.
template <class T>
void multiply_groups(const csr_view<const T>& a, const dense_call<T>& d, const group_tables& tables,
                     piece_sums& sums, const context& where);

}  // namespace gossamer::device
