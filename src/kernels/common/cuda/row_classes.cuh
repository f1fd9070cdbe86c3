// Classifies the rows of a CSR matrix on a device by length: short ones keep their order, longer
// ones are listed, and the longest are split into pieces for several blocks. One launch can then
// compute all of them, with the number of threads chosen per row.
#pragma once

#include <algorithm>
#include <limits>

#include "backends/cuda/launch.cuh"
#include "kernels/common/cuda/device_sums.cuh"
#include "kernels/common/cuda/handover.cuh"

namespace gossamer::device {

inline constexpr int row_threads = 256;  ///< threads per block, in every class
/// Threads for a row of up to 32, and of up to 64 nonzeros: docs/notes/spmv-cuda.md, "Tried
/// and lost".
inline constexpr int group_threads = 8, half_threads = 16;
inline constexpr int piece_in_flight = 8;  ///< nonzeros per thread
/// Nonzeros a block loads in one step.
inline constexpr index_t block_step = piece_in_flight * row_threads;

/// Largest lengths of short rows, of rows for a group of threads, half a warp and a warp, and the
/// piece of a longer row that one block computes. Groups and halves load all of a row at once.
struct row_limits {
  index_t of_short = 0, for_a_group = 4 * group_threads, for_a_half = 4 * half_threads,
          for_a_warp = 1024, piece = 2 * block_step;
};

/// Part of a row that is shared by `parts` blocks; `slot` is the first of its partial sums.
struct row_piece {
  index_t row = 0, first = 0, last = 0;
  std::int32_t slot = 0, parts = 1;
};

/// The rows that are not short. Their order affects only the order of work: no sum depends on it.
struct long_rows {
  index_t cutoff = 0;                                     ///< largest length of a short row
  index_t for_warps = 0, for_halves = 0, for_groups = 0;  ///< rows
  index_t pieces = 0;                                     ///< blocks for the longest rows
  index_t short_rows = 0, short_entries = 0;
  buffer<index_t> list;     ///< rows for warps, for halves, for groups
  buffer<row_piece> piece;  ///< pieces of a row are contiguous

  /// The mean number of nonzeros in a short row.
  double mean_short() const {
    return static_cast<double>(short_entries) /
           static_cast<double>(std::max<index_t>(short_rows, 1));
  }
  index_t bytes() const {
    return list.size() * index_t{sizeof(index_t)} + pieces * index_t{sizeof(row_piece)};
  }
};

/// Partial sums of the pieces of long rows, passed from block to block: the workspace of a plan,
/// whose runs are ordered on one stream. All slots are empty between two runs.
class partial_sums {
 public:
  partial_sums(const context& where, index_t count);
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(slots_.data());
  }
  index_t bytes() const { return slots_.size() * index_t{sizeof(double)}; }

 private:
  buffer<double> slots_;  // wide enough for any value type
};

/// The result when all rows are short, without reading them.
inline long_rows no_long_rows(index_t rows, index_t entries) {
  long_rows none;
  none.cutoff = std::numeric_limits<index_t>::max();
  none.short_rows = rows;
  none.short_entries = entries;
  return none;
}

/// Reads every row length once and waits for the result. While the stream is captured, when waiting
/// is impossible, no row counts as long: slower on skewed rows, but correct.
long_rows find_long_rows(const context&, index_view offsets, const row_limits&);

/// The row offsets of A, which is CSR.
inline index_view offsets_of(const operands& o) {
  return std::visit(
      []<class T>(const expression<T>& e) { return std::get<csr_view<const T>>(e.view).offsets; },
      o.a);
}

/// The device view of long_rows and their partial sums.
template <class T>
struct long_row_tables {
  const index_t* list;
  const row_piece* piece;
  T* partials;
  index_t for_warps, for_halves, for_groups, pieces;

  long_row_tables(const long_rows& rows, partial_sums& sums)
      : list(rows.list.data()),
        piece(rows.piece.data()),
        partials(sums.as<T>()),
        for_warps(rows.for_warps),
        for_halves(rows.for_halves),
        for_groups(rows.for_groups),
        pieces(rows.pieces) {}
  /// Blocks for `rows` rows with this many threads per row.
  static constexpr index_t blocks_for(index_t rows, int threads) {
    return (rows * threads + row_threads - 1) / row_threads;
  }
  /// Blocks for pieces and listed rows; those for short rows follow.
  constexpr index_t blocks() const {
    return pieces + blocks_for(for_warps, warp_size) + blocks_for(for_halves, half_threads) +
           blocks_for(for_groups, group_threads);
  }
};

/// Computes a block's piece of a row. The block of the last piece, which starts after the others,
/// waits for their sums and adds them, always in the same order.
template <class A, class T>
__device__ void multiply_piece(const A& a, const vector_call<T>& v, const long_row_tables<T>& rows,
                               index_t block) {
  __shared__ T warp_sums[row_threads / warp_size];
  const row_piece mine = rows.piece[block];
  T sum = strided_dot<row_threads, piece_in_flight>(a.values, a.columns, mine.first + threadIdx.x,
                                                    mine.last, v.x);
  const index_t closing = index_t{mine.slot} + mine.parts - 1;
  if (block == closing)
    for (index_t k = mine.slot + static_cast<index_t>(threadIdx.x); k < closing; k += row_threads)
      sum += take_over(rows.partials + k);
  sum = block_sum<row_threads>(sum, warp_sums);
  if (threadIdx.x != 0) return;
  if (block == closing)
    v.store(mine.row, sum);
  else
    hand_over(rows.partials + block, sum);
}

/// Computes a listed row with each group of Width threads, if the block is one for such rows; else
/// subtracts those blocks from `block`.
template <int Width, class A, class T>
__device__ bool take_listed(const A& a, const vector_call<T>& v, const index_t* list, index_t count,
                            index_t& block) {
  const index_t blocks = long_row_tables<T>::blocks_for(count, Width);
  if (block >= blocks) {
    block -= blocks;
    return false;
  }
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
  return true;
}

/// Returns true when the block was one for long rows, which are then done; else `block` is the
/// index among the remaining blocks.
template <class A, class T>
__device__ bool take_long_rows(const A& a, const vector_call<T>& v, const long_row_tables<T>& rows,
                               index_t& block) {
  if (block < rows.pieces) {
    multiply_piece(a, v, rows, block);
    return true;
  }
  block -= rows.pieces;
  const index_t* const halves = rows.list + rows.for_warps;
  return take_listed<warp_size>(a, v, rows.list, rows.for_warps, block) ||
         take_listed<half_threads>(a, v, halves, rows.for_halves, block) ||
         take_listed<group_threads>(a, v, halves + rows.for_halves, rows.for_groups, block);
}

}  // namespace gossamer::device
