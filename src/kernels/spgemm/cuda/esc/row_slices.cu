#include "kernels/spgemm/cuda/esc/row_slices.hpp"

#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"

namespace gossamer::device {

namespace {

/// Cuts of one launch; the last is where the next launch begins.
constexpr index_t cuts_at_once = cutting_bytes / index_t{sizeof(row_cut)} - 1;

/// One thread: a slice takes a search of some twenty steps, and there are few of them. A launch
/// ends with the last row or with its places; the cuts that it does not need are the last one.
__global__ void cut_on_device(const index_t* before_row, cuda::index_reader offsets, index_t first,
                              index_t rows, index_t most, row_cut* cuts) {
  for (index_t k = 0; k <= cuts_at_once; ++k) {
    cuts[k] = {first, offsets[first], before_row[first]};
    if (first < rows) first = slice_end(before_row, first, rows, most);
  }
}

}  // namespace

index_t row_products_bytes(index_t rows, index_t nnz) {
  return (rows + nnz + 2) * index_t{sizeof(index_t)};
}

index_t row_products_peak(index_t rows, index_t nnz) {
  return row_products_bytes(rows, nnz) + nnz / 16 + (1 << 16);  // what the prefix sums need
}

row_products count_row_products(const context& where, index_view a_offsets, index_view a_columns,
                                index_view b_offsets) {
  const cuda::device_guard on(where);
  const index_t nnz = a_columns.size(), rows = a_offsets.size() - 1;
  row_products found{buffer<index_t>(nnz + 1, where.memory()),
                     buffer<index_t>(rows + 1, where.memory())};
  const cuda::index_reader column(a_columns), start_a(a_offsets), start_b(b_offsets);
  index_t* const before = found.before_entry.data();
  index_t* const before_row = found.before_row.data();
  cuda::for_each(where, nnz, "multiplications of nonzeros", [=] __device__(index_t p) {
    const index_t k = column[p];
    before[p] = start_b[k + 1] - start_b[k];
  });
  found.total = cuda::exclusive_sums(where, found.before_entry);
  cuda::for_each(where, rows + 1, "multiplications of rows",
                 [=] __device__(index_t i) { before_row[i] = before[start_a[i]]; });
  found.longest_row = cuda::greatest(
      where, rows, "the row of most multiplications",
      [=] __device__(index_t i) { return before[start_a[i + 1]] - before[start_a[i]]; });
  return found;
}

std::vector<row_cut> cut_rows(const context& where, const row_products& products,
                              index_view a_offsets, index_t most) {
  const index_t rows = a_offsets.size() - 1;
  const row_cut end{rows, products.before_entry.size() - 1, products.total};
  if (products.total <= most && rows <= most_slice_rows) return {row_cut{}, end};
  const cuda::device_guard on(where);
  buffer<row_cut> device_cuts(cuts_at_once + 1, where.memory());
  std::vector<row_cut> some(static_cast<std::size_t>(cuts_at_once + 1)), all{row_cut{}};
  while (all.back().row < rows) {
    cut_on_device<<<1, 1, 0, cuda::stream_of(where)>>>(
        products.before_row.data(), cuda::index_reader(a_offsets), all.back().row, rows, most,
        device_cuts.data());
    cuda::check(cudaGetLastError(), "slicing {} rows could not be launched", count_text(rows));
    cuda::copy_bytes(where, some.data(), device_cuts.data(), sizeof(row_cut) * some.size(),
                     cuda::direction::to_host);
    for (std::size_t k = 1; k < some.size() && all.back().row < rows; ++k) all.push_back(some[k]);
  }
  return all;
}

}  // namespace gossamer::device
