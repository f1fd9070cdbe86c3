#include "kernels/spgemm/cuda/row_work.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "kernels/spgemm/cuda/counted_operands.cuh"
#include "kernels/spgemm/cuda/patterns/row_patterns.hpp"
#include "kernels/spgemm/cuda/row_hash.cuh"

namespace gossamer::device {

namespace {

/// Rows of A beyond this many nonzeros per lane are counted by a block each.
constexpr index_t longest_for_a_lane = 128;
/// Rows of A beyond this many nonzeros are no part of a mesh.
constexpr index_t longest_repeated = 1024;
constexpr int long_row_blocks = 512;
constexpr int count_blocks_each = 8;  // per multiprocessor

/// Rows whose patterns are compared: enough to see repetition, few enough to take no time.
constexpr int most_samples = 256;
/// Up to so many different ones among them, rows repeat. With 128, patterns of triangulations were
/// looked for in vain, which took a quarter of their products. With fewer rows than this, looking
/// costs more than it saves (docs/kernels/spgemm-cuda.md, a grid of 100 x 100).
constexpr int repeated_samples = 48;
constexpr index_t least_rows_to_sample = 65'536;

/// Numbers that the device counts and the host reads, all 64 bits.
struct device_totals {
  unsigned long long rows[row_classes_count];
  unsigned long long small, large;  ///< multiplications of rows that are not, and that are large
  unsigned long long most;          ///< multiplications of one row
  unsigned long long long_rows;     ///< counted by a block each
  unsigned long long longer;        ///< a row has more nonzeros than rows of meshes
  unsigned long long sample[most_samples];  ///< hashes of the patterns of some rows
  unsigned long long spread, spans;  ///< of these rows of A: those with two columns or more, and
                                     ///< columns from their first to their last, added up
};

__device__ int class_of(index_t products) {
  return (products > 0) + (products > 16) + (products > 32) + (products > 64) + (products > 128) +
         (products > 512);
}
static_assert(class_limits == std::array<index_t, 6>{0, 16, 32, 64, 128, 512});

/// Rows of each class and multiplications that a thread has seen: counts are bytes of one word, so
/// that no branch and no memory is needed per row.
class thread_totals {
 public:
  __device__ void add(index_t products, device_totals* to) {
    counts_ += 1ULL << 8 * class_of(products);
    (products > class_limits.back() ? large_ : small_) += products;
    most_ = max(most_, products);
    if (++seen_ < 255) return;
    for (int k = 0; k < row_classes_count; ++k)
      atomicAdd(&to->rows[k], static_cast<unsigned long long>(count(k)));
    counts_ = 0;
    seen_ = 0;
  }
  /// Adds up the block, whose threads must all call this: atomics of one address take turns.
  __device__ void flush(device_totals* to) {
    __shared__ unsigned rows[row_classes_count];
    __shared__ unsigned long long small, large, most;
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < row_classes_count) rows[thread] = 0;
    if (thread == 0) small = large = most = 0;
    __syncthreads();
    for (int k = 0; k < row_classes_count; ++k) {
      const unsigned mine = __reduce_add_sync(whole_warp, count(k));
      if (lane_index() == 0 && mine > 0) atomicAdd(&rows[k], mine);
    }
    const index_t of_small = group_sum<warp_size>(small_), of_large = group_sum<warp_size>(large_);
    index_t greatest = most_;
    for (int step = warp_size / 2; step > 0; step /= 2)
      greatest = max(greatest, __shfl_xor_sync(whole_warp, greatest, step));
    if (lane_index() == 0) {
      atomicAdd(&small, static_cast<unsigned long long>(of_small));
      atomicAdd(&large, static_cast<unsigned long long>(of_large));
      atomicMax(&most, static_cast<unsigned long long>(greatest));
    }
    __syncthreads();
    if (thread < row_classes_count && rows[thread] > 0)
      atomicAdd(&to->rows[thread], static_cast<unsigned long long>(rows[thread]));
    if (thread != 0) return;
    if (small > 0) atomicAdd(&to->small, small);
    if (large > 0) atomicAdd(&to->large, large);
    if (most > 0) atomicMax(&to->most, most);
  }

 private:
  __device__ unsigned count(int row_class) const {
    return static_cast<unsigned>(counts_ >> 8 * row_class) & 255U;
  }
  unsigned long long counts_ = 0;
  index_t small_ = 0, large_ = 0, most_ = 0;
  int seen_ = 0;
};
static_assert(row_classes_count <= 8);

/// Width lanes per row. Long rows go to the end of `list`.
template <int Width>
__global__ void __launch_bounds__(count_threads)
    count_rows(counted_operands of, index_t* products, index_t* long_list, device_totals* totals) {
  thread_totals mine;
  constexpr int rows_at_once = count_threads / Width;
  const int lane = static_cast<int>(threadIdx.x) % Width;
  const index_t stride = static_cast<index_t>(gridDim.x) * rows_at_once;
  for (index_t first = static_cast<index_t>(blockIdx.x) * rows_at_once; first < of.rows;
       first += stride) {
    const index_t row = first + threadIdx.x / Width;
    index_t sum = 0;
    bool long_row = false;
    if (row < of.rows) {
      const index_t begin = of.a_offsets[row], end = of.a_offsets[row + 1];
      long_row = end - begin > longest_for_a_lane * Width;
      if (!long_row) {
#pragma unroll 4
        for (index_t k = begin + lane; k < end; k += Width) sum += of.products_of(k);
      }
    }
    sum = group_sum<Width>(sum);
    if (row < of.rows && lane == 0) {
      if (long_row) {
        long_list[atomicAdd(&totals->long_rows, 1ULL)] = row;
      } else {
        products[row] = sum;
        mine.add(sum, totals);
      }
    }
  }
  mine.flush(totals);
}

__global__ void __launch_bounds__(count_threads)
    count_long_rows(counted_operands of, index_t* products, const index_t* long_list,
                    device_totals* totals) {
  thread_totals mine;
  __shared__ index_t warp_sums[count_threads / warp_size];
  const index_t count = static_cast<index_t>(totals->long_rows);
  if (blockIdx.x >= count) return;  // the whole block
  for (index_t at = blockIdx.x; at < count; at += gridDim.x) {
    const index_t row = long_list[at], end = of.a_offsets[row + 1];
    index_t sum = 0;
    for (index_t k = of.a_offsets[row] + threadIdx.x; k < end; k += count_threads)
      sum += of.products_of(k);
    sum = block_sum<count_threads>(sum, warp_sums);
    if (threadIdx.x == 0) {
      if (end - of.a_offsets[row] > longest_repeated) totals->longer = 1;
      products[row] = sum;
      mine.add(sum, totals);
    }
    __syncthreads();
  }
  mine.flush(totals);
}

/// A warp hashes the pattern of a row: a lane a row of B that is added.
__global__ void __launch_bounds__(count_threads)
    sample_patterns(narrow_structure of, index_t stride, int samples, device_totals* totals) {
  const int sample = static_cast<int>(cuda::first_element() / warp_size);
  if (sample >= samples) return;
  const index_t row = sample * stride;
  const index_t begin = of.a_offsets[row], end = of.a_offsets[row + 1];
  const index_t shown = min(end, begin + 2 * warp_size);  // a sample: the rest hardly matters
  unsigned long long hash = static_cast<unsigned long long>(end - begin);
  const std::int32_t base = begin < end ? first_column(of, of.a_columns[begin]) : 0;
  unsigned long long mine = 0;
  int least = std::numeric_limits<int>::max(), greatest = 0;
  for (index_t k = begin + lane_index(); k < shown; k += warp_size) {
    const std::int32_t j = of.a_columns[k];
    least = min(least, j);
    greatest = max(greatest, j);
    const auto apart = static_cast<unsigned>(first_column(of, j) - base);
    mine += mixed(hash_of_row(of, j, 64),
                  static_cast<unsigned long long>(apart) << 32 | static_cast<unsigned>(k - begin));
  }
  for (int step = warp_size / 2; step > 0; step /= 2)
    mine += __shfl_xor_sync(whole_warp, mine, step);
  least = __reduce_min_sync(whole_warp, least);
  greatest = __reduce_max_sync(whole_warp, greatest);
  if (lane_index() != 0) return;
  totals->sample[sample] = mixed(hash, mine);
  if (least >= greatest) return;
  atomicAdd(&totals->spread, 1ULL);
  atomicAdd(&totals->spans, static_cast<unsigned long long>(greatest - least));
}

/// Writes rows to the places of their class. Their order within a class is no matter; neighbours
/// stay together, since a block takes consecutive places.
__global__ void __launch_bounds__(count_threads)
    list_rows(const index_t* products, index_t rows, unsigned long long* next, index_t* list) {
  __shared__ unsigned found[row_classes_count];
  __shared__ unsigned long long base[row_classes_count];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < row_classes_count) found[thread] = 0;
  __syncthreads();
  const index_t row = static_cast<index_t>(blockIdx.x) * count_threads + thread;
  const int row_class = row < rows ? class_of(products[row]) : empty_class;
  unsigned mine = 0;
  if (row_class != empty_class) mine = atomicAdd(&found[row_class], 1U);
  __syncthreads();
  if (thread < row_classes_count && found[thread] > 0)
    base[thread] = atomicAdd(&next[thread], static_cast<unsigned long long>(found[thread]));
  __syncthreads();
  if (row_class != empty_class) list[base[row_class] + mine] = row;
}

/// The class that computes every row: the largest that occurs, unless most rows are of another.
int class_for_all(const std::array<index_t, row_classes_count>& rows) {
  int largest = large_class;
  while (largest > empty_class && rows[static_cast<std::size_t>(largest)] == 0) --largest;
  if (largest == large_class) return -1;
  const index_t all = std::accumulate(rows.begin(), rows.end(), index_t{0});
  return largest == empty_class || 2 * rows[static_cast<std::size_t>(largest)] >= all ? largest
                                                                                      : -1;
}

}  // namespace

index_t row_work::begin_of(int row_class) const {
  return std::accumulate(rows.begin() + 1, rows.begin() + row_class, index_t{0});
}

bool row_work::may_repeat() const {
  // Up to 16 multiplications a thread sorts faster than patterns are found.
  constexpr index_t least_mean = 16;
  return samples > 0 && sampled_patterns <= repeated_samples && !has_long_rows &&
         most_multiplications <= pattern_products &&
         small_multiplications + large_multiplications > least_mean * products.size();
}

row_work count_multiplications(const context& where, const product_structure& of) {
  const index_t rows = of.a_shape.rows;
  row_work work;
  work.products = buffer<index_t>(rows, where.memory());
  work.list = buffer<index_t>(rows, where.memory());
  index_t* const list = work.list.data();
  const bool narrow =
      of.a_columns.width() == index_width::i32 && of.b_columns.width() == index_width::i32;
  if (narrow && rows >= least_rows_to_sample) work.samples = most_samples;
  buffer<device_totals> totals(1, where.memory());
  totals.set(0);
  const counted_operands operands(of);
  const auto count = [&]<int Width>() {
    // Few blocks, so that few add to the totals.
    const auto most =
        static_cast<unsigned>(count_blocks_each * cuda::properties(where.device()).multiprocessors);
    const auto blocks = std::min(cuda::blocks_for(rows * Width, where.device()), most);
    count_rows<Width><<<blocks, count_threads, 0, cuda::stream_of(where)>>>(
        operands, work.products.data(), list, totals.data());
  };
  const index_t mean = rows > 0 ? of.a_columns.size() / rows : 0;
  // Neighbouring rows of a mesh share rows of B, which stay in the L1: a thread takes a row.
  if (mean <= 32)
    count.template operator()<1>();
  else if (mean <= 128)
    count.template operator()<8>();
  else
    count.template operator()<32>();
  count_long_rows<<<long_row_blocks, count_threads, 0, cuda::stream_of(where)>>>(
      operands, work.products.data(), list, totals.data());
  if (work.samples > 0)
    sample_patterns<<<most_samples * warp_size / count_threads, count_threads, 0,
                      cuda::stream_of(where)>>>(narrow_structure(of), rows / most_samples,
                                                most_samples, totals.data());
  cuda::launch_check("counting multiplications", of.a_shape, of.a_columns.size());
  device_totals host{};
  cuda::copy_bytes(where, &host, totals.data(), sizeof host, cuda::direction::to_host);
  for (std::size_t k = 0; k < work.rows.size(); ++k)
    work.rows[k] = static_cast<index_t>(host.rows[k]);
  work.small_multiplications = static_cast<index_t>(host.small);
  work.large_multiplications = static_cast<index_t>(host.large);
  work.most_multiplications = static_cast<index_t>(host.most);
  work.has_long_rows = host.longer > 0;
  // Rows of A that select rows of B from all over it.
  constexpr index_t scattered_share = 8;
  work.scattered = host.spread > 0 && static_cast<index_t>(host.spans / host.spread) >
                                          of.b_shape.rows / scattered_share;
  std::sort(std::begin(host.sample), std::end(host.sample));
  work.sampled_patterns = static_cast<int>(
      std::unique(std::begin(host.sample), std::end(host.sample)) - std::begin(host.sample));
  return work;
}

void list_by_class(const context& where, row_work& work) {
  work.only_class = class_for_all(work.rows);
  if (work.only_class >= 0) {
    work.list = {};
    return;
  }
  const index_t rows = work.products.size();
  std::array<unsigned long long, row_classes_count> next{};
  for (int k = 1; k < row_classes_count; ++k)
    next[static_cast<std::size_t>(k)] = static_cast<unsigned long long>(work.begin_of(k));
  buffer<unsigned long long> places(row_classes_count, where.memory());
  cuda::copy_bytes(where, places.data(), next.data(), sizeof next, cuda::direction::to_device);
  list_rows<<<static_cast<unsigned>((rows + count_threads - 1) / count_threads), count_threads, 0,
              cuda::stream_of(where)>>>(work.products.data(), rows, places.data(),
                                        work.list.data());
  cuda::check(cudaGetLastError(), "listing {} rows", count_text(rows));
}

buffer<index_t> places_of_multiplications(const context& where, const row_work& work) {
  buffer<index_t> places(work.products.size() + 1, where.memory());
  const index_t* const products = work.products.data();
  index_t* const place = places.data();
  cuda::for_each(where, work.products.size(), "placing rows",
                 [=] __device__(index_t row) { place[row] = max(products[row], index_t{0}); });
  cuda::queue_exclusive_sums(where, places);
  return places;
}

}  // namespace gossamer::device
