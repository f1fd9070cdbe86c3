// Rows of a CSR matrix on a device, sorted out by length: short ones stay where they are, long ones
// are listed, and the longest are cut into pieces that blocks share. One launch can then take all
// of them, each with as many threads as suits it.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/shared/device_sums.cuh"

namespace gossamer::device {

inline constexpr int row_threads = 256;  ///< of a block, in every class
inline constexpr int group_threads = 8;
inline constexpr int piece_in_flight = 8;  ///< entries a thread
/// What a block takes of a row in one step.
inline constexpr index_t block_step = piece_in_flight * row_threads;

/// Up to how many entries a row is short, one for a group of threads, one for a warp, and what a
/// block gets of longer ones.
struct row_limits {
  index_t of_short = 0, for_a_group = 32, for_a_warp = 1024, piece = 2 * block_step;
};

/// Part of a row that is shared by `parts` blocks; `slot` is the first of its partial sums.
struct row_piece {
  index_t row = 0, first = 0, last = 0;
  std::int32_t slot = 0, parts = 1;
};

/// The rows that are not short. Their order changes nothing but the order of work: no sum depends
/// on it.
struct long_rows {
  index_t cutoff = 0;                     ///< entries of a short row, at most
  index_t for_groups = 0, for_warps = 0;  ///< rows for a group and for a warp each
  index_t pieces = 0;                     ///< blocks for the longest rows
  index_t short_rows = 0, short_entries = 0;
  buffer<index_t> list;  ///< rows for warps, then those for groups
  buffer<row_piece> piece;
  buffer<double> partials;        ///< of pieces; wide enough for any value
  buffer<std::uint32_t> arrived;  ///< by slot of a row's first piece; 0 between runs

  index_t bytes() const {
    return list.size() * index_t{sizeof(index_t)} +
           pieces * index_t{sizeof(row_piece) + sizeof(double) + sizeof(std::uint32_t)};
  }
};

/// Looks at every row once and waits for the answer. While the stream is captured, when nobody may
/// wait, no row counts as long: slower on skewed rows, and right.
long_rows find_long_rows(const context&, index_view offsets, const row_limits&);

/// What kernels see of long_rows.
template <class T>
struct long_row_tables {
  const index_t* list;
  const row_piece* piece;
  T* partials;
  std::uint32_t* arrived;
  index_t for_groups, for_warps, pieces;

  explicit long_row_tables(const long_rows& rows)
      : list(rows.list.data()),
        piece(rows.piece.data()),
        // The sums of a run are workspace of the plan: its runs follow one another on one stream.
        partials(reinterpret_cast<T*>(const_cast<double*>(rows.partials.data()))),
        arrived(const_cast<std::uint32_t*>(rows.arrived.data())),
        for_groups(rows.for_groups),
        for_warps(rows.for_warps),
        pieces(rows.pieces) {}
  /// With so many threads a row.
  static constexpr index_t blocks_for(index_t rows, int threads) {
    return (rows * threads + row_threads - 1) / row_threads;
  }
  /// Blocks for pieces and listed rows; those for short rows come behind.
  constexpr index_t blocks() const {
    return pieces + blocks_for(for_warps, warp_size) + blocks_for(for_groups, group_threads);
  }
};

/// A block's piece of a row. The block that comes last adds the partial sums up, always in the same
/// order.
template <class A, class T>
__device__ void multiply_piece(const A& a, const vector_call<T>& v, const long_row_tables<T>& rows,
                               index_t block) {
  __shared__ T room[row_threads / warp_size];
  __shared__ bool last;
  const row_piece mine = rows.piece[block];
  const T sum =
      block_sum<row_threads>(strided_dot<row_threads, piece_in_flight>(
                                 a.values, a.columns, mine.first + threadIdx.x, mine.last, v.x),
                             room);
  if (threadIdx.x == 0) {
    last = false;
    if (mine.parts == 1) {
      v.store(mine.row, sum);
    } else {
      rows.partials[block] = sum;
      __threadfence();
      last = atomicAdd(rows.arrived + mine.slot, 1U) + 1 == static_cast<unsigned>(mine.parts);
    }
  }
  __syncthreads();
  if (!last || threadIdx.x >= warp_size) return;
  __threadfence();
  T total = 0;
  for (int k = static_cast<int>(threadIdx.x); k < mine.parts; k += warp_size)
    total += __ldcg(rows.partials + mine.slot + k);
  total = group_sum<warp_size>(total);
  if (threadIdx.x != 0) return;
  v.store(mine.row, total);
  rows.arrived[mine.slot] = 0;  // for the next run
}

/// A listed row by each group of Width threads of the block.
template <int Width, class A, class T>
__device__ void multiply_listed(const A& a, const vector_call<T>& v, const index_t* list,
                                index_t count, index_t block) {
  const index_t at = (block * row_threads + threadIdx.x) / Width;
  const int lane = static_cast<int>(threadIdx.x) % Width;
  index_t row = 0;
  T sum = 0;
  if (at < count) {
    row = list[at];
    sum = strided_dot<Width, 4>(a.values, a.columns, static_cast<index_t>(a.offsets[row]) + lane,
                                static_cast<index_t>(a.offsets[row + 1]), v.x);
  }
  sum = group_sum<Width>(sum);
  if (at < count && lane == 0) v.store(row, sum);
}

/// True when the block is one for long rows, which is then done; else `block` counts those behind.
template <class A, class T>
__device__ bool take_long_rows(const A& a, const vector_call<T>& v, const long_row_tables<T>& rows,
                               index_t& block) {
  if (block < rows.pieces) {
    multiply_piece(a, v, rows, block);
    return true;
  }
  block -= rows.pieces;
  const index_t by_warps = rows.blocks_for(rows.for_warps, warp_size);
  if (block < by_warps) {
    multiply_listed<warp_size>(a, v, rows.list, rows.for_warps, block);
    return true;
  }
  block -= by_warps;
  const index_t by_groups = rows.blocks_for(rows.for_groups, group_threads);
  if (block < by_groups) {
    multiply_listed<group_threads>(a, v, rows.list + rows.for_warps, rows.for_groups, block);
    return true;
  }
  block -= by_groups;
  return false;
}

}  // namespace gossamer::device
