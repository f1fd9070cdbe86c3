// The launch of spmm/csr/groups/cuda: by the shape of groups and the width of column indices.
#pragma once

#include "kernels/spmm/cuda/group_pieces.cuh"
#include "kernels/spmm/cuda/group_shapes.hpp"
#include "kernels/spmm/cuda/groups.cuh"

namespace gossamer::device {

/// Blocks of a launch: pieces of long rows first, then tiles of rows; tiles of columns of the same
/// rows are neighbours, so that they find A in L2.
struct group_grid {
  int rows_each;  ///< rows per group
  index_t column_tiles;
};

template <class G, class T, class I>
__global__ void __launch_bounds__(group_block, G::blocks)
    by_groups(csr_stream<T, I> a, dense_rows<T> d, group_grid grid, piece_tables<T> longer) {
  index_t block = blockIdx.x;
  const index_t of_pieces = longer.pieces * grid.column_tiles;
  if (block < of_pieces) {
    const index_t tile = block / longer.pieces;
    return take_piece<G>(a, d, longer, block - tile * longer.pieces, tile);
  }
  block -= of_pieces;
  index_t tile = 0;
  if (grid.column_tiles > 1) {  // 32 bits: a division of 64 is a loop
    const auto count = static_cast<unsigned>(grid.column_tiles), at = static_cast<unsigned>(block);
    block = at / count;
    tile = at - static_cast<unsigned>(block) * count;
  }
  const int lane = static_cast<int>(threadIdx.x) % G::lanes;
  const index_t group = block * G::groups + threadIdx.x / G::lanes;
  const lane_columns<T, G> b(d, tile, lane % G::L);
  const auto is_long = [&](index_t row) {
    return longer.pieces != 0 && a.offsets[row + 1] - a.offsets[row] > longer.cutoff;
  };
  if constexpr (G::S > 1) {
    shared_row<G>(a, d, b, group < a.rows && !is_long(group) ? group : index_t{-1}, tile, lane);
  } else if constexpr (G::one_row) {
    if (group < a.rows && !is_long(group)) one_row<G>(a, d, b, group, tile, lane);
  } else {
    const index_t stop = min((group + 1) * grid.rows_each, a.rows);
    for (index_t row = group * grid.rows_each; row < stop; ++row) {
      index_t to = stop;
      if (longer.pieces != 0)
        for (to = row; to < stop && !is_long(to);) ++to;
      if (to > row) stream_rows<G>(a, d, b, row, to, tile, lane);
      row = to;
    }
  }
}

template <class G, class T, class I>
void launch_groups(const csr_stream<T, I>& a, dense_rows<T> d, int rows_each,
                   const piece_tables<T>& longer, const context& where) {
  if (G::one_row || G::S > 1) rows_each = 1;
  const index_t in_block = index_t{G::groups} * rows_each;
  const index_t each = (a.rows + in_block - 1) / in_block + longer.pieces;
  const index_t tiles = (d.columns + G::columns - 1) / G::columns;
  const index_t at_once = std::clamp<index_t>(0x7fffffff / each, 1, tiles);
  for (index_t first = 0; first < tiles; first += at_once) {
    const index_t count = std::min(at_once, tiles - first);
    by_groups<G><<<static_cast<unsigned>(each * count), group_block, 0, cuda::stream_of(where)>>>(
        a, d, group_grid{rows_each, count}, longer);
    d.b += count * G::columns;
    d.c += count * G::columns;
    d.columns -= count * G::columns;
  }
}

/// launch.operator()<group_of<...>>() of the numbers in `shape`, which is one of shape_for that
/// takes one row per group. The numbers of blocks are those of shape_for.
template <class T, class F>
void with_one_row(const group_shape& shape, F&& launch) {
  constexpr bool single = sizeof(T) == 4;
  constexpr int W = 16 / sizeof(T), many = single ? 6 : 5, few = single ? 4 : 3;
  const auto go = [&]<int Pack, int L, int V, int Blocks>() {
    launch.template operator()<group_of<Pack, L, V, 1, Blocks, reading::one_row, false>>();
  };
  if (shape.pack == 1) return go.template operator()<1, 4, 1, 5>();
  switch (shape.lanes * shape.packs) {
    case 2: return go.template operator()<W, 2, 1, many>();
    case 4: return go.template operator()<W, 4, 1, many>();
    case 8: return go.template operator()<W, 8, 1, many>();
    case 16: return go.template operator()<W, 16, 1, many>();
    case 32:
      if constexpr (single)
        if (shape.packs == 2) return go.template operator()<W, 16, 2, 4>();
      return go.template operator()<W, 32, 1, many>();
    default: return go.template operator()<W, 32, 2, few>();
  }
}

/// The same for all shapes of shape_for.
template <class T, bool Wide, class F>
void with_shape(const group_shape& shape, F&& launch) {
  constexpr bool single = sizeof(T) == 4;
  constexpr int W = 16 / sizeof(T);
  constexpr int most = single ? 4 : 3, half = single ? 4 : 2;  // blocks per multiprocessor
  // Some shapes have no registers left to read A ahead.
  constexpr auto ahead = reading::stream_ahead, plain = reading::stream;
  constexpr auto of_packs = single ? ahead : plain, of_elements = single ? plain : ahead;
  const auto go = [&]<int Pack, int L, int V = 1, int Blocks = 4, int S = 1, auto How = ahead>() {
    launch.template operator()<group_of<Pack, L, V, S, Blocks, How, Wide>>();
  };
  if constexpr (!Wide)
    if (shape.one_row) return with_one_row<T>(shape, launch);
  if (shape.pack == 1) switch (shape.lanes) {
      case 4: return go.template operator()<1, 4>();
      case 8: return go.template operator()<1, 8, 2>();
      case 16: return go.template operator()<1, 16, 3, most>();
      default: return go.template operator()<1, 32, 4, half, 1, of_elements>();
    }
  if constexpr (!Wide) {
    if (single && shape.pack == 2)
      return shape.along > 1 ? go.template operator()<2, 1, 1, 4, 4>()
                             : go.template operator()<2, 1>();
    switch (shape.lanes) {
      case 1:
        return shape.along > 1 ? go.template operator()<W, 1, 1, 4, 4>()
                               : go.template operator()<W, 1>();
      case 2: return go.template operator()<W, 2>();
      case 4: return go.template operator()<W, 4>();
      case 8: return go.template operator()<W, 8>();
      case 16:
        return shape.packs == 1 ? go.template operator()<W, 16>()
                                : go.template operator()<W, 16, 2, 3, 1, of_packs>();
      default: return go.template operator()<W, 32, 2, 3, 1, of_packs>();
    }
  }
}

template <class T>
void multiply_groups(const csr_view<const T>& view, const dense_call<T>& call,
                     const group_tables& tables, piece_sums& sums, const context& where) {
  const dense_rows<T> d(call);
  const auto& rows = tables.longer;
  const piece_tables<T> longer{rows.piece.data(), rows.pieces, rows.cutoff,
                               reinterpret_cast<T*>(sums.partials.data()), sums.arrived.data()};
  const double mean =
      static_cast<double>(view.nnz()) / static_cast<double>(std::max<index_t>(view.shape.rows, 1));
  with_column_type(view, [&]<class E, class I>(const csr_columns_ref<E, I>& a) {
    const auto addresses =
        reinterpret_cast<std::uintptr_t>(a.columns) | reinterpret_cast<std::uintptr_t>(a.values);
    const csr_stream<T, I> stream{a.rows,    view.nnz(), a.offsets,
                                  a.columns, a.values,   addresses % 16 == 0};
    const bool wide = sizeof(I) == 8 || is_wide(view.nnz(), d);
    const auto shape = shape_for({.columns = d.columns,
                                  .value_bytes = sizeof(T),
                                  .alignment = alignment_of(d),
                                  .wide = wide,
                                  .mean_row = mean,
                                  .even = tables.even});
    const auto launch = [&]<class G>() {
      launch_groups<G>(stream, d, tables.rows_each, longer, where);
    };
    if constexpr (sizeof(I) == 4)
      if (!wide) return with_shape<T, false>(shape, launch);
    with_shape<T, true>(shape, launch);
  });
}

}  // namespace gossamer::device
