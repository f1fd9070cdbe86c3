// Filters rows on a device: a flag for each nonzero, prefix sums, and a copy of those that stay.
// The largest of each row are found by two stable sorts, by magnitude and then by row, so that ties
// go to the one stored first, as on the host.
#include "backends/cuda/arrays.hpp"
#include "base/bits.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/cuda/entries.cuh"
#include "formats/value_types.hpp"

namespace gossamer::cuda {

namespace {

/// Numbers whose ascending order is the descending order of magnitudes: NaN first, all NaN alike.
__device__ std::uint32_t rank_key(float value) {
  return ~(value != value ? 0x7fffffffU : __float_as_uint(value) & 0x7fffffffU);
}
__device__ std::uint64_t rank_key(double value) {
  constexpr std::uint64_t magnitude = 0x7fffffffffffffffU;
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(value));
  return ~(value != value ? magnitude : bits & magnitude);
}

/// Complex numbers rank by magnitude.
template <class R>
__device__ auto rank_key(const std::complex<R>& value) {
  return rank_key(hypot(value.real(), value.imag()));
}
__device__ float magnitude(float value) { return fabsf(value); }
__device__ double magnitude(double value) { return fabs(value); }
template <class R>
__device__ R magnitude(const std::complex<R>& value) {
  return hypot(value.real(), value.imag());
}

template <class T>
struct rank_bits;
template <>
struct rank_bits<float> {
  static constexpr int value = 32;
};
template <>
struct rank_bits<double> {
  static constexpr int value = 64;
};

constexpr index_t most_narrow = index_t{1} << 31;

/// The nonzeros whose flag is 1. `flags` has one element more than there are nonzeros.
template <class T>
csr_matrix<T> flagged(const context& where, const csr_view<const T>& a, buffer<index_t> flags) {
  const index_t kept = exclusive_sums(where, flags);
  compressed<T> result(where, a.shape, kept);
  const index_t* const before = flags.data();
  const index_reader starts(a.offsets), columns(a.columns);
  const index_writer out_starts(result.offsets.view()), out(result.indices.view());
  if (a.shape.rows == 0) result.offsets.set(0);
  for_each(where, a.shape.rows == 0 ? 0 : a.shape.rows + 1, "where filtered rows begin",
           [=] __device__(index_t i) { out_starts.set(i, before[starts[i]]); });
  const T* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, a.nnz(), "copying filtered nonzeros", [=] __device__(index_t p) {
    const index_t at = before[p];
    if (before[p + 1] == at) return;
    out.set(at, columns[p]);
    out_values[at] = values[p];
  });
  return as_csr(a.shape, std::move(result));
}

template <class T>
csr_matrix<T> above_threshold(const context& where, const csr_view<const T>& a,
                              const entry_filter& by) {
  buffer<index_t> flags(a.nnz() + 1, where.memory());
  index_t* const flag = flags.data();
  const T* const values = a.values;
  const bool drop_zeros = by.drop_zeros;
  const double least = by.which.magnitude;
  for_each(where, a.nnz(), "filtering by magnitude", [=] __device__(index_t p) {
    const T value = values[p];
    const bool dropped = (drop_zeros && value == T{0}) ||
                         static_cast<double>(magnitude(value)) < least;  // false for NaN
    flag[p] = dropped ? 0 : 1;
  });
  return flagged(where, a, std::move(flags));
}

/// Flags the `largest` of each row.
template <class Rank, class Row, class T>
buffer<index_t> flag_largest(const context& where, const csr_view<const T>& a, index_t largest) {
  const index_t nnz = a.nnz();
  buffer<Rank> ranks(nnz, where.memory());
  Rank* const rank = ranks.data();
  const T* const values = a.values;
  for_each(where, nnz, "magnitudes",
           [=] __device__(index_t p) { rank[p] = static_cast<Rank>(rank_key(values[p])); });
  const auto by_rank = order_of(where, std::move(ranks), rank_bits<real_of<T>>::value);
  const auto lines = rows_of_entries(where, a.offsets, a.shape, nnz);
  const index_reader line(lines.view()), starts(a.offsets);
  const Rank* const from = by_rank.from.data();
  buffer<Row> rows(nnz, where.memory());
  Row* const row = rows.data();
  for_each(where, nnz, "rows by magnitude", [=] __device__(index_t i) {
    row[i] = static_cast<Row>(line[static_cast<index_t>(from[i])]);
  });
  const auto by_row = order_of(where, std::move(rows), bits_below(a.shape.rows));
  const Row* const sorted_row = by_row.keys.data();
  const Row* const place = by_row.from.data();
  buffer<index_t> flags(nnz + 1, where.memory());
  index_t* const flag = flags.data();
  for_each(where, nnz, "the largest of each row", [=] __device__(index_t i) {
    const auto at = static_cast<index_t>(from[static_cast<index_t>(place[i])]);
    flag[at] = i - starts[static_cast<index_t>(sorted_row[i])] < largest ? 1 : 0;
  });
  return flags;
}

template <class T>
csr_matrix<T> largest_of_rows(const context& where, const csr_view<const T>& a, index_t largest) {
  const bool narrow = std::max(a.nnz(), a.shape.rows) < most_narrow;
  using own = std::conditional_t<std::same_as<real_of<T>, float>, std::uint32_t, std::uint64_t>;
  return flagged(where, a,
                 narrow ? flag_largest<own, std::uint32_t>(where, a, largest)
                        : flag_largest<std::uint64_t, std::uint64_t>(where, a, largest));
}

}  // namespace

template <scalar T>
csr_matrix<T> keep_entries(const context& where, const csr_view<const T>& a,
                           const entry_filter& by) {
  const device_guard on(where);
  const index_t largest = by.which.largest;
  if (by.drop_zeros || by.which.magnitude > 0 || largest == 0) {
    auto kept = above_threshold(where, a, by);
    if (largest == 0 || longest_line(where, kept.row_offsets()) <= largest) return kept;
    return largest_of_rows(where, std::as_const(kept).view(), largest);
  }
  return largest_of_rows(where, a, largest);
}

index_t keep_entries_bytes(extents shape, index_t nnz, value_type values, const entry_filter& by) {
  const widths w = narrowest(shape, nnz);
  const index_t copy =
      (shape.rows + 1) * bytes(w.offsets) + nnz * (bytes(w.indices) + bytes(values));
  const index_t flags = (nnz + 1) * index_t{sizeof(index_t)} + nnz / 16 + (1 << 16);
  if (by.which.largest == 0) return flags + copy;
  const bool narrow = std::max(nnz, shape.rows) < most_narrow;
  const index_t rank = narrow ? bytes(values) : 8, row = narrow ? 4 : 8;
  // A sort holds keys and places before and after, and as much again.
  const index_t sorting = std::max(6 * rank, 2 * rank + bytes(w.indices) + 6 * row);
  const index_t ranking = nnz * (sorting + 8) + nnz / 2 + (1 << 20);
  const bool twice = by.drop_zeros || by.which.magnitude > 0;
  return std::max(flags + copy, ranking + flags) + (twice ? copy : 0) + copy;
}

#define GOSSAMER_INSTANTIATE(T)                                                 \
  template csr_matrix<T> keep_entries(const context&, const csr_view<const T>&, \
                                      const entry_filter&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
