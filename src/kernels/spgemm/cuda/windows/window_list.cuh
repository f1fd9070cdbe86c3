// What the kernels of windows share on the device: the list of rows and the table of windows.
#pragma once

#include "kernels/spgemm/cuda/warp_segments.cuh"
#include "kernels/spgemm/cuda/windows/windowed_rows.hpp"

namespace gossamer::device {

/// A list that is filled from both ends.
struct two_ended_list {
  const index_t* rows;
  index_t size, front, count;
  explicit two_ended_list(const windowed_rows& of)
      : rows(of.cut.data()), size(of.cut.size()), front(of.heavy_rows), count(of.cut_rows) {}
  __device__ index_t operator[](index_t at) const {
    return rows[at < front ? at : size - count + at];
  }
};

/// Where the windows of cut rows begin: in columns, and in every row of B.
struct window_table {
  int windows;
  const std::int32_t *bounds, *starts;
  explicit window_table(const windowed_rows& of)
      : windows(of.windows), bounds(of.bounds.data()), starts(of.starts.data()) {}
};

inline constexpr int loads_in_flight = 4;  ///< groups of 32 multiplications, loaded together

/// A part of a row of B; positions have 32 bits.
struct row_part {
  int begin = 0, end = 0;
};

}  // namespace gossamer::device
