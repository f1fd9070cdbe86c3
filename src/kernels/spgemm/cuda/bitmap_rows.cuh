// Rows of C with many multiplications, by stripes of columns, one warp per row and stripe. A bitmap
// of the stripe marks the columns that occur; counting its bits gives the nonzeros, and the
// position of each in ascending order. Values are then added at their positions, in shared memory
// or, where there are too many, in C itself. One warp owns a stripe: there are no floating-point
// atomics, and sums have the order, and the bits, of the reference.
#pragma once

#include "kernels/spgemm/cuda/large_rows.hpp"
#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int stripe_columns = 16'384;  ///< at most, in one stripe
inline constexpr int stripe_words = stripe_columns / 32;
inline constexpr int stripe_values = 512;  ///< summed in shared memory
inline constexpr int stripe_windows = 4;   ///< windows of 32 multiplications in flight

template <class T, bool Masked>
struct stripe_space {
  T values[stripe_values];
  index_t first[warp_size];
  T factor[warp_size];
  unsigned bits[stripe_words];
  unsigned admitted[Masked ? stripe_words : 1];
  std::uint16_t before[stripe_words];
};

struct part_of_row {
  index_t begin, end;
};

/// One step of the search for the first column that is not below `wanted`: it is where the range is
/// empty, after as many steps as its length has bits.
template <class Columns>
__device__ void halve(const Columns& columns, index_t wanted, part_of_row& range) {
  if (range.begin >= range.end) return;
  const index_t middle = range.begin + (range.end - range.begin) / 2;
  if (columns[middle] < wanted)
    range.begin = middle + 1;
  else
    range.end = middle;
}

/// The parts inside the stripe of the rows of B that belong to nonzeros k, k + 32, ... of A; whole
/// rows where rows of B do not ascend.
template <int Rows, class Product>
__device__ void find_stripe_parts(const Product& of, const row_stripe& stripe, index_t k,
                                  index_t end, part_of_row (&parts)[Rows]) {
  index_t j[Rows];
#pragma unroll
  for (int u = 0; u < Rows; ++u)
    j[u] = k + u * warp_size < end ? of.a.columns[k + u * warp_size] : -1;
  index_t longest = 0;
#pragma unroll
  for (int u = 0; u < Rows; ++u) {
    parts[u] = {0, 0};
    if (j[u] >= 0) parts[u] = {of.b.offsets[j[u]], of.b.offsets[j[u] + 1]};
    longest = max(longest, parts[u].end - parts[u].begin);
  }
  if (stripe.whole || !of.b_ascends) return;
  // Both ends of all rows by binary searches side by side.
  const index_t first = stripe.first, after = stripe.first + stripe.columns;
  part_of_row from[Rows], to[Rows];
#pragma unroll
  for (int u = 0; u < Rows; ++u) from[u] = to[u] = parts[u];
  for (; longest > 0; longest /= 2)
#pragma unroll
    for (int u = 0; u < Rows; ++u) {
      halve(of.b.columns, first, from[u]);
      halve(of.b.columns, after, to[u]);
    }
#pragma unroll
  for (int u = 0; u < Rows; ++u) parts[u] = {from[u].begin, to[u].begin};
}

/// One multiplication per lane, 32 at a time, in order.
template <class T>
struct stripe_window {
  int column = -1;  ///< from the start of the stripe; -1: none for this lane
  T factor = 0, value = 0;
  bool mixed = false;  ///< of several rows of B: two lanes may have the same column
};

template <bool Values, class Product, class T>
__device__ void load_multiplication(const Product& of, const row_stripe& stripe, index_t p,
                                    stripe_window<T>& to) {
  const index_t relative = of.b.columns[p] - stripe.first;
  if (relative >= 0 && relative < stripe.columns) to.column = static_cast<int>(relative);
  if (Values) to.value = of.b.values[p];
}

/// The rows of B of a chunk one after the other: for parts so long that few lanes stay idle.
template <bool Values, class Product, class T, class F>
__device__ void for_each_long_part(const Product& of, const row_stripe& stripe, part_of_row mine,
                                   T factor, F&& f) {
  for (unsigned left = __ballot_sync(whole_warp, mine.begin < mine.end); left != 0;
       left &= left - 1) {
    const int lane = __ffs(static_cast<int>(left)) - 1;
    const index_t begin = __shfl_sync(whole_warp, mine.begin, lane);
    const auto length = static_cast<int>(__shfl_sync(whole_warp, mine.end, lane) - begin);
    const T by = Values ? __shfl_sync(whole_warp, factor, lane) : T{0};
    for (int t = 0; t < length; t += warp_size * stripe_windows) {
      stripe_window<T> window[stripe_windows];
#pragma unroll
      for (int u = 0; u < stripe_windows; ++u) {
        const int at = t + u * warp_size + lane_index();
        window[u].factor = by;
        if (at < length) load_multiplication<Values>(of, stripe, begin + at, window[u]);
      }
#pragma unroll
      for (int u = 0; u < stripe_windows; ++u)
        if (t + u * warp_size < length) f(window[u]);
    }
  }
}

/// All multiplications of a chunk, several short rows of B in one window.
template <bool Values, class Product, class Space, class F>
__device__ void for_each_short_part(const Product& of, const row_stripe& stripe,
                                    lane_segments<int> segments, Space& space, F&& f) {
  using T = typename Product::value;
  for (int t = 0; t < segments.total(); t += warp_size * stripe_windows) {
    stripe_window<T> window[stripe_windows];
#pragma unroll
    for (int u = 0; u < stripe_windows; ++u) {
      const auto next = segments.next(t + u * warp_size);
      const int at = t + u * warp_size + lane_index();
      window[u].mixed = next.mixed || !of.b_ascends;
      if (at < segments.total()) {
        load_multiplication<Values>(of, stripe, space.first[next.rank] + at, window[u]);
        if (Values) window[u].factor = space.factor[next.rank];
      }
    }
#pragma unroll
    for (int u = 0; u < stripe_windows; ++u)
      if (t + u * warp_size < segments.total()) f(window[u]);
  }
}

/// The multiplications of 32 rows of B, one per lane.
template <bool Values, class Product, class T, class Space, class F>
__device__ void for_each_in_parts(const Product& of, const row_stripe& stripe, part_of_row part,
                                  T factor, Space& space, F&& f) {
  /// Parts of more elements on average are taken one by one.
  constexpr index_t long_part = 48;
  // Rows of B that do not ascend may have any length: these are split, to be counted in 32 bits.
  constexpr index_t most = index_t{1} << 25;
  while (__any_sync(whole_warp, part.begin < part.end)) {
    const part_of_row now{part.begin, min(part.end, part.begin + most)};
    part.begin = now.end;
    const int length = static_cast<int>(now.end - now.begin);
    lane_segments<int> segments(length);
    const int parts = __popc(__ballot_sync(whole_warp, length > 0));
    if (of.b_ascends && segments.total() > long_part * parts) {
      for_each_long_part<Values>(of, stripe, now, factor, f);
      continue;
    }
    __syncwarp();
    if (segments.nonempty()) {
      space.first[segments.rank()] = now.begin - segments.start();
      if (Values) space.factor[segments.rank()] = factor;
    }
    __syncwarp();
    for_each_short_part<Values>(of, stripe, segments, space, f);
  }
}

/// Calls f(stripe_window) for all multiplications of the stripe, in order.
template <bool Values, class Product, class Space, class F>
__device__ void for_each_multiplication(const Product& of, const row_stripe& stripe, Space& space,
                                        F&& f) {
  using T = typename Product::value;
  // Rows of B that a lane looks at together, so that its searches overlap. With values they take
  // the registers of other warps: filling FEM takes 2.46 ms with four, 2.17 with one; counting it
  // 1.17 and 1.36.
  constexpr int rows_looked_at = Values ? 1 : 4;
  const int lane = lane_index();
  const index_t end = of.a.offsets[stripe.row + 1];
  for (index_t k = of.a.offsets[stripe.row]; k < end; k += rows_looked_at * warp_size) {
    part_of_row parts[rows_looked_at];
    find_stripe_parts(of, stripe, k + lane, end, parts);
#pragma unroll
    for (int u = 0; u < rows_looked_at; ++u) {
      const index_t at = k + u * warp_size + lane;
      const T factor = Values && at < end ? of.a.values[at] : T{0};
      for_each_in_parts<Values>(of, stripe, parts[u], factor, space, f);
    }
  }
}

/// Clears the bits that the mask does not admit.
template <class Arithmetic, class Space>
__device__ void apply_mask(const Arithmetic& by, const row_stripe& stripe, int words,
                           Space& space) {
  if (!by.masked) return;
  for (int w = lane_index(); w < words; w += warp_size) space.admitted[w] = 0;
  __syncwarp();
  const index_t end = by.mask_offsets[stripe.row + 1];
  for (index_t k = by.mask_offsets[stripe.row] + lane_index(); k < end; k += warp_size) {
    const index_t relative = by.mask_columns[k] - stripe.first;
    if (relative >= 0 && relative < stripe.columns)
      atomicOr(&space.admitted[relative / 32], 1U << relative % 32);
  }
  __syncwarp();
  for (int w = lane_index(); w < words; w += warp_size)
    space.bits[w] &= by.complemented ? ~space.admitted[w] : space.admitted[w];
  __syncwarp();
}

/// Marks the columns of the stripe; returns their number.
template <class Product, class Arithmetic, class Space>
__device__ int mark_columns(const Product& of, const Arithmetic& by, const row_stripe& stripe,
                            Space& space) {
  const int words = (stripe.columns + 31) / 32;
  for (int w = lane_index(); w < words; w += warp_size) space.bits[w] = 0;
  __syncwarp();
  using T = typename Product::value;
  for_each_multiplication<false>(of, stripe, space, [&](const stripe_window<T>& now) {
    if (now.column >= 0) atomicOr(&space.bits[now.column / 32], 1U << now.column % 32);
  });
  __syncwarp();
  if constexpr (Arithmetic::has_mask) apply_mask(by, stripe, words, space);
  int found = 0;
  for (int w = lane_index(); w < words; w += warp_size) found += __popc(space.bits[w]);
  return __reduce_add_sync(whole_warp, found);
}

/// Numbers the marked columns and stores them.
template <class Space>
__device__ void store_columns(const row_stripe& stripe, index_t place, cuda::index_writer columns,
                              Space& space) {
  const int words = (stripe.columns + 31) / 32;
  int before = 0;
  for (int w = 0; w < words; w += warp_size) {
    const int mine = w + lane_index();
    unsigned bits = mine < words ? space.bits[mine] : 0;
    const auto sums = sums_of_lanes(__popc(bits));
    int slot = before + sums.before;
    if (mine < words) space.before[mine] = static_cast<std::uint16_t>(slot);
    for (; bits != 0; bits &= bits - 1)
      columns.set(place + slot++, stripe.first + mine * 32 + __ffs(static_cast<int>(bits)) - 1);
    before += sums.all;
  }
  __syncwarp();
}

/// Adds the multiplications of the stripe to `sums`, one per marked column.
template <class Product, class Arithmetic, class Space, class T>
__device__ void add_values(const Product& of, const Arithmetic& by, const row_stripe& stripe,
                           Space& space, T* sums) {
  for_each_multiplication<true>(of, stripe, space, [&](const stripe_window<T>& now) {
    int slot = -1 - lane_index();  // of its own: matches no other lane
    if (now.column >= 0) {
      const unsigned bits = space.bits[now.column / 32], bit = 1U << now.column % 32;
      if (bits & bit) slot = space.before[now.column / 32] + __popc(bits & (bit - 1));
    }
    const auto add = [&] { sums[slot] = by.add(sums[slot], by.multiply(now.factor, now.value)); };
    if (!now.mixed) {
      if (slot >= 0) add();
      __syncwarp();
      return;
    }
    // Lanes with the same column take turns, in the order of the multiplications.
    const unsigned same = __match_any_sync(whole_warp, slot);
    const int turn = __popc(same & lanes_below());
    const int turns = __reduce_max_sync(whole_warp, turn) + 1;
    for (int k = 0; k < turns; ++k) {
      if (slot >= 0 && turn == k) add();
      __syncwarp();
    }
  });
}

/// The stripes of one launch, and the nonzeros of each: counted, or summed up.
struct stripe_list {
  const row_stripe* stripes;
  index_t* counts;        ///< null unless they are to be counted
  const index_t* starts;  ///< nonzeros before each stripe
};

/// Counts every stripe, or fills it: it begins as far behind the place of its row as the stripes of
/// the row before it have nonzeros.
template <class Product, class Arithmetic, class T>
__global__ void __launch_bounds__(warp_size)
    stripe_rows(Product of, Arithmetic by, stripe_list list, row_target<T> to) {
  __shared__ stripe_space<T, Arithmetic::has_mask> space;
  const row_stripe stripe = list.stripes[blockIdx.x];
  const int found = mark_columns(of, by, stripe, space);
  if (list.counts) {
    if (lane_index() == 0) list.counts[blockIdx.x] = found;
    return;
  }
  if (found == 0) return;
  const index_t place =
      to.places[stripe.row] + list.starts[blockIdx.x] - list.starts[stripe.first_stripe];
  store_columns(stripe, place, to.columns, space);
  T* const out = to.values + place;
  T* const sums = found <= stripe_values ? space.values : out;
  for (int k = lane_index(); k < found; k += warp_size) sums[k] = by.identity();
  __syncwarp();
  add_values(of, by, stripe, space, sums);
  for (int k = lane_index(); k < found; k += warp_size) out[k] = exact_product(of.alpha, sums[k]);
}

}  // namespace gossamer::device
