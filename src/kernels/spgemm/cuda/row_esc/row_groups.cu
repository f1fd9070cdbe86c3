#include "kernels/spgemm/cuda/row_esc/row_groups.hpp"

#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"
#include "base/bits.hpp"

namespace gossamer::device {

namespace {

constexpr index_t most_narrow = index_t{1} << 31;

template <class Key>
struct key_reader {
  const Key* keys;
  __device__ index_t operator[](index_t at) const { return static_cast<index_t>(keys[at]); }
};

/// Writes the order to groups.order, and finds where launches end. Rows beyond the last limit are
/// not ordered among themselves, which keeps keys short: two passes of a radix sort.
template <class Key>
void sort_rows(const context& where, const row_work& work, const group_limits& limits,
               row_groups& groups) {
  const index_t rows = work.products.size(), beyond = limits.block + 1;
  buffer<Key> keys(rows, where.memory());
  Key* const key = keys.data();
  const index_t* const products = work.products.data();
  cuda::for_each(where, rows, "the work of rows", [=] __device__(index_t i) {
    key[i] = static_cast<Key>(min(products[i], beyond));
  });
  const auto sorted = cuda::order_of(where, std::move(keys), bits_below(beyond + 1));
  const Key* const from = sorted.from.data();
  index_t* const order = groups.order.data();
  cuda::for_each(where, rows, "rows by work",
                 [=] __device__(index_t i) { order[i] = static_cast<index_t>(from[i]); });
  buffer<index_t> ends(row_launches, where.memory());
  index_t* const end = ends.data();
  const key_reader<Key> work_of{sorted.keys.data()};
  const auto most = launch_limits(limits);
  cuda::for_each(where, row_launches, "groups of rows", [=] __device__(index_t k) {
    end[k] = cuda::first_not_below(work_of, rows, most[static_cast<std::size_t>(k)] + 1);
  });
  cuda::copy_bytes(where, groups.ends.data(), ends.data(), sizeof groups.ends,
                   cuda::direction::to_host);
}

}  // namespace

index_t ordering_bytes(index_t rows) {
  const index_t key = rows < most_narrow ? 4 : 8;
  // Keys and rows before and after, what the sort itself needs (about as much), and the ends.
  return 6 * key * rows + rows / 2 + (1 << 20);
}

row_groups order_rows(const context& where, const product_structure& of, row_work& work,
                      const group_limits& limits) {
  row_groups groups;
  groups.limits = limits;
  const index_t rows = work.products.size();
  groups.order = std::move(work.list);
  work.list = {};
  if (work.most_multiplications <= limits.thread) {
    groups.order = {};
    return groups;
  }
  if (rows < most_narrow)
    sort_rows<std::uint32_t>(where, work, limits, groups);
  else
    sort_rows<std::uint64_t>(where, work, limits, groups);
  groups.global_rows = rows - groups.ends.back();
  if (groups.global_rows == 0) return groups;
  const index_t* const list = groups.order.data() + groups.ends.back();
  index_t* const products = work.products.data();
  const cuda::index_reader offsets(of.a_offsets);
  groups.global_nonzeros =
      cuda::sum_of(where, groups.global_rows, "nonzeros of the longest rows",
                   [=] __device__(index_t i) { return offsets[list[i] + 1] - offsets[list[i]]; });
  groups.global_multiplications =
      cuda::sum_of(where, groups.global_rows, "work of the longest rows",
                   [=] __device__(index_t i) { return products[list[i]]; });
  cuda::for_each(where, groups.global_rows, "marking the longest rows",
                 [=] __device__(index_t i) { products[list[i]] = -products[list[i]]; });
  return groups;
}

}  // namespace gossamer::device
