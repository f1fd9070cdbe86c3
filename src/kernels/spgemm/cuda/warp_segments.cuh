// Walks through many short segments with all lanes of a warp busy. Lane i brings segment i:
// `length` elements. Elements of all segments are taken in order, 32 at a time: the starts of
// segments in a window of 32 elements are bits of a mask that one reduction collects, so that each
// lane counts bits to find the segment of its element.
#pragma once

#include "kernels/spgemm/cuda/product_rows.cuh"

namespace gossamer::device {

__device__ inline int lane_index() { return static_cast<int>(threadIdx.x) % warp_size; }
__device__ inline unsigned lanes_below() { return (1U << lane_index()) - 1; }
__device__ inline unsigned lanes_up_to() { return ~0U >> (warp_size - 1 - lane_index()); }

/// Sum over the lanes below this one, and over all.
template <class N>
struct lane_sums {
  N before, all;
};
template <class N>
__device__ lane_sums<N> sums_of_lanes(N mine) {
  N sum = mine;
#pragma unroll
  for (int step = 1; step < warp_size; step *= 2) {
    const N other = __shfl_up_sync(whole_warp, sum, step);
    if (lane_index() >= step) sum += other;
  }
  return {sum - mine, __shfl_sync(whole_warp, sum, warp_size - 1)};
}

/// The segments of up to 32 lanes, empty ones left out. N: int, or index_t where there may be more
/// than 2^31 elements.
template <class N>
class lane_segments {
 public:
  __device__ explicit lane_segments(N length)
      : nonempty_(__ballot_sync(whole_warp, length > 0)), length_(length) {
    const auto sums = sums_of_lanes(length);
    start_ = sums.before;
    total_ = sums.all;
  }
  __device__ N total() const { return total_; }
  /// Elements before the segment of this lane.
  __device__ N start() const { return start_; }
  /// The place of this lane's segment among those that are not empty.
  __device__ int rank() const { return __popc(nonempty_ & lanes_below()); }
  __device__ bool nonempty() const { return length_ > 0; }

  /// The next 32 elements from `first` on, which must follow the last window: rank of the segment
  /// of this lane's element, and whether they belong to several segments.
  struct window {
    int rank;
    bool mixed;
  };
  __device__ window next(N first) {
    const N ahead = start_ - first;
    const unsigned mine =
        length_ > 0 && ahead >= 0 && ahead < warp_size ? 1U << static_cast<int>(ahead) : 0U;
    const unsigned starts = __reduce_or_sync(whole_warp, mine);
    const int rank = passed_ + __popc(starts & lanes_up_to()) - 1;
    passed_ += __popc(starts);
    return {rank, (starts & ~1U) != 0};
  }

 private:
  unsigned nonempty_;
  N length_, start_, total_;
  int passed_ = 0;  // segments that started before the window
};

}  // namespace gossamer::device
