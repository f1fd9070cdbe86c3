#include "kernels/spgemm/cuda/windows/windowed_rows.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "kernels/spgemm/cuda/counted_operands.cuh"

namespace gossamer::device {

namespace {

/// Sorting 75 multiplications takes about as long as beginning a window: R-MAT of scale 14 to 18 on
/// an H200 (docs/kernels/spgemm-cuda.md).
constexpr index_t products_per_window = 75;
/// Shorter parts of rows of B leave most of a window's time to finding them.
constexpr index_t least_mean_part = 8, least_mean_part_compact = 16;
/// Compact rows have a warp each: fewer would leave most of a device idle.
constexpr index_t least_compact_rows = 2048;
/// Rows that one block of the largest size counts.
constexpr index_t heavy_products = 32'768;
/// Rows of more nonzeros are not asked for their columns: together they have about all.
constexpr index_t most_asked = 2048;
/// Columns of B that are sampled to find hot ones; the host counts them.
constexpr index_t sampled_columns = 2048;
/// Hot columns are cut finer, so that windows have at most about this share of the multiplications.
constexpr index_t window_share = 16;
/// The bitmap of all columns must fit the shared memory of a block that counts.
constexpr index_t most_columns = index_t{1} << 19;
constexpr index_t few_windows = index_t{1} << 16;
/// Bytes of the table of windows: at most one for each multiplication, and in all.
constexpr index_t most_table_bytes = index_t{1} << 30;

index_t windows_of(index_t columns) {
  return (columns + window_columns - 1) / window_columns + window_share / 2;
}

/// What rows must have to be taken.
struct claim_rule {
  index_t columns;       ///< of B
  index_t least_to_cut;  ///< multiplications
  index_t mean_part, mean_part_compact;
  bool cut, compact;  ///< whether rows may be
};

claim_rule rule_for(const product_structure& of, const row_work& work, windowing asked) {
  const index_t columns = of.b_shape.cols, windows = windows_of(columns);
  const index_t table = (windows + 2) * of.b_shape.rows * index_t{sizeof(std::int32_t)};
  const bool all = asked == windowing::all;
  // Small products: the launches that other rows would take cost more than windows that are not
  // full.
  const bool few = work.rows[large_class] * windows <= few_windows;
  const bool fits = columns <= most_columns && table <= most_table_bytes;
  return {columns,
          all || few ? 0 : products_per_window * windows,
          all ? 0 : least_mean_part,
          all ? 0 : least_mean_part_compact,
          fits && (all || table <= work.large_multiplications),
          all || work.rows[large_class] >= least_compact_rows};
}

enum row_kind : int { heavy, light, compact_row, other_row, row_kinds };

struct claim_findings {
  unsigned long long rows[row_kinds];
  unsigned long long width;              ///< of the widest compact row
  unsigned long long disorder;           ///< as it was given
  std::int32_t sample[sampled_columns];  ///< columns of B, spread over its nonzeros
};

struct claim_lists {
  index_t size;
  index_t *cut, *compact, *others;
  std::int32_t* compact_first;
  claim_findings* found;
};

struct claim {
  row_kind kind = other_row;
  index_t first = 0, width = 0;
};

__device__ claim look_at_row(const counted_operands& of, cuda::index_reader b_columns,
                             const claim_rule& rule, index_t row, index_t products) {
  const index_t added = of.a_offsets[row + 1] - of.a_offsets[row];
  claim otherwise;
  if (rule.cut && products > rule.least_to_cut && products >= rule.mean_part * added)
    otherwise.kind = products >= heavy_products ? heavy : light;
  if (!rule.compact || added > most_asked || products < rule.mean_part_compact * added)
    return otherwise;
  const auto range = columns_of_row(of, b_columns, row, rule.columns);
  const index_t first = range.first / 32 * 32, width = range.last + 1 - first;
  if (width > compact_columns) return otherwise;
  return {compact_row, first, width};
}

/// One warp per row of the large class; a block takes consecutive places of the lists.
__global__ void __launch_bounds__(count_threads)
    claim_rows(counted_operands of, cuda::index_reader b_columns, claim_rule rule,
               const unsigned long long* disorder, index_t* products, row_list rows,
               claim_lists to) {
  __shared__ unsigned found[row_kinds];
  __shared__ unsigned long long base[row_kinds];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < row_kinds) found[thread] = 0;
  if (blockIdx.x == 0 && thread == 0) to.found->disorder = *disorder;
  __syncthreads();
  const index_t at = (static_cast<index_t>(blockIdx.x) * count_threads + thread) / warp_size;
  const index_t row = at < rows.count ? rows[at] : -1;
  claim mine;
  if (row >= 0 && *disorder == 0) mine = look_at_row(of, b_columns, rule, row, products[row]);
  const bool writes = row >= 0 && lane_index() == 0;
  unsigned place = 0;
  if (writes) place = atomicAdd(&found[mine.kind], 1U);
  __syncthreads();
  if (thread < row_kinds && found[thread] > 0)
    base[thread] =
        atomicAdd(&to.found->rows[thread], static_cast<unsigned long long>(found[thread]));
  __syncthreads();
  if (!writes) return;
  const auto next = static_cast<index_t>(base[mine.kind] + place);
  switch (mine.kind) {
    case heavy: to.cut[next] = row; break;
    case light: to.cut[to.size - 1 - next] = row; break;
    case compact_row:
      to.compact[next] = row;
      to.compact_first[next] = static_cast<std::int32_t>(mine.first);
      atomicMax(&to.found->width, static_cast<unsigned long long>(mine.width));
      break;
    default: to.others[next] = row; return;
  }
  products[row] = -products[row];
}

/// Writes columns to the sample, and returns their number.
index_t sample_columns(const context& where, const product_structure& of, claim_findings* to) {
  const index_t size = of.b_columns.size(), count = std::min(size, sampled_columns);
  const auto* const from = static_cast<const std::int32_t*>(of.b_columns.data());
  cuda::for_each(where, count, "sampling columns",
                 [=] __device__(index_t k) { to->sample[k] = from[k * size / count]; });
  return count;
}

/// Windows of at most window_columns columns, finer where the sample shows many: the bounds.
std::vector<std::int32_t> cut_windows(std::span<const std::int32_t> sample, index_t columns) {
  constexpr index_t step = 32, steps_of_window = window_columns / step;
  const index_t steps = (columns + step - 1) / step;
  std::vector<index_t> found(static_cast<std::size_t>(steps), 0);
  for (const std::int32_t column : sample) ++found[static_cast<std::size_t>(column / step)];
  const index_t share = std::max<index_t>(static_cast<index_t>(sample.size()) / window_share, 1);
  std::vector<std::int32_t> bounds{0};
  index_t begun = 0, inside = 0;  // the step where the window began, and its samples
  for (index_t k = 0; k < steps; ++k) {
    const index_t here = found[static_cast<std::size_t>(k)];
    if (k > begun && (inside + here > share || k - begun == steps_of_window)) {
      bounds.push_back(static_cast<std::int32_t>(k * step));
      begun = k;
      inside = 0;
    }
    inside += here;
  }
  bounds.push_back(static_cast<std::int32_t>(steps * step));
  return bounds;
}

/// Writes where each window begins in each row of B.
void fill_table(const context& where, const product_structure& of, windowed_rows& to) {
  const index_t each = to.windows + 1;
  to.starts = buffer<std::int32_t>(of.b_shape.rows * each, where.memory());
  const auto* const columns = static_cast<const std::int32_t*>(of.b_columns.data());
  const cuda::index_reader offsets(of.b_offsets);
  const std::int32_t* const bounds = to.bounds.data();
  std::int32_t* const starts = to.starts.data();
  cuda::for_each(where, to.starts.size(), "finding windows in rows", [=] __device__(index_t at) {
    const index_t row = at / each;
    const auto begin = static_cast<int>(offsets[row]);
    const auto length = static_cast<int>(offsets[row + 1]) - begin;
    starts[at] = begin + cuda::first_not_below(columns + begin, length, bounds[at % each]);
  });
}

void divide_columns(const context& where, const product_structure& of,
                    std::span<const std::int32_t> sample, windowed_rows& to) {
  const auto bounds = cut_windows(sample, of.b_shape.cols);
  to.windows = static_cast<int>(bounds.size()) - 1;
  to.bounds = buffer<std::int32_t>(static_cast<index_t>(bounds.size()), where.memory());
  cuda::copy_bytes(where, to.bounds.data(), bounds.data(),
                   to.bounds.size() * index_t{sizeof(std::int32_t)}, cuda::direction::to_device);
  fill_table(where, of, to);
  to.counts = buffer<index_t>(to.cut_rows * to.windows + 1, where.memory());
}

}  // namespace

index_t windowed_rows::bytes() const {
  return (compact.size() + cut.size() + counts.size() + others.size()) * index_t{sizeof(index_t)} +
         (compact_first.size() + bounds.size() + starts.size()) * index_t{sizeof(std::int32_t)};
}

windowed_rows claim_windowed_rows(const context& where, const product_structure& of, row_work& work,
                                  const unsigned long long* disorder, windowing asked) {
  windowed_rows claimed;
  const bool narrow = of.a_columns.width() == index_width::i32 &&
                      of.b_columns.width() == index_width::i32 &&
                      of.b_columns.size() <= std::numeric_limits<std::int32_t>::max();
  const index_t count = work.rows[large_class];
  if (asked == windowing::none || !narrow || count == 0) return claimed;
  const auto rule = rule_for(of, work, asked);
  if (!rule.cut && !rule.compact) return claimed;
  claimed.considered = true;
  claimed.cut = buffer<index_t>(rule.cut ? count : 0, where.memory());
  claimed.compact = buffer<index_t>(rule.compact ? count : 0, where.memory());
  claimed.compact_first = buffer<std::int32_t>(claimed.compact.size(), where.memory());
  claimed.others = buffer<index_t>(count, where.memory());
  buffer<claim_findings> findings(1, where.memory());
  findings.set(0);
  const index_t sampled = sample_columns(where, of, findings.data());
  constexpr index_t rows_of_block = count_threads / warp_size;
  claim_rows<<<static_cast<unsigned>((count + rows_of_block - 1) / rows_of_block), count_threads, 0,
               cuda::stream_of(where)>>>(
      counted_operands(of), cuda::index_reader(of.b_columns), rule, disorder, work.products.data(),
      {work.list.data() + work.begin_of(large_class), count},
      {count, claimed.cut.data(), claimed.compact.data(), claimed.others.data(),
       claimed.compact_first.data(), findings.data()});
  cuda::launch_check("looking for rows to be summed in windows", of.a_shape, count);
  claim_findings host{};
  cuda::copy_bytes(where, &host, findings.data(), sizeof host, cuda::direction::to_host);
  claimed.b_ascends = host.disorder == 0;
  claimed.heavy_rows = static_cast<index_t>(host.rows[heavy]);
  claimed.cut_rows = claimed.heavy_rows + static_cast<index_t>(host.rows[light]);
  claimed.compact_rows = static_cast<index_t>(host.rows[compact_row]);
  claimed.compact_width = static_cast<int>(host.width);
  claimed.other_rows = static_cast<index_t>(host.rows[other_row]);
  if (claimed.cut_rows > 0)
    divide_columns(where, of, {host.sample, static_cast<std::size_t>(sampled)}, claimed);
  return claimed;
}

}  // namespace gossamer::device
