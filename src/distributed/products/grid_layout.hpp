// Who is where on a grid of ranks, and which part of a product each rank has. Arithmetic alone: the
// products and the model of their traffic share it.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {

/// Ranks in rows of the grid, contiguous ones in a row; those of a row are dealt to its layers in
/// turn. Rows of A and C belong to the grid row of the rank that has them. The inner dimension is
/// divided among layers: layer l has the rows of B of the ranks in layer l. Columns of B and C are
/// divided by count among grid columns.
class grid_layout {
 public:
  grid_layout(const process_grid& grid, const partition& inner, index_t columns)
      : grid_(grid),
        ranks_(inner.ranks()),
        inner_(inner),
        columns_(partition::by_count(columns, grid.columns)),
        first_inner_(static_cast<std::size_t>(inner.ranks()), 0),
        inner_sizes_(static_cast<std::size_t>(grid.layers), 0) {
    for (int r = 0; r < ranks_; ++r) {
      auto& size = inner_sizes_[static_cast<std::size_t>(layer_of(r))];
      first_inner_[static_cast<std::size_t>(r)] = size;
      size += inner.count(r);
    }
  }

  const process_grid& grid() const noexcept { return grid_; }
  /// Ranks [first(row), last(row)) are in a row of the grid.
  int first(int row) const { return static_cast<int>(part_of(ranks_, row, grid_.rows).begin); }
  int last(int row) const { return static_cast<int>(part_of(ranks_, row, grid_.rows).end); }
  int row_of(int rank) const {
    const int size = ranks_ / grid_.rows, rest = ranks_ % grid_.rows;
    const int in_long_rows = rest * (size + 1);
    return rank < in_long_rows ? rank / (size + 1) : rest + (rank - in_long_rows) / size;
  }
  int layer_of(int rank) const { return (rank - first(row_of(rank))) % grid_.layers; }
  /// The grid column of a rank, or -1 for one that only keeps its rows.
  int column_of(int rank) const {
    const int column = (rank - first(row_of(rank))) / grid_.layers;
    return column < grid_.columns ? column : -1;
  }
  int rank_at(int row, int column, int layer) const {
    return first(row) + column * grid_.layers + layer;
  }

  /// Blocks of columns of B and C.
  const partition& columns() const noexcept { return columns_; }
  /// Size of the inner dimension in a layer, and the place there of the first row of B of a rank.
  index_t inner_size(int layer) const { return inner_sizes_[static_cast<std::size_t>(layer)]; }
  index_t first_inner(int rank) const { return first_inner_[static_cast<std::size_t>(rank)]; }
  /// Indices that travel are 32 bit wherever all blocks are that small.
  index_width width() const {
    index_t largest = columns_.count(0);
    for (const index_t size : inner_sizes_) largest = std::max(largest, size);
    return narrowest(largest);
  }

 private:
  process_grid grid_;
  int ranks_;
  partition inner_, columns_;
  std::vector<index_t> first_inner_, inner_sizes_;
};

}  // namespace gossamer::mpi
