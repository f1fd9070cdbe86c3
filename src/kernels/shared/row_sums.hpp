// Rows of a CSR matrix times x. How a row is best summed depends on how well the processor can
// foresee its length: rows that are all alike are unrolled, rows that are not must cost one wrong
// guess at most. The way is a fact of the matrix alone, and a row is always summed alike, so the
// bits do not depend on threads. docs/kernels/spmv-cpu.md has the measurements.
#pragma once

#include <array>
#include <vector>

#include "base/parallel.hpp"
#include "kernels/shared/vector_call.hpp"

namespace gossamer {

enum class row_style {
  even,      ///< neighbours of equal length: vectors across a row, streams fetched ahead
  brief,     ///< unlike and short: products first, then sums under masks
  gathered,  ///< unlike, x in L2 or nearly: masked gathers
  uneven,    ///< unlike: one loop, one exit, so that loads of x are not held up
  far,       ///< unlike, x beyond the caches: its elements are fetched ahead
};
inline constexpr std::array all_row_styles{row_style::even, row_style::brief, row_style::gathered,
                                           row_style::uneven, row_style::far};

/// Stores alpha * (row times x) + beta * y for whole rows.
template <class T, class I, class O>
using row_summer = void (*)(const csr_ref<const T, I, O>&, const vector_call<T>&, range rows);

/// The ways this processor has for a style, the fastest last; there is always one.
template <class T, class I, class O>
std::vector<row_summer<T, I, O>> row_summers(row_style);

template <class T, class I, class O>
row_summer<T, I, O> fastest_row_summer(row_style style) {
  static const auto fastest = [] {
    std::array<row_summer<T, I, O>, all_row_styles.size()> found;
    for (const auto s : all_row_styles)
      found[static_cast<std::size_t>(s)] = row_summers<T, I, O>(s).back();
    return found;
  }();
  return fastest[static_cast<std::size_t>(style)];
}

/// The sum of the entries begin .. end, which belong to one row.
template <class T, class I, class O>
T piece_sum(row_summer<T, I, O> sum_rows, const csr_ref<const T, I, O>& a, const T* x,
            index_t begin, index_t end) {
  const O ends[2] = {static_cast<O>(begin), static_cast<O>(end)};
  T sum = 0;
  sum_rows({1, a.cols, ends, a.columns, a.values}, {.x = x, .y = &sum}, {0, 1});
  return sum;
}

/// Up to here gathers of x find it close by; beyond they keep fewer loads in flight than a loop.
inline constexpr index_t near_bytes = index_t{4} << 20;
/// From here on, x is looked up in memory, not in a cache: fetching ahead pays.
inline constexpr index_t far_bytes = index_t{12} << 20;
/// Rows of fewer entries are brief.
inline constexpr index_t brief_length = 6;

/// Looks at a few hundred rows, at fewer of a small matrix: it is done anew in every call.
template <class T, class I, class O>
row_style style_of(const csr_ref<const T, I, O>& a) {
  constexpr index_t most_probes = 256, enough_probes = 16;
  const index_t probes = std::min(a.rows / 2, std::clamp(a.rows / 32, enough_probes, most_probes));
  index_t alike = 0, brief = 0;
  for (index_t k = 0; k < probes; ++k) {
    const index_t i = k * (a.rows - 1) / probes;
    const index_t length = a.offsets[i + 1] - a.offsets[i];
    alike += a.offsets[i + 2] - a.offsets[i + 1] == length ? 1 : 0;
    brief += length < brief_length ? 1 : 0;
  }
  if (2 * alike >= probes) return row_style::even;
  const index_t x_bytes = a.cols * index_t{sizeof(T)};
  if (x_bytes > far_bytes) return row_style::far;
  if (2 * brief >= probes) return row_style::brief;
  return x_bytes > near_bytes ? row_style::uneven : row_style::gathered;
}

}  // namespace gossamer
