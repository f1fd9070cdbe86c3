// Rows of C with up to 512 multiplications, one per warp: expand, sort, contract. A key is a column
// and the number of the multiplication, so that sorting keys in registers keeps the order of the
// multiplications within a column: sums have the bits of the reference. Only keys move; values stay
// in shared memory where they were expanded.
#pragma once

#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int sorted_warps = 4;  ///< rows per block

/// Shared memory of a warp for up to `Most` multiplications. Keys are padded by one in 32, so that
/// lanes that hold neighbouring keys store them without bank conflicts.
template <class T, class Key, int Most>
struct sorted_space {
  T values[Most];
  Key keys[Most + Most / warp_size];
  index_t first[warp_size];
  T factor[warp_size];
  __device__ Key& key(int at) { return keys[at + at / warp_size]; }
};

/// Bitonic sort of 32 x Items keys; lane i holds those from i * Items on.
template <int Items, class Key>
__device__ void sort_warp(Key (&keys)[Items]) {
  const int lane = lane_index();
#pragma unroll
  for (int size = 2; size <= warp_size * Items; size *= 2)
#pragma unroll
    for (int stride = size / 2; stride > 0; stride /= 2) {
      if (stride >= Items) {
        const bool upper = (lane & (stride / Items)) != 0;
#pragma unroll
        for (int q = 0; q < Items; ++q) {
          const bool ascending = ((lane * Items + q) & size) == 0;
          const Key other = __shfl_xor_sync(whole_warp, keys[q], stride / Items);
          keys[q] = upper == ascending ? max(keys[q], other) : min(keys[q], other);
        }
      } else {
#pragma unroll
        for (int q = 0; q < Items; ++q)
          if ((q & stride) == 0) {
            const bool ascending = ((lane * Items + q) & size) == 0;
            const Key low = min(keys[q], keys[q | stride]), high = max(keys[q], keys[q | stride]);
            keys[q] = ascending ? low : high;
            keys[q | stride] = ascending ? high : low;
          }
      }
    }
}

template <int Items, class Space, class Key>
__device__ void sort_keys(Space& space, int total, Key) {
  Key keys[Items];
  const int first = lane_index() * Items;
#pragma unroll
  for (int q = 0; q < Items; ++q) keys[q] = first + q < total ? space.key(first + q) : ~Key{0};
  sort_warp(keys);
  __syncwarp();
#pragma unroll
  for (int q = 0; q < Items; ++q)
    if (first + q < total) space.key(first + q) = keys[q];
  __syncwarp();
}

/// Puts the multiplications of a row into shared memory; returns their number.
template <int Bits, class Product, class Arithmetic, class Space>
__device__ int expand_row(const Product& of, const Arithmetic& by, index_t row, bool with_values,
                          Space& space) {
  const int lane = lane_index();
  const index_t end = of.a.offsets[row + 1];
  int done = 0;
  for (index_t k = of.a.offsets[row]; k < end; k += warp_size) {
    index_t begin = 0;
    int length = 0;
    if (k + lane < end) {
      const index_t j = of.a.columns[k + lane];
      begin = of.b.offsets[j];
      length = static_cast<int>(of.b.offsets[j + 1] - begin);
    }
    lane_segments<int> segments(length);
    __syncwarp();
    if (segments.nonempty()) {
      space.first[segments.rank()] = begin - segments.start();
      if (with_values) space.factor[segments.rank()] = of.a.values[k + lane];
    }
    __syncwarp();
    for (int t = 0; t < segments.total(); t += warp_size) {
      const auto window = segments.next(t);
      const int mine = t + lane;
      if (mine >= segments.total()) continue;
      const index_t p = space.first[window.rank] + mine;
      using key = std::remove_reference_t<decltype(space.key(0))>;
      space.key(done + mine) =
          static_cast<key>(of.b.columns[p]) << Bits | static_cast<key>(done + mine);
      if (with_values)
        space.values[done + mine] = by.multiply(space.factor[window.rank], of.b.values[p]);
    }
    done += segments.total();
  }
  __syncwarp();
  return done;
}

/// Adds up runs of equal columns and stores them; returns their number.
template <int Bits, class Product, class Arithmetic, class Space, class T>
__device__ int contract_row(const Product& of, const Arithmetic& by, expanded_row mine,
                            const row_target<T>& to, Space& space) {
  const auto [row, total] = mine;
  constexpr unsigned number = (1U << Bits) - 1;
  const index_t place = to.fills() ? to.places[row] : 0;
  int found = 0;
  for (int first = 0; first < total; first += warp_size) {
    const int at = first + lane_index();
    bool head = false;
    index_t column = 0;
    if (at < total) {
      column = static_cast<index_t>(space.key(at) >> Bits);
      head = (at == 0 || static_cast<index_t>(space.key(at - 1) >> Bits) != column) &&
             by.admits(row, column);
    }
    const unsigned heads = __ballot_sync(whole_warp, head);
    if (head && to.fills()) {
      T sum = by.identity();
      for (int k = at; k < total && static_cast<index_t>(space.key(k) >> Bits) == column; ++k)
        sum = by.add(sum, space.values[static_cast<unsigned>(space.key(k)) & number]);
      const index_t slot = place + found + __popc(heads & lanes_below());
      to.columns.set(slot, column);
      to.values[slot] = exact_product(of.alpha, sum);
    }
    found += __popc(heads);
  }
  __syncwarp();
  return found;
}

/// Sorts more than 64 keys, at most Most.
template <int Most, class Space, class Key>
__device__ void sort_many(Space& space, int total, Key kind) {
  if constexpr (Most >= 128)
    if (total <= 128) return sort_keys<4>(space, total, kind);
  if constexpr (Most >= 512)
    return total <= 256 ? sort_keys<8>(space, total, kind) : sort_keys<16>(space, total, kind);
}

/// Most: 64, 128 or 512 multiplications in a row. Key: 32 bits where columns and numbers fit.
template <int Most, class Key, class Product, class Arithmetic, class T>
__global__ void __launch_bounds__(sorted_warps* warp_size)
    sorted_rows(Product of, Arithmetic by, row_list rows, row_target<T> to) {
  constexpr int bits = Most <= 128 ? 7 : 9;
  extern __shared__ __align__(16) unsigned char shared[];
  auto& space = reinterpret_cast<sorted_space<T, Key, Most>*>(shared)[threadIdx.x / warp_size];
  const index_t at = blockIdx.x * index_t{sorted_warps} + threadIdx.x / warp_size;
  if (at >= rows.count) return;
  const index_t row = rows[at];
  const int total = expand_row<bits>(of, by, row, to.fills(), space);
  if (total <= 32)
    sort_keys<1>(space, total, Key{});
  else if (total <= 64)
    sort_keys<2>(space, total, Key{});
  else
    sort_many<Most>(space, total, Key{});
  const int found = contract_row<bits>(of, by, {row, total}, to, space);
  if (to.counts && lane_index() == 0) to.counts[row] = found;
}

}  // namespace gossamer::device
