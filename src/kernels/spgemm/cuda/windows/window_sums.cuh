// The sums of one window of a row of C, dense in shared memory, by one warp. The warp walks through
// the parts of rows of B that lie in the window, 32 multiplications at a time, in their order, so
// that sums have the bits of the reference. Columns of one row of B all differ; where the 32
// multiplications belong to several rows, lanes that hit the same column take turns.
#pragma once

#include "kernels/spgemm/cuda/windows/window_list.cuh"

namespace gossamer::device {

template <class T, int Width>
struct window_space {
  T sums[Width];
  T factors[warp_size];
  int begins[warp_size];
  alignas(16) bool occurs[Width];
};

/// A window of a row, and how the parts of rows of B in it are found.
struct window_of_row {
  index_t row;
  int first, width;            ///< columns
  const std::int32_t* starts;  ///< of the window, in the first row of B; null: parts are rows
  index_t stride;              ///< from one row of B to the next
};

/// The part of row j of B; a negative j: none.
template <class T>
__device__ row_part part_of(const narrow_product<T>& of, const window_of_row& window,
                            std::int32_t j) {
  if (j < 0) return {};
  if (!window.starts)
    return {static_cast<int>(of.b.offsets[j]), static_cast<int>(of.b.offsets[j + 1])};
  const std::int32_t* const at = window.starts + index_t{j} * window.stride;
  return {at[0], at[1]};
}

/// Adds a product per lane at its column; a negative column: none. `mixed`: several lanes may have
/// the same one.
template <class T, int Width>
__device__ void add_products(window_space<T, Width>& space, int column, T product, bool mixed) {
  if (column >= 0) space.occurs[column] = true;
  if (!mixed) {
    if (column >= 0) space.sums[column] += product;
    __syncwarp();
    return;
  }
  const unsigned same = __match_any_sync(whole_warp, column >= 0 ? column : -1 - lane_index());
  const int turn = __popc(same & lanes_below());
  const int turns = __reduce_max_sync(whole_warp, turn) + 1;
  for (int k = 0; k < turns; ++k) {
    if (column >= 0 && turn == k) space.sums[column] += product;
    __syncwarp();
  }
}

/// Adds parts of rows of B one after the other: for parts so long that few lanes stay idle.
template <class T, int Width>
__device__ void add_long_parts(const narrow_product<T>& of, int first, row_part part, T factor,
                               window_space<T, Width>& space) {
  for (unsigned left = __ballot_sync(whole_warp, part.begin < part.end); left != 0;
       left &= left - 1) {
    const int lane = __ffs(static_cast<int>(left)) - 1;
    const int begin = __shfl_sync(whole_warp, part.begin, lane);
    const int end = __shfl_sync(whole_warp, part.end, lane);
    const T by = __shfl_sync(whole_warp, factor, lane);
    for (int t = begin + lane_index(); t - lane_index() < end; t += warp_size * loads_in_flight) {
      int column[loads_in_flight];
      T product[loads_in_flight];
#pragma unroll
      for (int u = 0; u < loads_in_flight; ++u) {
        const int p = t + u * warp_size;
        column[u] = p < end ? of.b.columns[p] - first : -1;
        product[u] = p < end ? exact_product(by, of.b.values[p]) : T{0};
      }
#pragma unroll
      for (int u = 0; u < loads_in_flight; ++u)
        if (column[u] >= 0) {
          space.occurs[column[u]] = true;
          space.sums[column[u]] += product[u];
        }
    }
    __syncwarp();
  }
}

/// Adds the multiplications of 32 rows of B, one part and one factor per lane.
template <class T, int Width>
__device__ void add_parts(const narrow_product<T>& of, int first, row_part part, T factor,
                          window_space<T, Width>& space) {
  constexpr int long_part = 48;  // elements on average
  lane_segments<int> segments(part.end - part.begin);
  const int parts = __popc(__ballot_sync(whole_warp, part.begin < part.end));
  if (segments.total() >= long_part * parts) return add_long_parts(of, first, part, factor, space);
  __syncwarp();
  if (segments.nonempty()) {
    space.begins[segments.rank()] = part.begin - segments.start();
    space.factors[segments.rank()] = factor;
  }
  __syncwarp();
  for (int t = 0; t < segments.total(); t += warp_size * loads_in_flight) {
    int column[loads_in_flight];
    T product[loads_in_flight];
    bool mixed[loads_in_flight];
#pragma unroll
    for (int u = 0; u < loads_in_flight; ++u) {
      const auto next = segments.next(t + u * warp_size);
      const int at = t + u * warp_size + lane_index();
      mixed[u] = next.mixed;
      column[u] = -1;
      product[u] = 0;
      if (at >= segments.total()) continue;
      const int p = space.begins[next.rank] + at;
      column[u] = of.b.columns[p] - first;
      product[u] = exact_product(space.factors[next.rank], of.b.values[p]);
    }
#pragma unroll
    for (int u = 0; u < loads_in_flight; ++u)
      if (t + u * warp_size < segments.total())
        add_products(space, column[u], product[u], mixed[u]);
  }
}

/// Stores the columns that occur, and their sums, from `place` on.
template <class T, int Width>
__device__ void store_window(const window_of_row& window, const window_space<T, Width>& space,
                             T alpha, index_t place, const row_target<T>& to) {
#pragma unroll 4
  for (int k = 0; k < window.width; k += warp_size) {
    const int column = k + lane_index();
    const bool occurs = column < window.width && space.occurs[column];
    const unsigned all = __ballot_sync(whole_warp, occurs);
    if (occurs) {
      const index_t at = place + __popc(all & lanes_below());
      to.columns.set(at, window.first + column);
      to.values[at] = exact_product(alpha, space.sums[column]);
    }
    place += __popc(all);
  }
}

/// Computes one window. While rows of B are added, the parts and factors of the next 32, and the
/// numbers of those after them, are loaded.
template <class T, int Width>
__device__ void sum_window(const narrow_product<T>& of, const window_of_row& window, index_t place,
                           window_space<T, Width>& space, const row_target<T>& to) {
  for (int k = lane_index() * 16; k < window.width; k += warp_size * 16)
    *reinterpret_cast<uint4*>(space.occurs + k) = uint4{};
  for (int k = lane_index(); k < window.width; k += warp_size) space.sums[k] = 0;
  __syncwarp();
  const index_t begin = of.a.offsets[window.row], end = of.a.offsets[window.row + 1];
  const auto row_of_b = [&](index_t k) { return k < end ? of.a.columns[k] : -1; };
  const auto factor_of = [&](index_t k) { return k < end ? of.a.values[k] : T{0}; };
  index_t k = begin + lane_index();
  row_part part = part_of(of, window, row_of_b(k));
  std::int32_t next_row = row_of_b(k + warp_size);
  T factor = factor_of(k);
  for (index_t first = begin; first < end; first += warp_size, k += warp_size) {
    const row_part next_part = part_of(of, window, next_row);
    const T next_factor = factor_of(k + warp_size);
    next_row = row_of_b(k + 2 * warp_size);
    add_parts(of, window.first, part, factor, space);
    part = next_part;
    factor = next_factor;
  }
  __syncwarp();
  store_window(window, space, of.alpha, place, to);
}

/// A block of one warp per window of the cut rows, from number `begin` on.
template <class T>
__global__ void __launch_bounds__(warp_size)
    sum_cut_rows(narrow_product<T> of, two_ended_list rows, window_table table,
                 const index_t* counts, index_t begin, row_target<T> to) {
  __shared__ window_space<T, window_columns> space;
  const index_t number = begin + blockIdx.x;
  const index_t at = number / table.windows;
  const auto k = static_cast<int>(number - at * table.windows);
  if (counts[number] == counts[number + 1]) return;
  const window_of_row window{rows[at], table.bounds[k], table.bounds[k + 1] - table.bounds[k],
                             table.starts + k, table.windows + 1};
  sum_window(of, window, to.places[window.row] + counts[number] - counts[at * table.windows], space,
             to);
}

/// A block of one warp per compact row.
template <class T, int Width>
__global__ void __launch_bounds__(warp_size)
    sum_compact_rows(narrow_product<T> of, const index_t* rows, const std::int32_t* first,
                     row_target<T> to) {
  __shared__ window_space<T, Width> space;
  const window_of_row window{rows[blockIdx.x], first[blockIdx.x], Width, nullptr, 0};
  sum_window(of, window, to.places[window.row], space, to);
}

}  // namespace gossamer::device
