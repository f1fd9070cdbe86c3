#include "kernels/spgemm/cuda/large_rows.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "kernels/spgemm/cuda/bitmap_rows.cuh"
#include "kernels/spgemm/cuda/counted_operands.cuh"

namespace gossamer::device {

namespace {

/// Beyond so many multiplications in a stripe it is split further, down to so many columns.
constexpr index_t stripe_multiplications = 1 << 14;
constexpr index_t least_stripe_columns = 1024;

/// The columns of a row of C that can have nonzeros, and the width of its stripes.
struct row_columns {
  index_t first, last, width;
  __device__ index_t stripes() const { return (last - first) / width + 1; }
};

/// The lists that rows of the large class are divided into, as long as the class each.
struct large_lists {
  index_t size;
  row_columns* bounds;        ///< of each row
  index_t* stripes;           ///< of each row
  index_t* sorted;            ///< as large_rows has them
  index_t* expanded;          ///< null: no row is expanded
  unsigned long long* found;  ///< sorted rows of each limit, their multiplications, expanded rows
};

__device__ void add_sorted(const large_lists& to, index_t row, index_t products) {
  const int limit = products <= block_limits[0] ? 0 : 1;
  const auto at = static_cast<index_t>(atomicAdd(to.found + limit, 1ULL));
  to.sorted[limit == 0 ? at : to.size - 1 - at] = row;
  atomicAdd(to.found + 2, static_cast<unsigned long long>(products));
}

/// The first and the last column of a row of C.
__device__ row_columns columns_of_row(const counted_operands& of, cuda::index_reader b_columns,
                                      index_t row, index_t columns_of_b) {
  index_t first = columns_of_b, last = 0;
  const index_t end = of.a_offsets[row + 1];
  for (index_t k = of.a_offsets[row] + lane_index(); k < end; k += warp_size) {
    const index_t j = of.a_columns[k], begin = of.b_offsets[j], after = of.b_offsets[j + 1];
    if (begin == after) continue;
    first = min(first, b_columns[begin]);
    last = max(last, b_columns[after - 1]);
  }
  for (int step = warp_size / 2; step > 0; step /= 2) {
    first = min(first, __shfl_xor_sync(whole_warp, first, step));
    last = max(last, __shfl_xor_sync(whole_warp, last, step));
  }
  return {first, last, stripe_columns};
}

/// A row is expanded when its stripes together would look at more rows of B than this times its
/// multiplications; fewer rows of B are quickly looked at.
constexpr index_t looks_per_multiplication = 4;
constexpr index_t least_looked_at = 4096, most_asked = 65'536;

/// The columns of B, and whether they ascend.
struct column_order {
  cuda::index_reader columns;
  index_t count;  ///< columns that B has
  bool ascends;
};

/// One warp per row of the large class.
__global__ void __launch_bounds__(count_threads)
    divide_rows(counted_operands of, column_order b, index_t* products, row_list rows,
                large_lists to) {
  const index_t at = (static_cast<index_t>(blockIdx.x) * count_threads + threadIdx.x) / warp_size;
  if (at >= rows.count) return;
  const index_t row = rows[at], mine = products[row];
  const index_t added = of.a_offsets[row + 1] - of.a_offsets[row];
  row_columns columns{0, b.count - 1, stripe_columns};
  // Of very many rows of B it takes too long to ask, and together they have about all columns.
  if (b.ascends && added <= most_asked) columns = columns_of_row(of, b.columns, row, b.count);
  const bool scattered = columns.stripes() > 1 && mine <= block_limits.back();
  while (b.ascends && columns.width > least_stripe_columns &&
         mine / columns.stripes() > stripe_multiplications)
    columns.width /= 2;
  if (lane_index() != 0) return;
  const bool expanded = !scattered && to.expanded && added > least_looked_at &&
                        columns.stripes() * added > looks_per_multiplication * mine;
  to.bounds[at] = columns;
  to.stripes[at] = scattered || expanded ? 0 : columns.stripes();
  if (scattered) return add_sorted(to, row, mine);
  products[row] = -mine;
  if (expanded) to.expanded[atomicAdd(to.found + 3, 1ULL)] = row;
}

}  // namespace

index_t large_rows::bytes() const {
  return stripes.size() * index_t{sizeof(row_stripe)} +
         (sorted.size() + expanded.size() + starts.size() + row_starts.size()) *
             index_t{sizeof(index_t)};
}

large_rows divide_large_rows(const context& where, const product_structure& of, row_work& work,
                             division how) {
  const index_t count = work.rows[large_class];
  const row_list rows{work.list.data() + work.begin_of(large_class), count};
  buffer<row_columns> bounds(count, where.memory());
  buffer<unsigned long long> found(4, where.memory());
  found.set(0);
  large_rows large;
  large.sorted = buffer<index_t>(count, where.memory());
  if (how.may_expand) large.expanded = buffer<index_t>(count, where.memory());
  large.row_starts = buffer<index_t>(count + 1, where.memory());
  constexpr index_t rows_per_block = count_threads / warp_size;
  divide_rows<<<static_cast<unsigned>((count + rows_per_block - 1) / rows_per_block), count_threads,
                0, cuda::stream_of(where)>>>(
      counted_operands(of), {cuda::index_reader(of.b_columns), of.b_shape.cols, how.b_ascends},
      work.products.data(), rows,
      {count, bounds.data(), large.row_starts.data(), large.sorted.data(), large.expanded.data(),
       found.data()});
  cuda::launch_check("dividing rows", of.a_shape, count);
  std::array<unsigned long long, 4> host{};
  cuda::copy_bytes(where, host.data(), found.data(), sizeof host, cuda::direction::to_host);
  large.sorted_rows = {static_cast<index_t>(host[0]), static_cast<index_t>(host[1])};
  large.sorted_multiplications = static_cast<index_t>(host[2]);
  large.expanded_rows = static_cast<index_t>(host[3]);
  const index_t stripes = cuda::exclusive_sums(where, large.row_starts);
  if (stripes == 0) return large;
  large.stripes = buffer<row_stripe>(stripes, where.memory());
  large.starts = buffer<index_t>(stripes + 1, where.memory());
  const index_t* const starts = large.row_starts.data();
  const row_columns* const bound = bounds.data();
  row_stripe* const out = large.stripes.data();
  cuda::for_each(where, stripes, "cutting rows into stripes", [=] __device__(index_t s) {
    const index_t at = cuda::first_not_below(starts, count + 1, s + 1) - 1;
    const row_columns mine = bound[at];
    const index_t first = mine.first + (s - starts[at]) * mine.width;
    out[s] = {rows[at], first, starts[at],
              static_cast<std::int32_t>(min(mine.width, mine.last + 1 - first)),
              starts[at + 1] - starts[at] == 1 ? 1 : 0};
  });
  return large;
}

void sum_stripes(const context& where, const row_work& work, large_rows& large,
                 buffer<index_t>& counts) {
  if (large.stripes.size() == 0) return;
  cuda::queue_exclusive_sums(where, large.starts);
  const row_list rows{work.list.data() + work.begin_of(large_class), work.rows[large_class]};
  const index_t* const starts = large.starts.data();
  const index_t* const row_starts = large.row_starts.data();
  index_t* const count = counts.data();
  cuda::for_each(where, rows.count, "counting large rows", [=] __device__(index_t at) {
    if (row_starts[at] < row_starts[at + 1])
      count[rows[at]] = starts[row_starts[at + 1]] - starts[row_starts[at]];
  });
}

}  // namespace gossamer::device
