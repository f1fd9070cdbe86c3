#include "kernels/shared/row_classes.cuh"

#include "formats/typed.hpp"

namespace gossamer::device {

namespace {

struct tally {
  unsigned long long listed, pieces, short_rows, short_entries;
};

constexpr index_t pieces_of(index_t length) { return (length + piece_entries - 1) / piece_entries; }

/// Adds up what `mine` says of each thread's rows.
__device__ void add_to(tally* total, const tally& mine) {
  const auto add = [](unsigned long long* to, unsigned long long amount) {
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2)
      amount += __shfl_down_sync(whole_warp, amount, step);
    if (threadIdx.x % warp_size == 0 && amount > 0) atomicAdd(to, amount);
  };
  add(&total->listed, mine.listed);
  add(&total->pieces, mine.pieces);
  add(&total->short_rows, mine.short_rows);
  add(&total->short_entries, mine.short_entries);
}

template <class O>
__global__ void __launch_bounds__(cuda::block_size)
    count_rows(const O* offsets, index_t rows, index_t cutoff, tally* total) {
  tally mine{};
  for (index_t row = cuda::first_element(); row < rows; row += cuda::element_stride()) {
    const auto length = static_cast<index_t>(offsets[row + 1]) - static_cast<index_t>(offsets[row]);
    if (length > cutoff && length > longest_for_a_warp)
      mine.pieces += static_cast<unsigned long long>(pieces_of(length));
    else if (length > cutoff)
      ++mine.listed;
    else
      ++mine.short_rows, mine.short_entries += static_cast<unsigned long long>(length);
  }
  add_to(total, mine);
}

template <class O>
__global__ void __launch_bounds__(cuda::block_size)
    list_rows(const O* offsets, index_t rows, index_t cutoff, tally* taken, index_t* list,
              row_piece* piece) {
  for (index_t row = cuda::first_element(); row < rows; row += cuda::element_stride()) {
    const auto first = static_cast<index_t>(offsets[row]);
    const auto last = static_cast<index_t>(offsets[row + 1]);
    if (last - first <= cutoff) continue;
    if (last - first <= longest_for_a_warp) {
      list[atomicAdd(&taken->listed, 1ULL)] = row;
      continue;
    }
    const index_t parts = pieces_of(last - first);
    const auto slot = atomicAdd(&taken->pieces, static_cast<unsigned long long>(parts));
    for (index_t k = 0; k < parts; ++k)
      piece[slot + k] = {row, first + k * piece_entries, min(last, first + (k + 1) * piece_entries),
                         static_cast<std::int32_t>(slot), static_cast<std::int32_t>(parts)};
  }
}

template <class O>
void fill(const context& where, const O* offsets, index_t rows, long_rows& found) {
  const auto stream = cuda::stream_of(where);
  const auto blocks = cuda::blocks_for(rows, where.device());
  buffer<tally> counts(1, where.memory());
  cuda::check(cudaMemsetAsync(counts.data(), 0, sizeof(tally), stream), "clearing row counts");
  count_rows<<<blocks, cuda::block_size, 0, stream>>>(offsets, rows, found.cutoff, counts.data());
  tally seen{};
  cuda::check(cudaMemcpyAsync(&seen, counts.data(), sizeof seen, cudaMemcpyDeviceToHost, stream),
              "row counts of {} rows", count_text(rows));
  cuda::check(cudaStreamSynchronize(stream), "counting the lengths of {} rows", count_text(rows));
  found.listed = static_cast<index_t>(seen.listed);
  found.pieces = static_cast<index_t>(seen.pieces);
  found.short_rows = static_cast<index_t>(seen.short_rows);
  found.short_entries = static_cast<index_t>(seen.short_entries);
  if (found.listed == 0 && found.pieces == 0) return;
  found.list = buffer<index_t>(found.listed, where.memory());
  found.piece = buffer<row_piece>(found.pieces, where.memory());
  found.partials = buffer<double>(found.pieces, where.memory());
  found.arrived = buffer<std::uint32_t>(found.pieces, where.memory());
  if (found.pieces > 0)
    cuda::check(
        cudaMemsetAsync(found.arrived.data(), 0,
                        static_cast<std::size_t>(found.pieces) * sizeof(std::uint32_t), stream),
        "clearing the counters of {} pieces", count_text(found.pieces));
  cuda::check(cudaMemsetAsync(counts.data(), 0, sizeof(tally), stream), "clearing row counts");
  list_rows<<<blocks, cuda::block_size, 0, stream>>>(offsets, rows, found.cutoff, counts.data(),
                                                     found.list.data(), found.piece.data());
  cuda::check(cudaGetLastError(), "listing {} long rows", count_text(found.listed));
}

}  // namespace

long_rows find_long_rows(const context& where, index_view offsets, index_t cutoff) {
  long_rows found;
  found.cutoff = cutoff;
  const index_t rows = offsets.size() - 1;
  if (rows <= 0) return found;
  if (cuda::is_captured(cuda::stream_of(where))) {
    found.cutoff = std::numeric_limits<index_t>::max();
    found.short_rows = rows;
    return found;
  }
  if (offsets.width() == index_width::i32)
    fill(where, detail::raw<std::int32_t>(offsets), rows, found);
  else
    fill(where, detail::raw<std::int64_t>(offsets), rows, found);
  return found;
}

}  // namespace gossamer::device
