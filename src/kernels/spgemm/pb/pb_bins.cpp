#include "kernels/spgemm/pb/pb_bins.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace gossamer {

namespace {

/// With more local bins than this they would not fit L2 together.
constexpr index_t most_bins = 2048;
/// Sorting a tuple touches it, its value and two lists of keys and positions.
constexpr index_t sorting_bytes = 24;
/// Two full cache lines of 4-byte keys with their values.
constexpr index_t default_local_bytes = 512;

index_t bins_for(const pb_settings& s, index_t products, index_t rows) {
  const index_t in_cache = std::max<index_t>(this_machine().l2 * 3 / 4 / sorting_bytes, 1024);
  const index_t wanted =
      s.bins > 0 ? s.bins : std::min((products + in_cache - 1) / in_cache, most_bins);
  return std::clamp<index_t>(wanted, 1, std::max<index_t>(rows, 1));
}

pb_slice cut(range rows, std::span<const index_t> products, const pb_settings& s, int column_bits) {
  pb_slice slice{.rows = rows, .first_row = {rows.begin}};
  const auto before = [&](index_t row) { return products[static_cast<std::size_t>(row)]; };
  slice.products = before(rows.end) - before(rows.begin);
  const index_t count = rows.end - rows.begin, bins = bins_for(s, slice.products, count);
  // Keys stay short: no bin has more than four times the average number of rows, and a key holds a
  // row beside the column.
  const index_t even = (count + bins - 1) / bins;
  const int most_bits = std::min(bits_below(s.by_products ? 4 * even : even), 64 - column_bits);
  const index_t most_rows =
      std::min(s.by_products ? 4 * even : even, index_t{1} << std::min(most_bits, 62));
  const index_t target = (slice.products + bins - 1) / bins;
  for (index_t row = rows.begin; row < rows.end;) {
    index_t next = std::min(row + std::max<index_t>(most_rows, 1), rows.end);
    if (s.by_products) {
      // The first row at which the bin has its share; a bin has at least one row.
      const auto* const begin = products.data() + row + 1;
      const auto* const at = std::lower_bound(begin, products.data() + next, before(row) + target);
      next = std::min<index_t>(next, at - products.data());
    }
    slice.largest_bin = std::max(slice.largest_bin, before(next) - before(row));
    slice.row_bits = std::max(slice.row_bits, bits_below(next - row));
    slice.first_row.push_back(next);
    row = next;
  }
  return slice;
}

/// The last row up to which there are at most `most` nonzeros since `row`; at least row + 1.
index_t last_within(index_view entries, index_t row, index_t end, index_t most) {
  index_t low = row + 1, high = end;
  while (low < high) {
    const index_t middle = high - (high - low) / 2;
    entries[middle] - entries[row] <= most ? low = middle : high = middle - 1;
  }
  return low;
}

}  // namespace

index_t pb_most_bins(const problem& p, const pb_settings& s, index_t products) {
  const index_t bins = bins_for(s, products, p.result.rows);
  // A bin ends when it has its share of the multiplications, or four times its share of rows.
  const int key_bits = 64 - bits_below(p.result.cols);
  return bins + bins / 4 + 2 + (key_bits < 64 ? p.result.rows >> std::min(key_bits, 62) : 0);
}

pb_settings::pb_settings(std::string_view text) {
  const tuning given(text, "spgemm/csr/pb/openmp", names);
  bins = given.number("bins", 0, 1);
  local_bytes = given.number("local_bytes", default_local_bytes, 1);
  sockets = given.number("sockets", 1, 1);
  by_products = given.word("balance", {"flop", "even"}) == "flop";
  flag_sort = given.word("sort", {"stable", "flag"}) == "flag";
}

index_t pb_local_tuples(const pb_settings& s, index_t tuple_bytes) {
  const auto fit = static_cast<std::uint64_t>(std::max<index_t>(s.local_bytes / tuple_bytes, 16));
  return static_cast<index_t>(std::bit_floor(std::min<std::uint64_t>(fit, 1 << 16)));
}

pb_layout lay_out_bins(const problem& p, std::span<const index_t> products, const pb_settings& s,
                       index_t most_products, index_view entries) {
  pb_layout layout;
  layout.column_bits = bits_below(p.result.cols);
  const index_t rows = p.result.rows;
  const index_t most = std::max<index_t>(most_products, 1);
  const auto* const first = products.data();
  for (index_t socket = 0; socket < s.sockets; ++socket) {
    const auto [begin, end] = part_of(rows, socket, s.sockets);
    for (index_t row = begin; row < end;) {
      const auto* const at = std::upper_bound(first + row + 1, first + end + 1, first[row] + most);
      index_t next = std::clamp<index_t>(at - first - 1, row + 1, end);
      if (entries.size() > 0 && entries[next] - entries[row] > most)
        next = last_within(entries, row, next, most);
      layout.slices.push_back(cut({row, next}, products, s, layout.column_bits));
      row = next;
    }
  }
  for (const auto& slice : layout.slices) {
    layout.largest_slice = std::max(layout.largest_slice, slice.products);
    layout.largest_bin = std::max(layout.largest_bin, slice.largest_bin);
    layout.most_bins = std::max(layout.most_bins, slice.bins());
    // Nonzeros of A carry bin and row in one integer of the key's size.
    layout.wide |= slice.row_bits + std::max(layout.column_bits, bits_below(slice.bins())) > 32 ||
                   std::max(slice.row_bits, layout.column_bits) > 31 ||
                   slice.largest_bin >= (index_t{1} << 31);
  }
  return layout;
}

}  // namespace gossamer
