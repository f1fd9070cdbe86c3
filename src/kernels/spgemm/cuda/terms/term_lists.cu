#include "kernels/spgemm/cuda/terms/term_lists.hpp"

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/bits.hpp"
#include "kernels/spgemm/cuda/counted_operands.cuh"
#include "kernels/spgemm/cuda/esc/row_slices.hpp"
#include "kernels/spgemm/cuda/esc/sort_pairs.hpp"

namespace gossamer::device {

namespace {

/// Below 2^32 by more than any loop steps beyond its end.
constexpr index_t most_numbered = (index_t{1} << 32) - 4096;

/// What the multiplications of a nonzero of A need to find their nonzeros of C.
struct term_search {
  counted_operands of;
  cuda::index_reader b_columns;
  const index_t* before;     ///< multiplications before each nonzero of A
  const std::int64_t* rows;  ///< of each nonzero of A
  const index_t* c_offsets;
  const std::int32_t* c_columns;
};

/// Lanes that share a nonzero of A: rows of B are short on average.
constexpr int term_lanes = 8;

/// Writes out every multiplication with the nonzero of C that it is added to.
__global__ void __launch_bounds__(count_threads)
    expand_terms(term_search by, index_t nnz, std::uint32_t* slots, product_term* terms) {
  const int lane = static_cast<int>(threadIdx.x) % term_lanes;
  for (index_t k = cuda::first_element() / term_lanes; k < nnz;
       k += cuda::element_stride() / term_lanes) {
    const index_t j = by.of.a_columns[k], begin = by.of.b_offsets[j];
    const index_t length = by.of.b_offsets[j + 1] - begin, row = by.rows[k];
    const index_t first = by.c_offsets[row], count = by.c_offsets[row + 1] - first;
    for (index_t l = lane; l < length; l += term_lanes) {
      const index_t at = by.before[k] + l;
      slots[at] = static_cast<std::uint32_t>(
          first + cuda::first_not_below(by.c_columns + first, count, by.b_columns[begin + l]));
      terms[at] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(begin + l)};
    }
  }
}

}  // namespace

index_t term_listing_bytes(index_t products, index_t nnz) {
  // Keys and numbers twice for the sort, terms twice; starts and columns.
  constexpr index_t each = 4 * sizeof(std::uint32_t) + 2 * sizeof(product_term);
  return each * products + 2 * index_t{sizeof(std::int32_t)} * (nnz + 1);
}

bool can_list_terms(const product_structure& of, index_t products, index_t nnz) {
  return products > 0 && products <= most_numbered && nnz <= most_numbered &&
         of.a_columns.size() <= most_numbered && of.b_columns.size() <= most_numbered &&
         of.b_shape.cols <= (index_t{1} << 31);
}

term_lists list_terms(const context& where, const product_structure& of,
                      const buffer<index_t>& offsets, buffer<std::int32_t> columns) {
  const index_t nnz_a = of.a_columns.size(), nnz = columns.size();
  auto products = count_row_products(where, of.a_offsets, of.a_columns, of.b_offsets);
  const index_t total = products.total;
  products.before_row = {};
  index_buffer rows(nnz_a, index_width::i64, where.memory());
  cuda::lines_of_entries(where, of.a_offsets, rows.view());
  buffer<std::uint32_t> slots(2 * total, where.memory()), numbers(2 * total, where.memory());
  buffer<product_term> unsorted(total, where.memory());
  const term_search by{counted_operands(of),
                       cuda::index_reader(of.b_columns),
                       products.before_entry.data(),
                       static_cast<const std::int64_t*>(rows.view().data()),
                       offsets.data(),
                       columns.data()};
  expand_terms<<<cuda::blocks_for(nnz_a * term_lanes, where.device()), count_threads, 0,
                 cuda::stream_of(where)>>>(by, nnz_a, slots.data(), unsorted.data());
  cuda::launch_check("listing terms", of.a_shape, nnz_a);
  std::uint32_t* const number = numbers.data();
  cuda::for_each(where, total, "numbering terms",
                 [=] __device__(index_t q) { number[q] = static_cast<std::uint32_t>(q); });
  two_arrays<std::uint32_t> keys{slots.data(), slots.data() + total};
  two_arrays<std::uint32_t> places{number, number + total};
  buffer<char> scratch(sorting_bytes(where, total, sizeof(std::uint32_t)), where.memory());
  sort_pairs(where, keys, places, total, bits_below(nnz), {scratch.data(), scratch.size()});
  term_lists lists{buffer<product_term>(total, where.memory()),
                   buffer<std::uint32_t>(nnz + 1, where.memory()), std::move(columns)};
  const product_term* const from = unsorted.data();
  product_term* const to = lists.terms.data();
  std::uint32_t* const starts = lists.starts.data();
  const std::uint32_t *const slot = keys.now, *const place = places.now;
  cuda::for_each(where, total, "ordering terms", [=] __device__(index_t at) {
    to[at] = from[place[at]];
    if (at == 0 || slot[at] != slot[at - 1]) starts[slot[at]] = static_cast<std::uint32_t>(at);
    if (at == total - 1) starts[nnz] = static_cast<std::uint32_t>(total);
  });
  return lists;
}

}  // namespace gossamer::device
