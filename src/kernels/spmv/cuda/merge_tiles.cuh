// The merge path over the offsets of a compressed matrix on a device, split into equal tiles for
// blocks.
#pragma once

#include "backends/cuda/launch.cuh"
#include "gossamer/memory.hpp"
#include "kernels/common/merge_path.hpp"

namespace gossamer::device {

constexpr index_t merge_tiles(index_t lines, index_t entries, index_t tile) {
  return (lines + entries + tile - 1) / tile;
}

template <class O>
__global__ void __launch_bounds__(cuda::block_size)
    find_cuts(const O* offsets, index_t lines, index_t path, index_t tile, index_t count,
              merge_coordinate* cuts) {
  for (index_t c = cuda::first_element(); c < count; c += cuda::element_stride())
    cuts[c] = merge_search(min(path, c * tile), offsets, lines);
}

/// Computes where tiles begin, and where the last one ends. `lines` are rows of CSR or columns of
/// CSC.
template <class O>
buffer<merge_coordinate> merge_cuts(const context& where, const O* offsets, index_t lines,
                                    index_t entries, index_t tile) {
  buffer<merge_coordinate> cuts(merge_tiles(lines, entries, tile) + 1, where.memory());
  find_cuts<<<cuda::blocks_for(cuts.size(), where.device()), cuda::block_size, 0,
              cuda::stream_of(where)>>>(offsets, lines, lines + entries, tile, cuts.size(),
                                        cuts.data());
  cuda::check(cudaGetLastError(), "cutting a path of {} steps", count_text(lines + entries));
  return cuts;
}

}  // namespace gossamer::device
