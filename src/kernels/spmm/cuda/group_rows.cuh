// Consecutive rows of C by a group of lanes. Each lane keeps a few packs of columns; the lanes of a
// group are contiguous in a row of B, so a load of the group is one piece of memory. The nonzeros
// of the rows are one stream: several rows of B are in flight before the first is used, across the
// ends of rows, and A is read one round ahead. The end of a row costs a store, not a wait.
#pragma once

#include "kernels/common/cuda/offset_reader.cuh"
#include "kernels/spmm/cuda/packs.cuh"

namespace gossamer::device {

inline constexpr int group_block = 256;  ///< threads
inline constexpr int in_round = 4;       ///< nonzeros in flight; A is read by fours

/// How a group reads A: consecutive rows as one stream, by fours; the same one round ahead, where
/// registers allow it; or one row as it lies, which leaves registers for more groups.
enum class reading { stream, stream_ahead, one_row };

/// W elements a load, L lanes along the columns, V packs a lane, S lanes along the nonzeros, Blocks
/// per multiprocessor. Wide: positions of nonzeros and steps between rows of B take 64 bits, which
/// costs registers.
template <int W_, int L_, int V_, int S_, int Blocks_, reading How, bool Wide_>
struct group_of {
  static constexpr int W = W_, L = L_, V = V_, S = S_, blocks = Blocks_;
  static constexpr bool ahead = How == reading::stream_ahead, one_row = How == reading::one_row;
  static constexpr bool wide = Wide_;
  using position = std::conditional_t<wide, std::int64_t, std::int32_t>;
  using step = std::conditional_t<wide, std::uint64_t, std::uint32_t>;
  static constexpr int lanes = L * S, columns = W * L * V, groups = group_block / lanes;
  static_assert(lanes <= warp_size);
};

/// CSR for this kernel. Aligned: columns and values start at multiples of 16 bytes.
template <class T, class I>
struct csr_stream {
  index_t rows, nnz;
  offset_reader offsets;
  const I* columns;
  const T* values;
  bool aligned;

  /// Where a row begins. Of offsets that fit 32 bits only the lower half is read.
  template <class Position>
  __device__ __forceinline__ Position begin(index_t row) const {
    if constexpr (sizeof(Position) == 8)
      return offsets[row];
    else
      return __ldg(static_cast<const std::int32_t*>(offsets.data) + (offsets.wide ? 2 * row : row));
  }
};

template <class T, class G>
struct group_sums {
  pack<T, G::W> of[G::V];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int v = 0; v < G::V; ++v) of[v] = {};
  }
  __device__ __forceinline__ void add(T a, const pack<T, G::W> (&b)[G::V]) {
#pragma unroll
    for (int v = 0; v < G::V; ++v)
#pragma unroll
      for (int i = 0; i < G::W; ++i) of[v].of[i] += a * b[v].of[i];
  }
};

/// The columns of one lane in rows of B. A lane beyond the last column reads the last pack again,
/// which causes no further traffic, and stores nothing: loads need no mask.
template <class T, class G>
struct lane_columns {
  const char* first;  ///< pack of row 0
  typename G::step row_bytes;
  std::uint32_t further[G::V];  ///< bytes from the first pack to the others

  __device__ __forceinline__ lane_columns(const dense_rows<T>& d, index_t tile, int lane)
      : row_bytes(static_cast<typename G::step>(d.b_step * index_t{sizeof(T)})) {
    const index_t begin = tile * G::columns + lane * G::W, last = d.columns - G::W;
    const index_t mine = min(begin, last);
    first = reinterpret_cast<const char*>(d.b + mine);
#pragma unroll
    for (int v = 0; v < G::V; ++v)
      further[v] = static_cast<std::uint32_t>((min(begin + v * G::L * G::W, last) - mine) *
                                              index_t{sizeof(T)});
  }
  template <class I>
  __device__ __forceinline__ void load(pack<T, G::W> (&to)[G::V], I column) const {
    const char* const row =
        first +
        static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<I>>(column)) * row_bytes;
#pragma unroll
    for (int v = 0; v < G::V; ++v)
      to[v] = load_pack<pack<T, G::W>>(v == 0 ? row : row + further[v]);
  }
};

/// Four nonzeros of A from a multiple of four on; nothing beyond the last one is read.
template <class T, class I>
struct nonzero_round {
  I column[in_round];
  T value[in_round];

  template <class E>
  __device__ __forceinline__ static void load_all(E* to, const E* from) {
    constexpr int each = 16 / sizeof(E);
#pragma unroll
    for (int i = 0; i < in_round; i += each) {
      const auto part = load_pack<pack<E, each>>(from + i);
#pragma unroll
      for (int j = 0; j < each; ++j) to[i + j] = part.of[j];
    }
  }
  template <class Position>
  __device__ __forceinline__ void load(const csr_stream<T, I>& a, Position at) {
    const auto nnz = static_cast<Position>(a.nnz);
    if (a.aligned && at <= nnz - in_round) {
      load_all(column, a.columns + at);
      load_all(value, a.values + at);
    } else {
#pragma unroll
      for (int i = 0; i < in_round; ++i)
        if (at + i < a.nnz)
          column[i] = __ldg(a.columns + at + i), value[i] = __ldg(a.values + at + i);
    }
  }
};

/// Walks over `total` nonzeros from `first` on. For each one use(position, value, row of B); a
/// round that lies in [0, whole_until) goes to use_round instead. Nonzeros outside are neither
/// loaded nor multiplied, so that Inf and NaN stay where they belong.
template <class G, class T, class I, class Until, class Round, class Use>
__device__ __forceinline__ void walk(const csr_stream<T, I>& a, const lane_columns<T, G>& b,
                                     typename G::position first, int total, Until&& whole_until,
                                     Round&& use_round, Use&& use) {
  int at = -static_cast<int>(first & (in_round - 1));
  nonzero_round<T, I> now, next;
  if (G::ahead && at < total) now.load(a, first + at);
  for (; at < total; at += in_round) {
    if (!G::ahead) now.load(a, first + at);
    pack<T, G::W> part[in_round][G::V];
    if (at >= 0 && at + in_round <= total) {
#pragma unroll
      for (int u = 0; u < in_round; ++u) b.load(part[u], now.column[u]);
    } else {
#pragma unroll
      for (int u = 0; u < in_round; ++u)
        if (static_cast<unsigned>(at + u) < static_cast<unsigned>(total))
          b.load(part[u], now.column[u]);
    }
    if (G::ahead && at + in_round < total) next.load(a, first + at + in_round);
    if (at >= 0 && at + in_round <= whole_until()) {
#pragma unroll
      for (int u = 0; u < in_round; ++u) use_round(now.value[u], part[u]);
    } else {
#pragma unroll
      for (int u = 0; u < in_round; ++u)
        if (static_cast<unsigned>(at + u) < static_cast<unsigned>(total))
          use(at + u, now.value[u], part[u]);
    }
    if (G::ahead) now = next;
  }
}

template <class T, class G>
__device__ __forceinline__ void store_row(const group_sums<T, G>& sums, const dense_rows<T>& d,
                                          index_t row, index_t tile, int lane) {
#pragma unroll
  for (int v = 0; v < G::V; ++v) {
    const index_t column = tile * G::columns + (v * G::L + lane) * G::W;
    if (column < d.columns) d.store(row, column, sums.of[v]);
  }
}

/// Rows [row, stop), none of them long.
template <class G, class T, class I>
__device__ __forceinline__ void stream_rows(const csr_stream<T, I>& a, const dense_rows<T>& d,
                                            const lane_columns<T, G>& b, index_t row, index_t stop,
                                            index_t tile, int lane) {
  using position = typename G::position;
  const auto first = a.template begin<position>(row);
  const int total = static_cast<int>(a.template begin<position>(stop) - first);
  int end = static_cast<int>(a.template begin<position>(row + 1) - first);
  group_sums<T, G> sums;
  sums.clear();
  using packs = const pack<T, G::W>(&)[G::V];
  walk<G>(
      a, b, first, total, [&] { return end; }, [&](T value, packs part) { sums.add(value, part); },
      [&](int at, T value, packs part) {
        while (at == end) {
          store_row(sums, d, row, tile, lane);
          sums.clear();
          ++row;
          end = static_cast<int>(a.template begin<position>(row + 1) - first);
        }
        sums.add(value, part);
      });
  for (; row < stop; ++row) {  // the last row with nonzeros, then those without
    store_row(sums, d, row, tile, lane);
    sums.clear();
  }
}

/// One row that is not long, read as it lies.
template <class G, class T, class I>
__device__ __forceinline__ void one_row(const csr_stream<T, I>& a, const dense_rows<T>& d,
                                        const lane_columns<T, G>& b, index_t row, index_t tile,
                                        int lane) {
  using position = typename G::position;
  position k = a.template begin<position>(row);
  const position last = a.template begin<position>(row + 1);
  group_sums<T, G> sums;
  sums.clear();
  nonzero_round<T, I> now;
  pack<T, G::W> part[in_round][G::V];
  for (; k + in_round <= last; k += in_round) {
#pragma unroll
    for (int u = 0; u < in_round; ++u)
      now.column[u] = __ldg(a.columns + k + u), now.value[u] = __ldg(a.values + k + u);
#pragma unroll
    for (int u = 0; u < in_round; ++u) b.load(part[u], now.column[u]);
#pragma unroll
    for (int u = 0; u < in_round; ++u) sums.add(now.value[u], part[u]);
  }
#pragma unroll
  for (int u = 0; u < in_round - 1; ++u)
    if (k + u < last)
      now.column[u] = __ldg(a.columns + k + u), now.value[u] = __ldg(a.values + k + u);
#pragma unroll
  for (int u = 0; u < in_round - 1; ++u)
    if (k + u < last) b.load(part[u], now.column[u]);
#pragma unroll
  for (int u = 0; u < in_round - 1; ++u)
    if (k + u < last) sums.add(now.value[u], part[u]);
  store_row(sums, d, row, tile, lane);
}

/// One row by S lanes along its nonzeros; all lanes of the warp call it, with row -1 for none.
template <class G, class T, class I>
__device__ __forceinline__ void shared_row(const csr_stream<T, I>& a, const dense_rows<T>& d,
                                           const lane_columns<T, G>& b, index_t row, index_t tile,
                                           int lane) {
  const int s = lane / G::L;
  group_sums<T, G> sums;
  sums.clear();
  using position = typename G::position;
  const position last = row < 0 ? 0 : a.template begin<position>(row + 1);
  for (position k = row < 0 ? 0 : a.template begin<position>(row) + s; k < last;
       k += in_round * G::S) {
    nonzero_round<T, I> now;
    pack<T, G::W> part[in_round][G::V];
#pragma unroll
    for (int u = 0; u < in_round; ++u)
      if (k + u * G::S < last)
        now.column[u] = __ldg(a.columns + k + u * G::S),
        now.value[u] = __ldg(a.values + k + u * G::S);
#pragma unroll
    for (int u = 0; u < in_round; ++u)
      if (k + u * G::S < last) b.load(part[u], now.column[u]);
#pragma unroll
    for (int u = 0; u < in_round; ++u)
      if (k + u * G::S < last) sums.add(now.value[u], part[u]);
  }
  __syncwarp();
#pragma unroll
  for (int step = G::lanes / 2; step >= G::L; step /= 2)
#pragma unroll
    for (int v = 0; v < G::V; ++v)
#pragma unroll
      for (int i = 0; i < G::W; ++i)
        sums.of[v].of[i] += __shfl_xor_sync(whole_warp, sums.of[v].of[i], step);
  if (row >= 0 && s == 0) store_row(sums, d, row, tile, lane % G::L);
}

}  // namespace gossamer::device
