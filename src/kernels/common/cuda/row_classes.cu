#include "kernels/common/cuda/row_classes.cuh"

#include "formats/typed.hpp"

namespace gossamer::device {

namespace {

struct tally {
  unsigned long long for_warps, for_halves, for_groups, pieces, short_rows, short_entries;
};

constexpr index_t pieces_of(index_t length, index_t piece) { return (length + piece - 1) / piece; }

/// Adds the tallies of all threads of the block.
__device__ void add_to(tally* total, const tally& mine) {
  const auto add = [](unsigned long long* to, unsigned long long amount) {
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2)
      amount += __shfl_down_sync(whole_warp, amount, step);
    if (threadIdx.x % warp_size == 0 && amount > 0) atomicAdd(to, amount);
  };
  add(&total->for_warps, mine.for_warps);
  add(&total->for_halves, mine.for_halves);
  add(&total->for_groups, mine.for_groups);
  add(&total->pieces, mine.pieces);
  add(&total->short_rows, mine.short_rows);
  add(&total->short_entries, mine.short_entries);
}

template <class O>
__global__ void __launch_bounds__(cuda::block_size)
    count_rows(const O* offsets, index_t rows, row_limits limits, tally* total) {
  tally mine{};
  for (index_t row = cuda::first_element(); row < rows; row += cuda::element_stride()) {
    const auto length = static_cast<index_t>(offsets[row + 1]) - static_cast<index_t>(offsets[row]);
    if (length <= limits.of_short)
      ++mine.short_rows, mine.short_entries += static_cast<unsigned long long>(length);
    else if (length > limits.for_a_warp)
      mine.pieces += static_cast<unsigned long long>(pieces_of(length, limits.piece));
    else if (length > limits.for_a_half)
      ++mine.for_warps;
    else if (length > limits.for_a_group)
      ++mine.for_halves;
    else
      ++mine.for_groups;
  }
  add_to(total, mine);
}

template <class O>
__global__ void __launch_bounds__(cuda::block_size)
    list_rows(const O* offsets, index_t rows, row_limits limits, tally* taken, index_t* list,
              row_piece* piece) {
  for (index_t row = cuda::first_element(); row < rows; row += cuda::element_stride()) {
    const auto first = static_cast<index_t>(offsets[row]);
    const auto last = static_cast<index_t>(offsets[row + 1]);
    if (last - first <= limits.of_short) continue;
    if (last - first <= limits.for_a_warp) {
      const index_t length = last - first;
      auto* const next = length > limits.for_a_half    ? &taken->for_warps
                         : length > limits.for_a_group ? &taken->for_halves
                                                       : &taken->for_groups;
      list[atomicAdd(next, 1ULL)] = row;
      continue;
    }
    const index_t parts = pieces_of(last - first, limits.piece);
    const auto slot = atomicAdd(&taken->pieces, static_cast<unsigned long long>(parts));
    for (index_t k = 0; k < parts; ++k)
      piece[slot + k] = {row, first + k * limits.piece, min(last, first + (k + 1) * limits.piece),
                         static_cast<std::int32_t>(slot), static_cast<std::int32_t>(parts)};
  }
}

template <class O>
void fill(const context& where, const O* offsets, index_t rows, const row_limits& limits,
          long_rows& found) {
  const auto stream = cuda::stream_of(where);
  const auto blocks = cuda::blocks_for(rows, where.device());
  buffer<tally> counts(1, where.memory());
  cuda::check(cudaMemsetAsync(counts.data(), 0, sizeof(tally), stream), "clearing row counts");
  count_rows<<<blocks, cuda::block_size, 0, stream>>>(offsets, rows, limits, counts.data());
  tally seen{};
  cuda::check(cudaMemcpyAsync(&seen, counts.data(), sizeof seen, cudaMemcpyDeviceToHost, stream),
              "row counts of {} rows", count_text(rows));
  cuda::check(cudaStreamSynchronize(stream), "counting the lengths of {} rows", count_text(rows));
  found.for_warps = static_cast<index_t>(seen.for_warps);
  found.for_halves = static_cast<index_t>(seen.for_halves);
  found.for_groups = static_cast<index_t>(seen.for_groups);
  found.pieces = static_cast<index_t>(seen.pieces);
  found.short_rows = static_cast<index_t>(seen.short_rows);
  found.short_entries = static_cast<index_t>(seen.short_entries);
  const index_t listed = found.for_warps + found.for_halves + found.for_groups;
  if (listed == 0 && found.pieces == 0) return;
  found.list = buffer<index_t>(listed, where.memory());
  found.piece = buffer<row_piece>(found.pieces, where.memory());
  const tally begin{.for_halves = seen.for_warps,  // where the list of each class begins
                    .for_groups = seen.for_warps + seen.for_halves};
  cuda::check(cudaMemcpyAsync(counts.data(), &begin, sizeof begin, cudaMemcpyHostToDevice, stream),
              "where {} long rows are listed", count_text(listed));
  list_rows<<<blocks, cuda::block_size, 0, stream>>>(offsets, rows, limits, counts.data(),
                                                     found.list.data(), found.piece.data());
  cuda::check(cudaGetLastError(), "listing {} long rows", count_text(listed));
}

}  // namespace

partial_sums::partial_sums(const context& where, index_t count) : slots_(count, where.memory()) {
  if (count > 0)
    cuda::check(
        cudaMemsetAsync(slots_.data(), no_sum_yet, static_cast<std::size_t>(count) * sizeof(double),
                        cuda::stream_of(where)),
        "clearing places for {} sums", count_text(count));
}

long_rows find_long_rows(const context& where, index_view offsets, const row_limits& limits) {
  const index_t rows = offsets.size() - 1;
  if (rows <= 0 || cuda::is_captured(cuda::stream_of(where))) return no_long_rows(rows, 0);
  long_rows found;
  found.cutoff = limits.of_short;
  if (offsets.width() == index_width::i32)
    fill(where, detail::raw<std::int32_t>(offsets), rows, limits, found);
  else
    fill(where, detail::raw<std::int64_t>(offsets), rows, limits, found);
  return found;
}

}  // namespace gossamer::device
