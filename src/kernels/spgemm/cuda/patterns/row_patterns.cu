#include "kernels/spgemm/cuda/patterns/row_patterns.hpp"

#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/runtime.hpp"
#include "kernels/spgemm/cuda/row_hash.cuh"
#include "kernels/spgemm/cuda/sorted_rows.cuh"

namespace gossamer::device {

namespace {

constexpr int table_slots = 4096;
constexpr int pattern_threads = 128;
/// Blocks per multiprocessor while threads walk through rows: all that fit.
constexpr int walking_blocks = 16;

/// The relative columns of a row of B, as a number, and its first column.
struct row_shape {
  std::int32_t shape, first;  ///< shape -1: the row adds nothing
};

/// What the device found, read by the host.
struct pattern_findings {
  int failed;         ///< a row has no pattern
  int patterns;       ///< numbered from 0
  int most_nonzeros;  ///< of a pattern
};

/// Everything that looking for patterns writes.
struct pattern_tables {
  hash_slots shapes, rows;
  row_shape* shape_of;       ///< of each row of B
  std::int32_t* pattern_of;  ///< of each row of C: its slot, later its number
  std::int32_t* base;        ///< of each row of C
  std::int32_t* number;      ///< of each slot of `rows`
  std::int32_t* examples;    ///< a row of each pattern
  row_pattern* patterns;
  pattern_findings* findings;

  /// Numbers a pattern that was entered in `slot` with this row.
  __device__ void add_pattern(int slot, index_t row) const {
    const int next = atomicAdd(&findings->patterns, 1);
    number[slot] = next;
    if (next < most_patterns)
      examples[next] = static_cast<std::int32_t>(row);
    else
      findings->failed = 1;
  }
};

/// The first row of a block, and the distance to its next one: threads walk through rows, so that
/// what they remember of the last one is of use.
__device__ index_t first_of_block() { return static_cast<index_t>(blockIdx.x) * pattern_threads; }
__device__ index_t next_of_block() { return static_cast<index_t>(gridDim.x) * pattern_threads; }

__global__ void __launch_bounds__(pattern_threads)
    enter_shapes(narrow_structure of, pattern_tables to) {
  table_entrance entrance;
  for (index_t first = first_of_block(); first < of.b_rows; first += next_of_block()) {
    const index_t j = first + threadIdx.x;
    const index_t begin = j < of.b_rows ? of.b_offsets[j] : 0;
    const index_t end = j < of.b_rows ? of.b_offsets[j + 1] : 0;
    // No row of C adds a row of B that is longer than its own multiplications.
    const bool has_shape = begin < end && end - begin <= pattern_products;
    const auto hash = has_shape ? hash_of_row(of, j, pattern_products) : 0;
    const int slot = entrance.slot_of(to.shapes, hash, has_shape ? j : -1, [](int) {});
    if (has_shape && slot < 0) to.findings->failed = 1;
    if (j < of.b_rows) to.shape_of[j] = {slot, has_shape ? of.b_columns[begin] : 0};
  }
}

/// Rows of one hash have the same columns: compared, not assumed.
__device__ void compare_shape(const narrow_structure& of, const pattern_tables& to, index_t j) {
  const int slot = to.shape_of[j].shape;
  if (slot < 0) return;
  const index_t other = to.shapes.rows[slot];
  if (other == j) return;
  const index_t begin = of.b_offsets[j], end = of.b_offsets[j + 1];
  const index_t from = of.b_offsets[other];
  bool same = of.b_offsets[other + 1] - from == end - begin;
  for (index_t k = 1; same && k < end - begin; ++k)
    same = of.b_columns[begin + k] - of.b_columns[begin] ==
           of.b_columns[from + k] - of.b_columns[from];
  if (!same) to.findings->failed = 1;
}

/// The rows of B that a row of C adds, one after the other: f(shape, distance of its first column
/// from that of the first one); returns the base.
template <class F>
__device__ std::int32_t for_each_added(const narrow_structure& of, const row_shape* shape_of,
                                       index_t row, F&& f) {
  std::int32_t base = -1;
  const index_t end = of.a_offsets[row + 1];
  for (index_t k = of.a_offsets[row]; k < end; ++k) {
    const row_shape added = shape_of[of.a_columns[k]];
    if (added.shape >= 0 && base < 0) base = added.first;
    f(added.shape, added.shape >= 0 ? added.first - base : 0);
  }
  return base;
}

/// Enters the pattern of every row of C, and compares the shapes of the rows of B meanwhile.
__global__ void __launch_bounds__(pattern_threads)
    enter_patterns(narrow_structure of, pattern_tables to) {
  if (__syncthreads_or(to.findings->failed)) return;
  table_entrance entrance;
  const index_t rows = max(of.a_rows, of.b_rows);
  for (index_t first = first_of_block(); first < rows; first += next_of_block()) {
    const index_t row = first + threadIdx.x;
    if (row < of.b_rows) compare_shape(of, to, row);
    const bool has_pattern = row < of.a_rows;
    unsigned long long hash = 0;
    if (has_pattern) {
      hash = static_cast<unsigned long long>(of.a_offsets[row + 1] - of.a_offsets[row]);
      to.base[row] =
          for_each_added(of, to.shape_of, row, [&](std::int32_t shape, std::int32_t apart) {
            hash = mixed(hash, static_cast<unsigned long long>(static_cast<unsigned>(apart)) << 32 |
                                   static_cast<unsigned>(shape));
          });
    }
    const int slot = entrance.slot_of(to.rows, hash, has_pattern ? row : -1,
                                      [&](int entered) { to.add_pattern(entered, row); });
    if (!has_pattern) continue;
    if (slot < 0) to.findings->failed = 1;
    to.pattern_of[row] = slot;
  }
}

/// Rows of one pattern add the same rows of B: compared, not assumed. Writes their nonzeros.
__global__ void __launch_bounds__(pattern_threads)
    compare_patterns(narrow_structure of, pattern_tables to, index_t* counts) {
  const index_t row = cuda::first_element();
  if (row >= of.a_rows || to.findings->failed) return;
  const int slot = to.pattern_of[row], number = to.number[slot];
  const index_t other = to.rows.rows[slot];
  to.pattern_of[row] = number;
  counts[row] = to.patterns[number].nonzeros;
  if (other == row) return;
  const index_t begin = of.a_offsets[row], count = of.a_offsets[row + 1] - begin;
  const index_t from = of.a_offsets[other];
  bool same = of.a_offsets[other + 1] - from == count;
  const std::int32_t base = to.base[row], other_base = to.base[other];
  for (index_t k = 0; same && k < count; ++k) {
    const row_shape x = to.shape_of[of.a_columns[begin + k]];
    const row_shape y = to.shape_of[of.a_columns[from + k]];
    same = x.shape == y.shape && (x.shape < 0 || x.first - base == y.first - other_base);
  }
  if (!same) to.findings->failed = 1;
}

/// The multiplications of a pattern while they are sorted.
struct pattern_space {
  std::uint32_t source[pattern_products];
  unsigned long long keys[pattern_products + pattern_products / warp_size];
  std::uint16_t start[pattern_products + 1];
  __device__ unsigned long long& key(int at) { return keys[at + at / warp_size]; }
};

constexpr int number_bits = 10;
static_assert(pattern_products == 1 << number_bits);
/// Distances of columns may be negative; a key is not.
constexpr unsigned long long nearest = 1ULL << 32;

__device__ int expand_pattern(const narrow_structure& of, index_t row, std::int32_t base,
                              pattern_space& space) {
  int done = 0;
  const index_t a_begin = of.a_offsets[row], a_end = of.a_offsets[row + 1];
  for (index_t k = a_begin; k < a_end; ++k) {
    const index_t j = of.a_columns[k], begin = of.b_offsets[j];
    const int length = static_cast<int>(of.b_offsets[j + 1] - begin);
    for (int l = lane_index(); l < length && done + l < pattern_products; l += warp_size) {
      const auto distance = static_cast<long long>(of.b_columns[begin + l]) - base;
      space.key(done + l) = (nearest + static_cast<unsigned long long>(distance)) << number_bits |
                            static_cast<unsigned>(done + l);
      space.source[done + l] =
          static_cast<std::uint32_t>(k - a_begin) << 16 | static_cast<std::uint32_t>(l);
    }
    done += length;
  }
  __syncwarp();
  return done;
}

/// Finds runs of equal columns: the nonzeros of the pattern.
__device__ int find_nonzeros(int total, row_pattern& out, pattern_space& space) {
  int found = 0;
  for (int first = 0; first < total; first += warp_size) {
    const int at = first + lane_index();
    const bool head =
        at < total && (at == 0 || space.key(at - 1) >> number_bits != space.key(at) >> number_bits);
    const unsigned heads = __ballot_sync(whole_warp, head);
    if (head) {
      const int s = found + __popc(heads & lanes_below());
      space.start[s] = static_cast<std::uint16_t>(at);
      out.column[s] = static_cast<std::int32_t>(
          static_cast<long long>(space.key(at) >> number_bits) - static_cast<long long>(nearest));
    }
    found += __popc(heads);
  }
  if (lane_index() == 0) space.start[found] = static_cast<std::uint16_t>(total);
  __syncwarp();
  return found;
}

/// Lays the terms out in slices; false when they are too many.
__device__ bool store_terms(int found, row_pattern& out, pattern_space& space) {
  constexpr unsigned number = pattern_products - 1;
  int used = 0;
  for (int first = 0; first < found; first += warp_size) {
    const int s = first + lane_index(), width = min(warp_size, found - first);
    const int begin = s < found ? space.start[s] : 0;
    const int length = s < found ? space.start[s + 1] - begin : 0;
    const int longest = __reduce_max_sync(whole_warp, length);
    if (used + longest * width > pattern_terms) return false;
    if (lane_index() == 0) out.slice[first / warp_size] = used;
    if (s < found) out.length[s] = static_cast<std::uint16_t>(length);
    for (int i = 0; i < length; ++i) {
      const unsigned product = static_cast<unsigned>(space.key(begin + i)) & number;
      out.term[used + i * width + lane_index()] = space.source[product];
      out.slot[product] = static_cast<std::uint16_t>(s);
    }
    used += longest * width;
  }
  return true;
}

/// A warp per pattern works it out from its example.
__global__ void __launch_bounds__(warp_size)
    work_out_patterns(narrow_structure of, pattern_tables tables) {
  __shared__ pattern_space space;
  const pattern_findings found = *tables.findings;
  if (found.failed || static_cast<int>(blockIdx.x) >= found.patterns) return;
  const index_t row = tables.examples[blockIdx.x];
  row_pattern& out = tables.patterns[blockIdx.x];
  constexpr index_t most_numbered = 0xffff;  // nonzeros of A, in the 16 bits of a term
  const bool fits = of.a_offsets[row + 1] - of.a_offsets[row] <= most_numbered;
  const int total = fits ? expand_pattern(of, row, tables.base[row], space) : pattern_products + 1;
  if (total > pattern_products) {
    if (lane_index() == 0) tables.findings->failed = 1;
    return;
  }
  if (total <= 32)
    sort_keys<1>(space, total, 0ULL);
  else if (total <= 128)
    sort_keys<4>(space, total, 0ULL);
  else
    sort_keys<32>(space, total, 0ULL);
  const int nonzeros = find_nonzeros(total, out, space);
  if (lane_index() == 0) {
    out.nonzeros = nonzeros;
    atomicMax(&tables.findings->most_nonzeros, nonzeros);
  }
  if (!store_terms(nonzeros, out, space) && lane_index() == 0) tables.findings->failed = 1;
}

/// Launches a kernel with a thread for each of `count` rows, or as many threads as keep a device
/// busy where they walk through rows.
template <class Kernel, class... Arguments>
void launch_over(const context& where, index_t count, index_t most_blocks, Kernel kernel,
                 const Arguments&... arguments) {
  if (count == 0) return;
  const index_t blocks = (count + pattern_threads - 1) / pattern_threads;
  kernel<<<static_cast<unsigned>(std::min(blocks, most_blocks)), pattern_threads, 0,
           cuda::stream_of(where)>>>(arguments...);
}

}  // namespace

row_patterns find_patterns(const context& where, const product_structure& product,
                           const row_work& work, buffer<index_t>& counts) {
  const narrow_structure of(product);
  if (!work.may_repeat()) return {};
  row_patterns result{buffer<row_pattern>(most_patterns, where.memory()),
                      buffer<std::int32_t>(of.a_rows, where.memory()),
                      buffer<std::int32_t>(of.a_rows, where.memory())};
  buffer<unsigned long long> keys(2 * table_slots, where.memory());
  buffer<std::int32_t> rows(2 * table_slots, where.memory());
  buffer<std::int32_t> numbers(table_slots + most_patterns, where.memory());
  buffer<row_shape> shape_of(of.b_rows, where.memory());
  buffer<pattern_findings> findings(1, where.memory());
  keys.set(0);
  findings.set(0);
  const pattern_tables tables{{keys.data(), rows.data(), table_slots},
                              {keys.data() + table_slots, rows.data() + table_slots, table_slots},
                              shape_of.data(),
                              result.pattern_of.data(),
                              result.base.data(),
                              numbers.data(),
                              numbers.data() + table_slots,
                              result.patterns.data(),
                              findings.data()};
  const index_t busy = index_t{walking_blocks} * cuda::properties(where.device()).multiprocessors;
  launch_over(where, of.b_rows, busy, enter_shapes, of, tables);
  launch_over(where, std::max(of.a_rows, of.b_rows), busy, enter_patterns, of, tables);
  work_out_patterns<<<most_patterns, warp_size, 0, cuda::stream_of(where)>>>(of, tables);
  launch_over(where, of.a_rows, of.a_rows, compare_patterns, of, tables, counts.data());
  cuda::launch_check("looking for repeated rows", product.a_shape, product.a_columns.size());
  pattern_findings found{};
  cuda::copy_bytes(where, &found, findings.data(), sizeof found, cuda::direction::to_host);
  if (found.failed) {
    counts.set(0);
    return {};
  }
  result.most_nonzeros = found.most_nonzeros;
  return result;
}

}  // namespace gossamer::device
