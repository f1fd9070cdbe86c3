#include "kernels/spmm/cuda/strip_plan.hpp"

#include <vector>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "kernels/common/cuda/offset_reader.cuh"
#include "kernels/spmm/cuda/mesh_box.hpp"
#include "kernels/spmm/cuda/strips.cuh"

namespace gossamer::device {

namespace {

/// Calls visit(entry) for the columns of a strip in ascending order. False if the columns of a row
/// do not ascend.
template <class F>
__device__ bool merge_rows(offset_reader offsets, const std::int32_t* columns, index_t rows,
                           index_t strip, F&& visit) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  index_t at[strip_rows], end[strip_rows];
  std::uint32_t head[strip_rows];
#pragma unroll
  for (int r = 0; r < strip_rows; ++r) {
    const index_t row = min(strip * strip_rows + r, rows);
    at[r] = offsets[row];
    end[r] = offsets[min(row + 1, rows)];
    head[r] = at[r] < end[r] ? static_cast<std::uint32_t>(columns[at[r]]) : none;
  }
  bool ascends = true;
  for (;;) {
    const std::uint32_t column = min(min(head[0], head[1]), min(head[2], head[3]));
    if (column == none) return ascends;
    std::uint32_t bits = 0;
#pragma unroll
    for (int r = 0; r < strip_rows; ++r)
      if (head[r] == column) {
        bits |= std::uint32_t{1} << r;
        ++at[r];
        head[r] = at[r] < end[r] ? static_cast<std::uint32_t>(columns[at[r]]) : none;
        ascends = ascends && head[r] > column;
      }
    visit(bits << strip_column_bits | column);
  }
}

static_assert(strip_rows == 4);

void count_entries(const context& where, offset_reader offsets, const std::int32_t* columns,
                   index_t rows, index_t strips, index_t* counts, std::int32_t* unsorted) {
  cuda::for_each(where, strips, "counting the columns of strips", [=] __device__(index_t strip) {
    index_t count = 0;
    if (!merge_rows(offsets, columns, rows, strip, [&](std::uint32_t) { ++count; })) *unsorted = 1;
    counts[strip] = count;
  });
}

void fill_entries(const context& where, offset_reader offsets, const std::int32_t* columns,
                  index_t rows, const buffer<index_t>& starts, strip_plan& to) {
  const index_t strips = starts.size() - 1;
  const index_t* const start = starts.data();
  std::int32_t* const first = to.first.data();
  std::uint32_t* const entries = to.entries.data();
  cuda::for_each(where, strips + 1, "the columns of strips", [=] __device__(index_t strip) {
    first[strip] = static_cast<std::int32_t>(start[strip]);
    if (strip == strips) return;
    std::uint32_t* next = entries + start[strip];
    merge_rows(offsets, columns, rows, strip, [&](std::uint32_t entry) { *next++ = entry; });
  });
}

constexpr index_t sampled_rows = 64, sampled_columns = 64;

/// column - row of the first nonzeros of rows from all over the matrix.
void sample_differences(const context& where, offset_reader offsets, const std::int32_t* columns,
                        index_t rows, std::int32_t* to) {
  cuda::for_each(where, sampled_rows * sampled_columns, "a sample of rows",
                 [=] __device__(index_t i) {
                   const index_t row = i / sampled_columns * rows / sampled_rows;
                   const index_t at = offsets[row] + i % sampled_columns;
                   to[i] = at < offsets[row + 1] ? static_cast<std::int32_t>(columns[at] - row) : 0;
                 });
}

void write_keys(const context& where, index_t strips, mesh_box box, std::uint32_t* keys) {
  cuda::for_each(where, strips, "the tiles of strips", [=] __device__(index_t strip) {
    keys[strip] = static_cast<std::uint32_t>(tile_key(strip * strip_rows, box));
  });
}

/// The order of strips by tiles of the mesh behind the rows; empty if there is none.
buffer<std::uint32_t> order_strips(const context& where, extents shape, offset_reader offsets,
                                   const std::int32_t* columns) {
  constexpr index_t least_rows = 4096;  // of a mesh that is worth it
  if (shape.rows != shape.cols || shape.rows < least_rows) return {};
  buffer<std::int32_t> sample(sampled_rows * sampled_columns, where.memory());
  sample_differences(where, offsets, columns, shape.rows, sample.data());
  std::vector<std::int32_t> found(static_cast<std::size_t>(sample.size()));
  cuda::copy_bytes(where, found.data(), sample.data(), found.size() * sizeof(found[0]),
                   cuda::direction::to_host);
  const mesh_box box = guess_box(found, sampled_rows, sampled_columns);
  if (box.line == 0) return {};
  const index_t strips = (shape.rows + strip_rows - 1) / strip_rows;
  buffer<std::uint32_t> keys(strips, where.memory());
  write_keys(where, strips, box, keys.data());
  return cuda::order_of(where, std::move(keys), 32).from;
}

}  // namespace

strip_plan find_strips(const context& where, extents shape, index_view offsets,
                       const std::int32_t* columns, index_t most) {
  if (cuda::is_captured(cuda::stream_of(where)) || shape.rows == 0) return {};
  const offset_reader reader(offsets);
  const index_t strips = (shape.rows + strip_rows - 1) / strip_rows;
  buffer<index_t> starts(strips + 1, where.memory());
  buffer<std::int32_t> unsorted(1, where.memory());
  unsorted.set(0);
  count_entries(where, reader, columns, shape.rows, strips, starts.data(), unsorted.data());
  const index_t total = cuda::exclusive_sums(where, starts);
  std::int32_t found = 0;
  cuda::copy_bytes(where, &found, unsorted.data(), sizeof(found), cuda::direction::to_host);
  if (found != 0 || total > most) return {};
  strip_plan plan{buffer<std::int32_t>(strips + 1, where.memory()),
                  buffer<std::uint32_t>(total, where.memory()),
                  order_strips(where, shape, reader, columns)};
  fill_entries(where, reader, columns, shape.rows, starts, plan);
  return plan;
}

}  // namespace gossamer::device
