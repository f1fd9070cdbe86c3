// Rows of a CSR matrix on a device, sorted out by length: short ones stay where they are, long ones
// are listed, and the longest are cut into pieces that blocks share. One launch can then take all
// of them, each with as many threads as suits it.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/shared/device_sums.cuh"

namespace gossamer::device {

inline constexpr index_t piece_entries = 4096;  ///< of one block's share of a row
inline constexpr index_t longest_for_a_warp = 1024;
inline constexpr int row_threads = 256;  ///< of a block, in every class

/// Part of a row that is shared by `parts` blocks; `slot` is the first of its partial sums.
struct row_piece {
  index_t row = 0, first = 0, last = 0;
  std::int32_t slot = 0, parts = 1;
};

/// The rows longer than `cutoff`. Their order changes nothing but the order of work: no sum depends
/// on it.
struct long_rows {
  index_t cutoff = 0;
  index_t listed = 0, pieces = 0;  ///< rows for a warp each; blocks for the longest rows
  index_t short_rows = 0, short_entries = 0;
  buffer<index_t> list;
  buffer<row_piece> piece;
  buffer<double> partials;        ///< of pieces; wide enough for any value
  buffer<std::uint32_t> arrived;  ///< by slot of a row's first piece; 0 between runs

  index_t bytes() const {
    return listed * index_t{sizeof(index_t)} +
           pieces * index_t{sizeof(row_piece) + sizeof(double) + sizeof(std::uint32_t)};
  }
};

/// Looks at every row once and waits for the answer. While the stream is captured, when nobody may
/// wait, no row counts as long: slower on skewed rows, and right.
long_rows find_long_rows(const context&, index_view offsets, index_t cutoff);

/// What kernels see of long_rows.
template <class T>
struct long_row_tables {
  const index_t* list;
  const row_piece* piece;
  T* partials;
  std::uint32_t* arrived;
  index_t listed, pieces;

  explicit long_row_tables(const long_rows& rows)
      : list(rows.list.data()),
        piece(rows.piece.data()),
        // The sums of a run are workspace of the plan: its runs follow one another on one stream.
        partials(reinterpret_cast<T*>(const_cast<double*>(rows.partials.data()))),
        arrived(const_cast<std::uint32_t*>(rows.arrived.data())),
        listed(rows.listed),
        pieces(rows.pieces) {}
  /// Blocks for pieces and listed rows; those for short rows come behind.
  constexpr index_t blocks() const {
    constexpr index_t warps = row_threads / warp_size;
    return pieces + (listed + warps - 1) / warps;
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
  const T sum = block_sum<row_threads>(
      strided_dot<row_threads, 8>(a.values, a.columns, mine.first + threadIdx.x, mine.last, v.x),
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

/// A listed row by each warp of the block.
template <class A, class T>
__device__ void multiply_listed(const A& a, const vector_call<T>& v, const long_row_tables<T>& rows,
                                index_t block) {
  const index_t at = (block * row_threads + threadIdx.x) / warp_size;
  if (at >= rows.listed) return;
  const index_t row = rows.list[at];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const T sum = group_sum<warp_size>(
      strided_dot<warp_size, 4>(a.values, a.columns, static_cast<index_t>(a.offsets[row]) + lane,
                                static_cast<index_t>(a.offsets[row + 1]), v.x));
  if (lane == 0) v.store(row, sum);
}

/// True when the block is one for long rows, which is then done; else `block` counts those behind.
template <class A, class T>
__device__ bool take_long_rows(const A& a, const vector_call<T>& v, const long_row_tables<T>& rows,
                               index_t& block) {
  if (block < rows.pieces) {
    multiply_piece(a, v, rows, block);
    return true;
  }
  if (block < rows.blocks()) {
    multiply_listed(a, v, rows, block - rows.pieces);
    return true;
  }
  block -= rows.blocks();
  return false;
}

}  // namespace gossamer::device
