// Four consecutive rows of C at once: where their nonzeros share columns, as in meshes, a row of B
// is loaded once and used by all of them. The plan keeps the columns of each strip in ascending
// order, with a bit for every row that has a nonzero there. Values are read from A itself: rows
// ascend, so the nonzeros of a row are its bits in order.
#pragma once

#include "kernels/spmm/cuda/group_rows.cuh"

namespace gossamer::device {

inline constexpr int strip_rows = 4;
/// An entry is a column and, above it, the bits of the rows.
inline constexpr int strip_column_bits = 32 - strip_rows;
inline constexpr std::uint32_t strip_columns = (std::uint32_t{1} << strip_column_bits) - 1;

/// The device view of a plan's strips.
struct strip_tables {
  const std::int32_t* first;     ///< [strip], entries; one more at the end
  const std::uint32_t* entries;  ///< of all strips
  const std::uint32_t* order;    ///< the order in which strips are computed; null: as they are
};

/// What a warp passes around of a chunk of entries: one lane loads, all lanes of its group read.
template <class T, class G>
struct strip_chunk {
  pack<T, strip_rows> values[group_block];
  std::uint32_t entries[group_block];
};

template <class G, class T>
struct strip_sums {
  group_sums<T, G> row[strip_rows];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) row[r].clear();
  }
  /// Rows without a nonzero add nothing, not 0 times B: Inf and NaN stay where they belong.
  __device__ __forceinline__ void add(std::uint32_t entry, const pack<T, strip_rows>& a,
                                      const pack<T, G::W> (&b)[G::V]) {
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
      if (entry >> (strip_column_bits + r) & 1) row[r].add(a.of[r], b);
  }
};

/// Values of one entry in each of the four rows, and the steps to the next chunk. `mine` are the
/// lanes of the group; `at` is where each row goes on.
template <class T>
__device__ __forceinline__ pack<T, strip_rows> strip_values(const T* values, std::uint32_t entry,
                                                            unsigned mine,
                                                            std::int32_t (&at)[strip_rows]) {
  const unsigned below = mine & ((1U << (threadIdx.x % warp_size)) - 1);
  pack<T, strip_rows> found{};
#pragma unroll
  for (int r = 0; r < strip_rows; ++r) {
    const bool has = entry >> (strip_column_bits + r) & 1;
    const unsigned of_row = __ballot_sync(whole_warp, has) & mine;
    if (has) found.of[r] = __ldg(values + at[r] + __popc(of_row & below));
    at[r] += __popc(of_row);
  }
  return found;
}

/// A strip for each group of L lanes. Lanes of a warp go through as many chunks as its longest
/// strip has, so that all of them vote.
template <class G, class T>
__global__ void __launch_bounds__(group_block, G::blocks)
    by_strips(csr_stream<T, std::int32_t> a, dense_rows<T> d, strip_tables strips) {
  __shared__ strip_chunk<T, G> chunk;
  const int lane = static_cast<int>(threadIdx.x) % G::L;
  const int group_first = static_cast<int>(threadIdx.x) - lane;  // in the chunk
  const unsigned mine = (G::L == warp_size ? whole_warp : (1U << G::L % warp_size) - 1)
                        << (group_first % warp_size);
  const index_t count = (a.rows + strip_rows - 1) / strip_rows;
  index_t strip = static_cast<index_t>(blockIdx.x) * G::groups + threadIdx.x / G::L;
  if (strips.order && strip < count) strip = __ldg(strips.order + strip);
  const index_t tile = blockIdx.y;
  const lane_columns<T, G> b(d, tile, lane);
  std::int32_t from = 0, to = 0, at[strip_rows] = {};
  if (strip < count) {
    from = __ldg(strips.first + strip), to = __ldg(strips.first + strip + 1);
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
      at[r] = a.template begin<std::int32_t>(min(strip * strip_rows + r, a.rows));
  }
  strip_sums<G, T> sums;
  sums.clear();
  const int most = __reduce_max_sync(whole_warp, to - from);
  for (int done = 0; done < most; done += G::L) {
    const int left = to - from - done;  // of this strip
    const std::uint32_t entry = lane < left ? __ldg(strips.entries + from + done + lane) : 0;
    const auto found = strip_values(a.values, entry, mine, at);
    __syncwarp();  // the chunk before was read
    chunk.entries[threadIdx.x] = entry;
    chunk.values[threadIdx.x] = found;
    __syncwarp();
    for (int u = 0; u < min(left, G::L); u += in_round) {
      pack<T, G::W> part[in_round][G::V];
      std::uint32_t now[in_round];  // beyond the end of the strip: column 0, no row
#pragma unroll
      for (int i = 0; i < in_round; ++i) now[i] = chunk.entries[group_first + u + i];
#pragma unroll
      for (int i = 0; i < in_round; ++i) b.load(part[i], now[i] & strip_columns);
#pragma unroll
      for (int i = 0; i < in_round; ++i)
        sums.add(now[i], chunk.values[group_first + u + i], part[i]);
    }
  }
#pragma unroll
  for (int r = 0; r < strip_rows; ++r)
    if (const index_t row = strip * strip_rows + r; row < a.rows)
      store_row(sums.row[r], d, row, tile, lane);
}

}  // namespace gossamer::device
