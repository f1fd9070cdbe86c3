#include "kernels/spgemm/cuda/device_mask.hpp"

#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"
#include "base/bits.hpp"

namespace gossamer::device {

namespace {

/// Whether columns ascend strictly in every row. A column that is not above the one before it must
/// be the first of its row, which a search in the offsets tells.
bool rows_ascend(const context& where, const pattern& mask) {
  const cuda::index_reader column(mask.columns), starts(mask.offsets);
  const index_t offsets = mask.offsets.size();
  return 0 == cuda::greatest(where, mask.nnz(), "looking at the order of a mask",
                             [=] __device__(index_t p) -> index_t {
                               if (p == 0 || column[p - 1] < column[p]) return 0;
                               return starts[cuda::first_not_below(starts, offsets, p)] != p;
                             });
}

/// The places of a mask, sorted by row and column; duplicates are still there.
template <class Key>
struct sorted_places {
  buffer<Key> rows, columns;
};

/// Two stable sorts, by column and then by row: of no more bits than the shape needs.
template <class Key>
sorted_places<Key> sort_places(const context& where, const pattern& mask) {
  const index_t nnz = mask.nnz();
  index_buffer lines(nnz, narrowest(mask.shape.rows), where.memory());
  cuda::lines_of_entries(where, mask.offsets, lines.view());
  const cuda::index_reader column(mask.columns), line(lines.view());
  buffer<Key> keys(nnz, where.memory());
  Key* const key = keys.data();
  cuda::for_each(where, nnz, "the columns of a mask",
                 [=] __device__(index_t p) { key[p] = static_cast<Key>(column[p]); });
  const auto by_column = cuda::order_of(where, std::move(keys), bits_below(mask.shape.cols));
  const Key* const from = by_column.from.data();
  buffer<Key> rows(nnz, where.memory());
  Key* const row = rows.data();
  cuda::for_each(where, nnz, "the rows of a mask", [=] __device__(index_t p) {
    row[p] = static_cast<Key>(line[static_cast<index_t>(from[p])]);
  });
  auto by_row = cuda::order_of(where, std::move(rows), bits_below(mask.shape.rows));
  const Key* const sorted = by_column.keys.data();
  const Key* const place = by_row.from.data();
  buffer<Key> columns(nnz, where.memory());
  Key* const out = columns.data();
  cuda::for_each(where, nnz, "sorting a mask",
                 [=] __device__(index_t p) { out[p] = sorted[static_cast<index_t>(place[p])]; });
  return {std::move(by_row.keys), std::move(columns)};
}

template <class Key>
struct key_reader {
  const Key* keys;
  __device__ index_t operator[](index_t p) const { return static_cast<index_t>(keys[p]); }
};

template <class Key>
device_mask without_duplicates(const context& where, const pattern& mask,
                               const sorted_places<Key>& sorted) {
  const index_t nnz = mask.nnz();
  const key_reader<Key> row{sorted.rows.data()}, column{sorted.columns.data()};
  buffer<index_t> sums(nnz + 1, where.memory());
  index_t* const before = sums.data();
  const auto is_first = [=] __device__(index_t p) {
    return p == 0 || row[p] != row[p - 1] || column[p] != column[p - 1];
  };
  cuda::for_each(where, nnz, "looking for duplicates in a mask",
                 [=] __device__(index_t p) { before[p] = is_first(p) ? 1 : 0; });
  const index_t places = cuda::exclusive_sums(where, sums);
  index_buffer offsets(mask.shape.rows + 1, mask.offsets.width(), where.memory());
  index_buffer columns(places, mask.columns.width(), where.memory());
  const cuda::index_writer start(offsets.view()), out(columns.view());
  cuda::for_each(
      where, mask.shape.rows + 1, "finding where rows of a mask begin",
      [=] __device__(index_t i) { start.set(i, before[cuda::first_not_below(row, nnz, i)]); });
  cuda::for_each(where, nnz, "copying a mask", [=] __device__(index_t p) {
    if (is_first(p)) out.set(before[p], column[p]);
  });
  return {mask, std::move(offsets), std::move(columns)};
}

constexpr index_t most_narrow = index_t{1} << 31;

bool has_narrow_keys(const pattern& mask) {
  return std::max({mask.nnz(), mask.shape.rows, mask.shape.cols}) < most_narrow;
}

}  // namespace

device_mask::device_mask(const pattern& mask, index_buffer offsets, index_buffer columns)
    : offsets_(std::move(offsets)), columns_(std::move(columns)), mask_(mask) {
  mask_.offsets = std::as_const(offsets_).view();
  mask_.columns = std::as_const(columns_).view();
}

index_t device_mask::bytes() const {
  return offsets_.size() * gossamer::bytes(offsets_.width()) +
         columns_.size() * gossamer::bytes(columns_.width());
}

device_mask sorted_mask(const context& where, const pattern& mask) {
  const cuda::device_guard on(where);
  if (mask.nnz() == 0 || rows_ascend(where, mask)) return device_mask(mask);
  if (has_narrow_keys(mask))
    return without_duplicates(where, mask, sort_places<std::uint32_t>(where, mask));
  return without_duplicates(where, mask, sort_places<std::uint64_t>(where, mask));
}

index_t sorted_mask_bytes(const pattern& mask) {
  const index_t key = has_narrow_keys(mask) ? 4 : 8;
  const index_t result = (mask.shape.rows + 1) * bytes(mask.offsets.width()) +
                         mask.nnz() * bytes(mask.columns.width());
  // Lines, sorted columns with their places, rows to be sorted with their places before and after,
  // and what the sort itself needs: about as much as its keys and places.
  const index_t sorting =
      mask.nnz() * (bytes(narrowest(mask.shape.rows)) + 8 * key) + mask.nnz() / 2 + (1 << 20);
  const index_t copying = mask.nnz() * (2 * key + 8) + result + (1 << 16);
  return std::max(sorting, copying);
}

}  // namespace gossamer::device
