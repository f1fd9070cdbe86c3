#include "kernels/spgemm/cuda/large_rows.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "kernels/spgemm/cuda/bitmap_rows.cuh"
#include "kernels/spgemm/cuda/column_order.hpp"
#include "kernels/spgemm/cuda/counted_operands.cuh"

namespace gossamer::device {

namespace {

/// A stripe has about so many multiplications at most, and fewer while the device has idle warps.
constexpr index_t stripe_multiplications = 1 << 14, least_stripe_multiplications = 1 << 11;
constexpr index_t warps_to_fill = 16;  // per multiprocessor

/// Some columns of B in ascending order: where they are dense, many multiplications meet.
struct column_sample {
  const std::uint64_t* columns;
  index_t count;
  __device__ index_t below(index_t column) const {
    return cuda::first_not_below(columns, count, static_cast<std::uint64_t>(column));
  }
};

/// The columns of a row of C that can have nonzeros, cut into parts of about equally many
/// multiplications, as far as the sample tells.
struct row_columns {
  index_t first, last;
  index_t below_first, inside;  ///< samples before the first column, and up to the last
  index_t parts;

  /// Where part k begins; the last ends where part `parts` would begin.
  __device__ index_t begin_of(index_t k, const column_sample& sample) const {
    if (k == 0 || inside == 0) return k == 0 ? first : last + 1;
    if (k == parts) return last + 1;
    const auto column = static_cast<index_t>(sample.columns[below_first + inside * k / parts]);
    return min(max(column, first), last + 1);
  }
  /// Stripes of part k: a bitmap has so many columns.
  __device__ index_t stripes_of(index_t k, const column_sample& sample) const {
    const index_t columns = begin_of(k + 1, sample) - begin_of(k, sample);
    return (columns + stripe_columns - 1) / stripe_columns;
  }
};

/// What the device counts and the host reads.
struct large_findings {
  unsigned long long sorted[2];  ///< rows of each limit
  unsigned long long sorted_products;
  unsigned long long expanded;  ///< rows
  unsigned long long disorder;  ///< columns of B that do not ascend
  unsigned long long stripes;
};

/// The lists that rows of the large class are divided into, as long as the class each.
struct large_lists {
  index_t size;
  row_columns* bounds;  ///< of each row
  index_t* stripes;     ///< of each row
  index_t* sorted;      ///< as large_rows has them
  index_t* expanded;    ///< null: no row is expanded
  large_findings* found;
};

__device__ void add_sorted(const large_lists& to, index_t row, index_t products) {
  const int limit = products <= block_limits[0] ? 0 : 1;
  const auto at = static_cast<index_t>(atomicAdd(&to.found->sorted[limit], 1ULL));
  to.sorted[limit == 0 ? at : to.size - 1 - at] = row;
  atomicAdd(&to.found->sorted_products, static_cast<unsigned long long>(products));
}

/// A row is expanded when its stripes together would look at more rows of B than this times its
/// multiplications; fewer rows of B are quickly looked at.
constexpr index_t looks_per_multiplication = 4;
constexpr index_t least_looked_at = 4096, most_asked = 65'536;

/// The columns of B, and how they are distributed.
struct column_order {
  cuda::index_reader columns;
  index_t count;  ///< columns that B has
  const unsigned long long* disorder;
  column_sample sample;
  index_t stripe_products;  ///< multiplications of a stripe
};

/// Cuts the columns into parts, so that a stripe looks at no more rows of B than it does
/// multiplications.
__device__ void cut_columns(row_columns& columns, index_t products, index_t added,
                            const column_order& b) {
  columns.below_first = b.sample.below(columns.first);
  columns.inside = b.sample.below(columns.last + 1) - columns.below_first;
  const index_t each = max(b.stripe_products, added);
  columns.parts = max(min((products + each - 1) / each, columns.inside), index_t{1});
}

/// One warp per row of the large class.
__global__ void __launch_bounds__(count_threads)
    divide_rows(counted_operands of, column_order b, index_t* products, row_list rows,
                large_lists to) {
  const index_t at = (static_cast<index_t>(blockIdx.x) * count_threads + threadIdx.x) / warp_size;
  if (at >= rows.count) return;
  const index_t row = rows[at], mine = products[row];
  const index_t added = of.a_offsets[row + 1] - of.a_offsets[row];
  const bool ascends = *b.disorder == 0;
  row_columns columns{0, b.count - 1, 0, 0, 1};
  // Of very many rows of B it takes too long to ask, and together they have about all columns.
  if (ascends && added <= most_asked) {
    const auto range = columns_of_row(of, b.columns, row, b.count);
    columns.first = range.first;
    columns.last = range.last;
  }
  const bool scattered =
      columns.last - columns.first >= stripe_columns && mine <= block_limits.back();
  if (ascends) cut_columns(columns, mine, added, b);
  index_t stripes = 0;
  for (index_t k = lane_index(); k < columns.parts; k += warp_size)
    stripes += columns.stripes_of(k, b.sample);
  stripes = group_sum<warp_size>(stripes);
  if (lane_index() != 0) return;
  const bool expanded = !scattered && to.expanded && added > least_looked_at &&
                        stripes * added > looks_per_multiplication * mine;
  to.bounds[at] = columns;
  to.stripes[at] = scattered || expanded ? 0 : stripes;
  if (scattered) return add_sorted(to, row, mine);
  products[row] = -mine;
  if (expanded) to.expanded[atomicAdd(&to.found->expanded, 1ULL)] = row;
}

/// Writes the stripes of the rows, a warp per row.
__global__ void __launch_bounds__(count_threads)
    cut_rows_into_stripes(row_list rows, const row_columns* bounds, const index_t* starts,
                          column_sample sample, row_stripe* out) {
  const index_t at = (static_cast<index_t>(blockIdx.x) * count_threads + threadIdx.x) / warp_size;
  if (at >= rows.count || starts[at] == starts[at + 1]) return;
  const row_columns columns = bounds[at];
  const index_t first_stripe = starts[at];
  const bool whole = starts[at + 1] - first_stripe == 1;
  index_t next = first_stripe;
  for (index_t k = 0; k < columns.parts; k += warp_size) {
    const index_t part = k + lane_index();
    const index_t mine = part < columns.parts ? columns.stripes_of(part, sample) : 0;
    const auto sums = sums_of_lanes(mine);
    if (mine > 0) {
      const index_t begin = columns.begin_of(part, sample);
      const index_t end = columns.begin_of(part + 1, sample);
      for (index_t s = 0; s < mine; ++s) {
        const index_t from = begin + s * stripe_columns;
        const auto width = static_cast<std::int32_t>(min(end - from, index_t{stripe_columns}));
        out[next + sums.before + s] = {rows[at], from, first_stripe, width, whole ? 1 : 0};
      }
    }
    next += sums.all;
  }
}

unsigned warp_blocks(index_t rows) {
  constexpr index_t each = count_threads / warp_size;
  return static_cast<unsigned>((rows + each - 1) / each);
}

}  // namespace

index_t large_rows::bytes() const {
  return stripes.size() * index_t{sizeof(row_stripe)} +
         (sorted.size() + expanded.size() + starts.size() + row_starts.size()) *
             index_t{sizeof(index_t)};
}

large_rows divide_large_rows(const context& where, const product_structure& of, row_work& work,
                             const divided_rows& which, expansion expanding) {
  const index_t count = which.count;
  const row_list rows{which.rows, count};
  const unsigned long long* const disorder = which.disorder;
  buffer<row_columns> bounds(count, where.memory());
  buffer<large_findings> findings(1, where.memory());
  findings.set(0);
  large_findings* const found = findings.data();
  large_rows large;
  large.sorted = buffer<index_t>(count, where.memory());
  if (expanding == expansion::allowed) large.expanded = buffer<index_t>(count, where.memory());
  large.row_starts = buffer<index_t>(count + 1, where.memory());
  const auto sample_buffer = sample_columns(where, of);
  const column_sample sample{sample_buffer.data(), sample_buffer.size()};
  const index_t warps = warps_to_fill * cuda::properties(where.device()).multiprocessors;
  const index_t stripe_products = std::clamp(work.large_multiplications / warps,
                                             least_stripe_multiplications, stripe_multiplications);
  divide_rows<<<warp_blocks(count), count_threads, 0, cuda::stream_of(where)>>>(
      counted_operands(of),
      {cuda::index_reader(of.b_columns), of.b_shape.cols, disorder, sample, stripe_products},
      work.products.data(), rows,
      {count, bounds.data(), large.row_starts.data(), large.sorted.data(), large.expanded.data(),
       found});
  cuda::launch_check("dividing rows", of.a_shape, count);
  cuda::queue_exclusive_sums(where, large.row_starts);
  const index_t* const starts = large.row_starts.data();
  cuda::for_each(where, 1, "counting stripes", [=] __device__(index_t) {
    found->stripes = static_cast<unsigned long long>(starts[count]);
    found->disorder = *disorder;
  });
  large_findings host{};
  cuda::copy_bytes(where, &host, found, sizeof host, cuda::direction::to_host);
  large.sorted_rows = {static_cast<index_t>(host.sorted[0]), static_cast<index_t>(host.sorted[1])};
  large.sorted_multiplications = static_cast<index_t>(host.sorted_products);
  large.expanded_rows = static_cast<index_t>(host.expanded);
  large.b_ascends = host.disorder == 0;
  if (host.stripes == 0) return large;
  large.stripes = buffer<row_stripe>(static_cast<index_t>(host.stripes), where.memory());
  large.starts = buffer<index_t>(large.stripes.size() + 1, where.memory());
  cut_rows_into_stripes<<<warp_blocks(count), count_threads, 0, cuda::stream_of(where)>>>(
      rows, bounds.data(), starts, sample, large.stripes.data());
  cuda::launch_check("cutting rows into stripes", of.a_shape, count);
  return large;
}

void sum_stripes(const context& where, const divided_rows& which, large_rows& large,
                 buffer<index_t>& counts) {
  if (large.stripes.size() == 0) return;
  cuda::queue_exclusive_sums(where, large.starts);
  const row_list rows{which.rows, which.count};
  const index_t* const starts = large.starts.data();
  const index_t* const row_starts = large.row_starts.data();
  index_t* const count = counts.data();
  cuda::for_each(where, rows.count, "counting large rows", [=] __device__(index_t at) {
    if (row_starts[at] < row_starts[at + 1])
      count[rows[at]] = starts[row_starts[at + 1]] - starts[row_starts[at]];
  });
}

}  // namespace gossamer::device
