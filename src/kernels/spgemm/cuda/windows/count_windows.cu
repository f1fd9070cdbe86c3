#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "kernels/spgemm/cuda/row_hash.cuh"
#include "kernels/spgemm/cuda/windows/window_list.cuh"

namespace gossamer::device {

namespace {

/// Marks the columns of all multiplications of a row in `bits`, from column `first` on. Warps of
/// the block take turns at 32 rows of B; `begins` has a place for each lane of each warp.
__device__ void mark_row(const narrow_structure& of, index_t row, int first, unsigned* bits,
                         int (*begins)[warp_size], int warps) {
  const int warp = static_cast<int>(threadIdx.x) / warp_size % warps, lane = lane_index();
  const index_t end = of.a_offsets[row + 1];
  for (index_t k = of.a_offsets[row] + warp * warp_size; k < end; k += warps * warp_size) {
    row_part part;
    if (k + lane < end) {
      const index_t j = of.a_columns[k + lane];
      part = {static_cast<int>(of.b_offsets[j]), static_cast<int>(of.b_offsets[j + 1])};
    }
    lane_segments<int> segments(part.end - part.begin);
    __syncwarp();
    if (segments.nonempty()) begins[warp][segments.rank()] = part.begin - segments.start();
    __syncwarp();
    for (int t = 0; t < segments.total(); t += warp_size * loads_in_flight) {
      int column[loads_in_flight];
#pragma unroll
      for (int u = 0; u < loads_in_flight; ++u) {
        const int rank = segments.next(t + u * warp_size).rank, at = t + u * warp_size + lane;
        column[u] = -1;
        if (at < segments.total()) column[u] = of.b_columns[begins[warp][rank] + at] - first;
      }
#pragma unroll
      for (int u = 0; u < loads_in_flight; ++u)
        if (column[u] >= 0) atomicOr(&bits[column[u] / 32], 1U << column[u] % 32);
    }
  }
}

/// Set bits among the words [begin, end), counted by one warp.
__device__ int marked(const unsigned* bits, int begin, int end) {
  int found = 0;
  for (int w = begin + lane_index(); w < end; w += warp_size) found += __popc(bits[w]);
  return __reduce_add_sync(whole_warp, found);
}

/// One block per cut row, from row `begin` of the list on, with a bitmap of all columns.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    count_cut_rows(narrow_structure of, two_ended_list rows, index_t begin, window_table table,
                   index_t* counts) {
  extern __shared__ unsigned bits[];
  __shared__ int begins[Threads / warp_size][warp_size];
  const index_t at = begin + blockIdx.x;
  const int words = table.bounds[table.windows] / 32;
  for (int w = static_cast<int>(threadIdx.x); w < words; w += Threads) bits[w] = 0;
  __syncthreads();
  mark_row(of, rows[at], 0, bits, begins, Threads / warp_size);
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x) / warp_size; k < table.windows;
       k += Threads / warp_size) {
    const int found = marked(bits, table.bounds[k] / 32, table.bounds[k + 1] / 32);
    if (lane_index() == 0) counts[at * table.windows + k] = found;
  }
}

inline constexpr int compact_warps = 4;

/// One warp per compact row.
__global__ void __launch_bounds__(compact_warps* warp_size)
    count_compact_rows(narrow_structure of, const index_t* rows, const std::int32_t* first,
                       index_t count, index_t* counts) {
  constexpr int words = compact_columns / 32;
  __shared__ unsigned bits[compact_warps][words];
  __shared__ int begins[compact_warps][warp_size];
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const index_t at = static_cast<index_t>(blockIdx.x) * compact_warps + warp;
  if (at >= count) return;
  for (int w = lane_index(); w < words; w += warp_size) bits[warp][w] = 0;
  __syncwarp();
  mark_row(of, rows[at], first[at], bits[warp], begins + warp, 1);
  __syncwarp();
  const int found = marked(bits[warp], 0, words);
  if (lane_index() == 0) counts[rows[at]] = found;
}

template <int Threads>
void launch_count(const context& where, const product_structure& of, const windowed_rows& rows,
                  index_t begin, index_t end, index_t* counts) {
  if (begin == end) return;
  const auto bytes = static_cast<int>((of.b_shape.cols + 31) / 32 * index_t{sizeof(unsigned)});
  cuda::check(cudaFuncSetAttribute(count_cut_rows<Threads>,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              "{} bytes of shared memory", bytes);
  count_cut_rows<Threads><<<static_cast<unsigned>(end - begin), Threads,
                            static_cast<std::size_t>(bytes), cuda::stream_of(where)>>>(
      narrow_structure(of), two_ended_list(rows), begin, window_table(rows), counts);
}

}  // namespace

void count_windows(const context& where, const product_structure& of, windowed_rows& rows,
                   buffer<index_t>& counts) {
  constexpr int most_threads = 1024, threads = 128;
  if (rows.compact_rows > 0)
    count_compact_rows<<<static_cast<unsigned>((rows.compact_rows + compact_warps - 1) /
                                               compact_warps),
                         compact_warps * warp_size, 0, cuda::stream_of(where)>>>(
        narrow_structure(of), rows.compact.data(), rows.compact_first.data(), rows.compact_rows,
        counts.data());
  if (rows.cut_rows > 0) {
    index_t* const found = rows.counts.data();
    launch_count<most_threads>(where, of, rows, 0, rows.heavy_rows, found);
    launch_count<threads>(where, of, rows, rows.heavy_rows, rows.cut_rows, found);
    cuda::queue_exclusive_sums(where, rows.counts);
    const two_ended_list list(rows);
    const index_t each = rows.windows;
    index_t* const count = counts.data();
    cuda::for_each(where, rows.cut_rows, "counting rows in windows", [=] __device__(index_t at) {
      count[list[at]] = found[(at + 1) * each] - found[at * each];
    });
  }
  cuda::launch_check("counting windows", of.a_shape, rows.cut_rows + rows.compact_rows);
}

}  // namespace gossamer::device
