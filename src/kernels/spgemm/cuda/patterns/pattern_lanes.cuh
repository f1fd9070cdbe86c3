// Rows of C whose pattern is known and short, one per lane: the multiplications of a row are done
// in their order, and the pattern says which sum each is added to. Sums are in shared memory, those
// of a lane in a column of their own; neighbouring rows mostly have the same pattern, so that lanes
// step through it together. The warp stores its 32 rows together.
#pragma once

#include "kernels/spgemm/cuda/patterns/pattern_rows.cuh"

namespace gossamer::device {

/// Nonzeros of a pattern, at most: longer ones leave too few warps on a multiprocessor.
inline constexpr int lane_pattern_nonzeros = 32;
/// Rows of B that a row of C adds, at most on average: lanes read their own rows of A, and of
/// longer ones the L1 holds too few (27 points times an aggregation: 531 us instead of 285).
inline constexpr index_t lane_pattern_added = 12;
inline constexpr int pattern_lane_warps = 4;
/// One more than lanes: a row's sums are then stored without bank conflicts.
inline constexpr int sum_stride = warp_size + 1;

template <class T>
std::size_t pattern_lane_bytes(int most_nonzeros) {
  return sizeof(T) * static_cast<std::size_t>(most_nonzeros * sum_stride * pattern_lane_warps);
}

/// A nonzero of A and the row of B that it selects.
template <class T>
struct added_row {
  index_t begin, end;
  T factor;
  __device__ added_row(const row_product<T, const std::int32_t*>& of, index_t k) {
    const index_t j = of.a.columns[k];
    factor = of.a.values[k];
    begin = of.b.offsets[j];
    end = of.b.offsets[j + 1];
  }
};

/// The next row of B is looked up, and several of its values are loaded, before they are needed:
/// stores to the sums would otherwise keep later loads waiting.
template <class T>
__device__ void add_row(const row_product<T, const std::int32_t*>& of, index_t row,
                        const std::uint16_t* slot, T* sums) {
  constexpr int at_once = 4;
  const index_t a_begin = of.a.offsets[row], a_end = of.a.offsets[row + 1];
  if (a_begin == a_end) return;
  added_row<T> next(of, a_begin);
  for (index_t k = a_begin + 1; k <= a_end; ++k) {
    const added_row<T> mine = next;
    if (k < a_end) next = added_row<T>(of, k);
    for (index_t l = mine.begin; l < mine.end; l += at_once) {
      T value[at_once];
      std::uint16_t into[at_once];
#pragma unroll
      for (int u = 0; u < at_once; ++u)
        if (l + u < mine.end) {
          value[u] = of.b.values[l + u];
          into[u] = slot[u];
        }
#pragma unroll
      for (int u = 0; u < at_once; ++u)
        if (l + u < mine.end) sums[into[u] * sum_stride] += exact_product(mine.factor, value[u]);
      slot += min(mine.end - l, index_t{at_once});
    }
  }
}

template <class T>
__global__ void __launch_bounds__(pattern_lane_warps* warp_size)
    pattern_lanes(row_product<T, const std::int32_t*> of, pattern_list list, int most_nonzeros,
                  row_target<T> to) {
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ index_t first[pattern_lane_warps][warp_size];
  __shared__ const row_pattern* pattern_of[pattern_lane_warps][warp_size];
  __shared__ std::int32_t base_of[pattern_lane_warps][warp_size];
  const int lane = lane_index(), warp = static_cast<int>(threadIdx.x) / warp_size;
  T* const sums = reinterpret_cast<T*>(shared) + warp * most_nonzeros * sum_stride;
  const index_t row =
      static_cast<index_t>(blockIdx.x) * (pattern_lane_warps * warp_size) + threadIdx.x;
  int nonzeros = 0;
  if (row < of.a.rows) {
    const row_pattern& pattern = list.patterns[list.pattern_of[row]];
    nonzeros = pattern.nonzeros;
    for (int s = 0; s < nonzeros; ++s) sums[s * sum_stride + lane] = 0;
    add_row(of, row, pattern.slot, sums + lane);
    pattern_of[warp][lane] = &pattern;
    base_of[warp][lane] = list.base[row];
  }
  lane_segments<int> rows(nonzeros);
  __shared__ int lane_of[pattern_lane_warps][warp_size], start_of[pattern_lane_warps][warp_size];
  if (rows.nonempty()) {
    lane_of[warp][rows.rank()] = lane;
    start_of[warp][rows.rank()] = rows.start();
    first[warp][rows.rank()] = to.places[row];
  }
  __syncwarp();
  for (int t = 0; t < rows.total(); t += warp_size) {
    const int rank = rows.next(t).rank, at = t + lane;
    if (at >= rows.total()) continue;
    const int owner = lane_of[warp][rank], s = at - start_of[warp][rank];
    const index_t place = first[warp][rank] + s;
    to.columns.set(place, base_of[warp][owner] + pattern_of[warp][owner]->column[s]);
    to.values[place] = exact_product(of.alpha, sums[s * sum_stride + owner]);
  }
}

}  // namespace gossamer::device
