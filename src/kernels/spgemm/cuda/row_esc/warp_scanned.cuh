// Rows of C of the warp group, one per warp: expanded into shared memory, sorted in registers by
// keys of a column and the number of the multiplication, contracted by a segmented scan.
#pragma once

#include "kernels/spgemm/cuda/row_esc/segmented_scan.cuh"
#include "kernels/spgemm/cuda/sorted_rows.cuh"

namespace gossamer::device {

inline constexpr int scanned_warps = 4;  ///< rows per block

/// Bits of the number of a multiplication in a key, by keys of a lane.
constexpr int number_bits(int items) { return items <= 4 ? 7 : 10; }

/// Shared memory of a warp, for as many multiplications as the launch asks for.
template <class T, class Key>
struct scanned_space {
  index_t* first;
  Key* keys;
  T* values;
  T* factor;

  /// Padded by one in 32, as sorted_space has it.
  static constexpr std::size_t key_bytes(int most) {
    return (static_cast<std::size_t>(most + most / warp_size) * sizeof(Key) + 15) / 16 * 16;
  }
  static constexpr std::size_t value_bytes(int most) {
    return (static_cast<std::size_t>(most) * sizeof(T) + 15) / 16 * 16;
  }
  static constexpr std::size_t bytes(int most) {
    return warp_size * sizeof(index_t) + key_bytes(most) + value_bytes(most) +
           warp_size * sizeof(T);
  }
  __device__ scanned_space(unsigned char* data, int most)
      : first(reinterpret_cast<index_t*>(data)),
        keys(reinterpret_cast<Key*>(data + warp_size * sizeof(index_t))),
        values(reinterpret_cast<T*>(data + warp_size * sizeof(index_t) + key_bytes(most))),
        factor(reinterpret_cast<T*>(data + warp_size * sizeof(index_t) + key_bytes(most) +
                                    value_bytes(most))) {}
  __device__ Key& key(int at) const { return keys[at + at / warp_size]; }
};

/// Sorted keys: a column above the number of the multiplication.
template <int Bits, class Space>
struct packed_in_warp {
  const Space& space;
  __device__ index_t column(int at) const { return static_cast<index_t>(space.key(at) >> Bits); }
  __device__ int number(int at) const {
    return static_cast<int>(static_cast<unsigned>(space.key(at)) & ((1U << Bits) - 1));
  }
};

/// Items: keys of a lane, 4 or 32. Rows have at most `most` multiplications, and that is at most
/// 32 Items.
template <int Items, class Key, class Product, class T>
__global__ void __launch_bounds__(scanned_warps* warp_size)
    warp_scanned_rows(Product of, int most, row_list rows, row_target<T> to) {
  constexpr int bits = number_bits(Items);
  using space_type = scanned_space<T, Key>;
  extern __shared__ __align__(16) unsigned char shared[];
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const index_t at = blockIdx.x * index_t{scanned_warps} + warp;
  if (at >= rows.count) return;  // the whole warp, and warps do not wait for each other
  space_type space(shared + static_cast<std::size_t>(warp) * space_type::bytes(most), most);
  const index_t row = rows[at];
  const int total = expand_row<bits>(of, ordinary<T>{}, row, to.fills(), space);
  if constexpr (Items <= 4) {
    if (total <= 32)
      sort_keys<1>(space, total, Key{});
    else if (total <= 64)
      sort_keys<2>(space, total, Key{});
    else
      sort_keys<4>(space, total, Key{});
  } else {
    if (total <= 256)
      sort_keys<8>(space, total, Key{});
    else if (total <= 512)
      sort_keys<16>(space, total, Key{});
    else
      sort_keys<32>(space, total, Key{});
  }
  const int found = contract_in_warp(packed_in_warp<bits, space_type>{space}, space.values, total,
                                     row_output<T>(to, row, of.alpha));
  if (to.counts && lane_index() == 0) to.counts[row] = found;
}

}  // namespace gossamer::device
