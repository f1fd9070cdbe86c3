// Rows that are too long for a group of lanes: split into pieces of equally many nonzeros, one
// block each. Blocks that share a row leave their sums in a workspace, and the block that finishes
// last adds them up, always in the order of the pieces: the bits do not depend on which block that
// is.
#pragma once

#include "kernels/common/cuda/row_classes.cuh"
#include "kernels/spmm/cuda/group_rows.cuh"

namespace gossamer::device {

/// The device view of the pieces.
template <class T>
struct piece_tables {
  const row_piece* piece = nullptr;
  index_t pieces = 0, cutoff = 0;
  T* partials = nullptr;        ///< [piece][column]
  unsigned* arrived = nullptr;  ///< [tile of columns][piece], counted at the first piece of a row
};

/// The sum over the groups of a block; the first L * V threads return one pack each.
template <class G, class T>
__device__ __forceinline__ pack<T, G::W> add_groups(const group_sums<T, G>& sums,
                                                    pack<T, G::W>* places) {
  constexpr int packs = G::L * G::V, groups = group_block / G::L;
  const int lane = static_cast<int>(threadIdx.x) % G::L;
  const int group = static_cast<int>(threadIdx.x) / G::L;
  __syncthreads();  // the places may still be read
#pragma unroll
  for (int v = 0; v < G::V; ++v) places[group * packs + v * G::L + lane] = sums.of[v];
  __syncthreads();
  pack<T, G::W> total{};
  if (threadIdx.x < packs)
    for (int g = 0; g < groups; ++g) {
      const auto next = places[g * packs + threadIdx.x];
#pragma unroll
      for (int i = 0; i < G::W; ++i) total.of[i] += next.of[i];
    }
  return total;
}

/// Whether this block is the last of a row's; counts it. The counter is 0 again afterwards.
__device__ inline bool arrives_last(unsigned* arrived, unsigned parts) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(arrived, 1U) + 1 == parts;
    if (last) *arrived = 0;
  }
  __syncthreads();
  __threadfence();
  return last;
}

/// Sums [mine.first, mine.last) with equal shares for the groups, from multiples of four on.
template <class G, class T, class I>
__device__ __forceinline__ group_sums<T, G> sum_piece(const csr_stream<T, I>& a,
                                                      const lane_columns<T, G>& b,
                                                      const row_piece& mine) {
  constexpr int groups = group_block / G::L;
  const int group = static_cast<int>(threadIdx.x) / G::L;
  const index_t share = ((mine.last - mine.first + groups - 1) / groups + 3) & ~index_t{3};
  const index_t first = min(mine.last, mine.first + group * share);
  const int total = static_cast<int>(min(mine.last, first + share) - first);
  group_sums<T, G> sums;
  sums.clear();
  using packs = const pack<T, G::W>(&)[G::V];
  walk<G>(
      a, b, static_cast<typename G::position>(first), total, [&] { return total; },
      [&](T value, packs part) { sums.add(value, part); },
      [&](int, T value, packs part) { sums.add(value, part); });
  return sums;
}

template <class G, class T, class I>
__device__ __forceinline__ void take_piece(const csr_stream<T, I>& a, const dense_rows<T>& d,
                                           const piece_tables<T>& rows, index_t at, index_t tile) {
  constexpr int packs = G::L * G::V, groups = group_block / G::L;
  __shared__ pack<T, G::W> places[groups * packs];
  const int lane = static_cast<int>(threadIdx.x) % G::L;
  const int group = static_cast<int>(threadIdx.x) / G::L;
  const row_piece mine = rows.piece[at];
  const index_t column = tile * G::columns + static_cast<index_t>(threadIdx.x) * G::W;
  const bool stores = threadIdx.x < packs && column < d.columns;
  auto sums = sum_piece<G>(a, lane_columns<T, G>(d, tile, lane), mine);
  auto total = add_groups<G>(sums, places);
  if (mine.parts > 1) {
    if (stores) store_fresh(rows.partials + at * d.columns + column, total);
    if (!arrives_last(rows.arrived + tile * rows.pieces + mine.slot,
                      static_cast<unsigned>(mine.parts)))
      return;
    sums.clear();
#pragma unroll 2
    for (index_t p = group; p < mine.parts; p += groups)
#pragma unroll
      for (int v = 0; v < G::V; ++v) {
        const index_t from = tile * G::columns + (v * G::L + lane) * G::W;
        if (from >= d.columns) continue;
        const auto part =
            load_fresh<pack<T, G::W>>(rows.partials + (mine.slot + p) * d.columns + from);
#pragma unroll
        for (int i = 0; i < G::W; ++i) sums.of[v].of[i] += part.of[i];
      }
    total = add_groups<G>(sums, places);
  }
  if (stores) d.store(mine.row, column, total);
}

}  // namespace gossamer::device
