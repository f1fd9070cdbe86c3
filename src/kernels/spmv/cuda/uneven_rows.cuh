// Rows of all lengths in one launch: short ones in order by groups of one to eight threads, the
// others as row_classes classifies them. For anything that strided_dot accepts as CSR.
#pragma once

#include "kernels/common/cuda/row_classes.cuh"

namespace gossamer::device {

/// Computes short rows in order, a group of Width threads each; rows of more than `cutoff` nonzeros
/// are skipped.
template <int Width, class A, class T>
__device__ void multiply_short(const A& a, const vector_call<T>& v, index_t block, index_t cutoff) {
  const index_t row = (block * row_threads + threadIdx.x) / Width;
  const int lane = static_cast<int>(threadIdx.x) % Width;
  T sum = 0;
  bool mine = false;
  if (row < a.rows) {
    const auto first = static_cast<index_t>(a.offsets[row]);
    const auto last = static_cast<index_t>(a.offsets[row + 1]);
    mine = last - first <= cutoff;
    if (mine) sum = strided_dot<Width, 4>(a.values, a.columns, first + lane, last, v.x);
  }
  sum = group_sum<Width>(sum);
  if (mine && lane == 0) v.store(row, sum);
}

template <int Width, class A, class T>
__global__ void __launch_bounds__(row_threads, 1536 / row_threads)
    by_rows(A a, vector_call<T> v, long_row_tables<T> longer, index_t cutoff) {
  index_t block = blockIdx.x;
  if (!take_long_rows(a, v, longer, block)) multiply_short<Width>(a, v, block, cutoff);
}

struct uneven_rows {
  long_rows longer;
  int width = 1;  ///< threads per short row

  index_t bytes() const { return longer.bytes(); }
};

/// Limits for this many nonzeros and this longest row (0: not known): in a small matrix nothing
/// hides the latency of a long row, so blocks compute more rows, in smaller pieces.
inline row_limits limits_for(index_t entries, index_t longest) {
  row_limits limits{.of_short = 16};
  if (entries >= 2'000'000) return limits;
  const bool smaller = entries < 800'000;
  limits.for_a_warp = smaller ? 384 : 512;
  const bool halved = smaller && longest > block_step && longest <= 8 * block_step;
  limits.piece = halved ? block_step / 2 : block_step;
  return limits;
}

/// Reads every row length once and waits for the result, as find_long_rows does.
inline uneven_rows find_uneven_rows(const context& where, index_view offsets,
                                    const row_limits& limits) {
  uneven_rows found;
  found.longer = find_long_rows(where, offsets, limits);
  const double mean = found.longer.mean_short();
  // With uneven rows most of the short ones are very short.
  while (found.width < 8 && mean > 3 * found.width) found.width *= 2;
  return found;
}

/// One launch; the caller checks it.
template <class A, class T>
void multiply_uneven(const context& where, const A& a, const vector_call<T>& v,
                     const uneven_rows& rows, partial_sums& sums) {
  const long_row_tables<T> longer(rows.longer, sums);
  const auto launch = [&]<int Width>(std::integral_constant<int, Width>) {
    const index_t blocks = longer.blocks() + longer.blocks_for(a.rows, Width);
    by_rows<Width><<<static_cast<unsigned>(blocks), row_threads, 0, cuda::stream_of(where)>>>(
        a, v, longer, rows.longer.cutoff);
  };
  switch (rows.width) {
    case 1: return launch(std::integral_constant<int, 1>{});
    case 2: return launch(std::integral_constant<int, 2>{});
    case 4: return launch(std::integral_constant<int, 4>{});
    default: return launch(std::integral_constant<int, 8>{});
  }
}

}  // namespace gossamer::device
