// Rows of C with few multiplications, one per thread. A warp expands its 32 rows together, so that
// loads are contiguous and no lane waits for a longer row; then every thread sorts the keys of its
// row in registers by a network and adds up; then the warp stores all 32 rows together. A key is a
// column and the number of the multiplication: sums have the order, and the bits, of the reference.
#pragma once

#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int thread_row_warps = 2;  ///< per block
/// Windows of 32 multiplications whose loads are in flight at once.
inline constexpr int windows_in_flight = 4;

/// Shared memory of a warp; a row has an odd number of places, so that threads read their rows
/// without bank conflicts.
template <class T, int Most>
struct thread_rows_space {
  static constexpr int step = Most + 1;
  T values[warp_size * step];
  std::uint32_t columns[warp_size * step];
  index_t a_first[warp_size], first[warp_size];
  T factor[warp_size];
  int owner[warp_size], into[warp_size];
};

/// Batcher's network of odd-even merges.
template <int Count>
__device__ void sort_registers(unsigned (&keys)[Count]) {
#pragma unroll
  for (int run = 1; run < Count; run *= 2)
#pragma unroll
    for (int apart = run; apart >= 1; apart /= 2)
#pragma unroll
      for (int k = 0; k < Count; ++k) {
        // k is the lower end of a comparator of this step.
        const int offset = k - apart % run;
        const bool lower = offset >= 0 && offset / apart % 2 == 0 && k + apart < Count &&
                           k / (2 * run) == (k + apart) / (2 * run);
        if (lower) {
          const unsigned low = min(keys[k], keys[k + apart]);
          keys[k + apart] = max(keys[k], keys[k + apart]);
          keys[k] = low;
        }
      }
}

/// A nonzero of A, the row of B that it selects, and where its multiplications go.
template <class T>
struct selected_row {
  index_t begin = 0;
  int length = 0, into = 0;
  T factor = 0;
};

/// The multiplications of up to 32 nonzeros of A, one per lane; returns their number.
template <class Product, class Space, class T>
__device__ int expand_selected(const Product& of, const selected_row<T>& mine, bool with_values,
                               int done, Space& space) {
  lane_segments<int> segments(mine.length);
  __syncwarp();
  if (segments.nonempty()) {
    space.first[segments.rank()] = mine.begin - segments.start();
    space.factor[segments.rank()] = mine.factor;
    space.into[segments.rank()] = mine.into + done;
  }
  __syncwarp();
  for (int t = 0; t < segments.total(); t += warp_size * windows_in_flight) {
    int place[windows_in_flight];
    std::uint32_t column[windows_in_flight];
    T value[windows_in_flight];
#pragma unroll
    for (int u = 0; u < windows_in_flight; ++u) {
      const int segment = segments.next(t + u * warp_size).rank;
      const int at = t + u * warp_size + lane_index();
      place[u] = -1;
      if (at < segments.total()) {
        const index_t p = space.first[segment] + at;
        place[u] = space.into[segment] + at;
        column[u] = static_cast<std::uint32_t>(of.b.columns[p]);
        if (with_values) value[u] = exact_product(space.factor[segment], of.b.values[p]);
      }
    }
#pragma unroll
    for (int u = 0; u < windows_in_flight; ++u)
      if (place[u] >= 0) {
        space.columns[place[u]] = column[u];
        if (with_values) space.values[place[u]] = value[u];
      }
  }
  return segments.total();
}

/// Expands the rows of all lanes; `products` is the number of multiplications of this lane's row.
/// Each lane looks at several nonzeros of A at a time, so that their loads overlap.
template <class Product, class Space>
__device__ void expand_rows(const Product& of, index_t row, int products, bool with_values,
                            Space& space) {
  using T = typename Product::value;
  constexpr int at_once = 4;
  const int lane = lane_index();
  const bool live = products > 0;
  const index_t a_begin = live ? of.a.offsets[row] : 0;
  lane_segments<index_t> rows(live ? of.a.offsets[row + 1] - a_begin : 0);
  const int before = lane * Space::step - sums_of_lanes(products).before;
  if (rows.nonempty()) {
    space.a_first[rows.rank()] = a_begin - rows.start();
    space.owner[rows.rank()] = lane;
  }
  __syncwarp();
  int done = 0;
  for (index_t k = 0; k < rows.total(); k += at_once * warp_size) {
    selected_row<T> mine[at_once];
    index_t j[at_once];
#pragma unroll
    for (int c = 0; c < at_once; ++c) {
      const index_t first = k + c * warp_size;
      const int rank = max(rows.next(first).rank, 0);
      mine[c].into = __shfl_sync(whole_warp, before, space.owner[rank] & (warp_size - 1));
      j[c] = -1;
      if (first + lane < rows.total()) {
        const index_t at = space.a_first[rank] + first + lane;
        j[c] = of.a.columns[at];
        if (with_values) mine[c].factor = of.a.values[at];
      }
    }
#pragma unroll
    for (int c = 0; c < at_once; ++c)
      if (j[c] >= 0) {
        mine[c].begin = of.b.offsets[j[c]];
        mine[c].length = static_cast<int>(of.b.offsets[j[c] + 1] - mine[c].begin);
      }
#pragma unroll
    for (int c = 0; c < at_once; ++c)
      if (k + c * warp_size < rows.total())
        done += expand_selected(of, mine[c], with_values, done, space);
  }
  __syncwarp();
}

/// Sorts and contracts this thread's row in place; returns its nonzeros.
template <int Most, int Bits, class Space, class T>
__device__ int contract_registers(Space& space, int products, bool with_values, T alpha) {
  constexpr unsigned number = (1U << Bits) - 1, none = ~0U;
  const int row = lane_index() * Space::step;
  unsigned keys[Most];
#pragma unroll
  for (int k = 0; k < Most; ++k)
    keys[k] = k < products ? space.columns[row + k] << Bits | static_cast<unsigned>(k) : none;
  sort_registers(keys);
  int found = 0;
  if (!with_values) {
#pragma unroll
    for (int k = 0; k < Most; ++k)
      found += k < products && (k == 0 || keys[k] >> Bits != keys[max(k - 1, 0)] >> Bits);
    return found;
  }
  T sums[Most];
#pragma unroll
  for (int k = 0; k < Most; ++k)
    if (k < products) {
      const T value = space.values[row + static_cast<int>(keys[k] & number)];
      const bool same = k > 0 && keys[k] >> Bits == keys[max(k - 1, 0)] >> Bits;
      sums[k] = (same ? sums[max(k - 1, 0)] : T{0}) + value;
    }
#pragma unroll
  for (int k = 0; k < Most; ++k)
    if (k < products &&
        (k + 1 == products || keys[k] >> Bits != keys[min(k + 1, Most - 1)] >> Bits)) {
      space.columns[row + found] = keys[k] >> Bits;
      space.values[row + found] = exact_product(alpha, sums[k]);
      ++found;
    }
  return found;
}

/// Stores the rows of all lanes.
template <class Space, class T>
__device__ void store_rows(Space& space, int found, index_t place, const row_target<T>& to) {
  lane_segments<int> rows(found);
  __syncwarp();
  if (rows.nonempty()) {
    space.first[rows.rank()] = place - rows.start();
    space.into[rows.rank()] = lane_index() * Space::step - rows.start();
  }
  __syncwarp();
  for (int t = 0; t < rows.total(); t += warp_size) {
    const int rank = rows.next(t).rank;
    const int mine = t + lane_index();
    if (mine >= rows.total()) continue;
    const index_t slot = space.first[rank] + mine;
    to.columns.set(slot, space.columns[space.into[rank] + mine]);
    to.values[slot] = space.values[space.into[rank] + mine];
  }
}

/// `products` has the multiplications of every row of C; those of the listed rows are at most Most.
template <int Most, class Product, class T>
__global__ void __launch_bounds__(thread_row_warps* warp_size)
    thread_rows(Product of, const index_t* products, row_list rows, row_target<T> to) {
  constexpr int bits = Most <= 16 ? 4 : Most <= 32 ? 5 : 6;
  extern __shared__ __align__(16) unsigned char shared[];
  auto& space = reinterpret_cast<thread_rows_space<T, Most>*>(shared)[threadIdx.x / warp_size];
  const index_t at = blockIdx.x * index_t{thread_row_warps * warp_size} + threadIdx.x;
  const bool listed = at < rows.count;
  const index_t row = listed ? rows[at] : 0;
  const int mine = listed ? static_cast<int>(products[row]) : 0;
  expand_rows(of, row, mine, to.fills(), space);
  const int found = contract_registers<Most, bits>(space, mine, to.fills(), of.alpha);
  if (to.counts && listed) to.counts[row] = found;
  if (to.fills()) store_rows(space, found, listed ? to.places[row] : 0, to);
}

}  // namespace gossamer::device
