// Indices of either width in device code: one uniform branch. For code bound by memory; compute
// kernels have the widths as types.
#pragma once

#include <cstdint>

#include "gossamer/memory.hpp"

namespace gossamer::cuda {

class index_reader {
 public:
  index_reader(index_view from) : data_(from.data()), wide_(from.width() == index_width::i64) {}
  __device__ index_t operator[](index_t i) const {
    return wide_ ? static_cast<const std::int64_t*>(data_)[i]
                 : static_cast<const std::int32_t*>(data_)[i];
  }

 private:
  const void* data_;
  bool wide_;
};

class index_writer {
 public:
  index_writer(index_span to) : data_(to.data()), wide_(to.width() == index_width::i64) {}
  __device__ void set(index_t i, index_t value) const {
    if (wide_)
      static_cast<std::int64_t*>(data_)[i] = value;
    else
      static_cast<std::int32_t*>(data_)[i] = static_cast<std::int32_t>(value);
  }

 private:
  void* data_;
  bool wide_;
};

/// The first place in [0, count) whose element is not below `wanted`; `count` when there is none.
/// Positions have the type of `count`: csc/scatter counts columns of a tile in 32 bits, since 64
/// were slower (docs/notes/spmv-cuda.md, "Transposed products").
template <class Sorted, class Position, class Wanted>
__device__ Position first_not_below(const Sorted& sorted, Position count, Wanted wanted) {
  Position low = 0, high = count;
  while (low < high) {
    const Position middle = low + (high - low) / 2;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace gossamer::cuda
