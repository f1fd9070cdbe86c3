// Rows of a CSR matrix times x. How a row is best summed depends on how well the processor can
// foresee its length: rows that are alike, or so few that it remembers them, are unrolled; others
// must cost one wrong guess at most. The way is a fact of the matrix alone, and a row is always
// summed alike, so the bits do not depend on threads. docs/kernels/spmv-cpu.md has the
// measurements.
#pragma once

#include <array>
#include <vector>

#include "base/parallel.hpp"
#include "kernels/common/vector_arguments.hpp"

namespace gossamer {

enum class row_style {
  regular,  ///< nearly all of one length, short, A not large: loops of fixed length
  near,     ///< foreseen, A not large: vectors across a row
  even,     ///< foreseen: the same, streams fetched ahead
  brief,    ///< unlike and short: products first, then sums under masks
  uneven,   ///< unlike: one loop, one exit, so that loads of x are not held up
  far,      ///< unlike, x beyond the caches: its elements are fetched ahead
};
inline constexpr std::array all_row_styles{row_style::regular, row_style::near,   row_style::even,
                                           row_style::brief,   row_style::uneven, row_style::far};

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

// Where styles part, seen on a Zen 4 with the downloaded and the generated matrices.

/// Shorter rows than this have a loop of their own each, if nearly all are of one length.
inline constexpr index_t fixed_lengths = 8;
/// The ends of so many rows are remembered from one product to the next.
inline constexpr index_t remembered_rows = 20'000;
/// In rows this long on average, a wrong guess is little.
inline constexpr index_t long_mean = 20;
/// An A of so many bytes is within reach of the page tables' cache: the processor keeps up with it.
inline constexpr index_t near_bytes = index_t{10} << 20;
/// Rows that are one vector of products are short; most rows are if 7 of 10 are.
template <class T>
inline constexpr index_t short_length = 64 / index_t{sizeof(T)};
/// If most rows are short and the mean is not, products first pays while x is in half an L2.
inline constexpr index_t brief_bytes = index_t{512} << 10;
/// From here on, x is looked up in memory, not in a cache: fetching ahead pays.
inline constexpr index_t far_bytes = index_t{12} << 20;

/// What a look at a few hundred rows shows.
struct row_sample {
  index_t rows = 0;
  index_t alike = 0;     ///< as long as the one before
  index_t foreseen = 0;  ///< as long as what followed the same two lengths last time
  index_t brief = 0;     ///< at most `short_length`
};

template <class O>
row_sample sample_rows(const O* offsets, index_t rows, index_t short_length) {
  constexpr index_t run = 32, most_runs = 16, memory = 512;
  const index_t runs = std::clamp<index_t>(rows / run, 1, most_runs);
  std::array<index_t, memory> followed{};  // by a length; one more than that, 0: nobody knows
  row_sample seen;
  for (index_t r = 0; r < runs; ++r) {
    // Not where parts begin: in a power law, rows of round numbers are the long ones.
    const auto [from, end] = part_of(rows, r, runs);
    const index_t begin = from + std::max<index_t>(end - from - run, 0) * (r + 1) / (runs + 1);
    const auto length = [offsets](index_t i) -> index_t { return offsets[i + 1] - offsets[i]; };
    for (index_t i = begin + 2; i < std::min(end, begin + run); ++i) {
      const index_t now = length(i), before = length(i - 1);
      auto& known = followed[static_cast<std::size_t>((31 * before + length(i - 2)) % memory)];
      ++seen.rows;
      seen.alike += now == before ? 1 : 0;
      seen.foreseen += known == now + 1 ? 1 : 0;
      seen.brief += now <= short_length ? 1 : 0;
      known = now + 1;
    }
  }
  return seen;
}

template <class T, class I, class O>
row_style style_of(const csr_ref<const T, I, O>& a) {
  const index_t bytes = a.rows * index_t{sizeof(O)} + a.nnz() * index_t{sizeof(T) + sizeof(I)};
  const auto foreseen = bytes <= near_bytes ? row_style::near : row_style::even;
  if (a.nnz() >= long_mean * a.rows) return foreseen;
  const auto seen = sample_rows(a.offsets, a.rows, short_length<T>);
  if (10 * seen.alike >= 9 * seen.rows && a.nnz() < fixed_lengths * a.rows && bytes <= near_bytes)
    return row_style::regular;
  if (a.rows <= remembered_rows || 2 * seen.foreseen >= seen.rows) return foreseen;
  const index_t x_bytes = a.cols * index_t{sizeof(T)};
  if (x_bytes > far_bytes) return row_style::far;
  if (10 * seen.brief < 7 * seen.rows) return row_style::uneven;
  const bool short_mean = a.nnz() <= short_length<T> * a.rows;
  return short_mean || x_bytes <= brief_bytes ? row_style::brief : foreseen;
}

}  // namespace gossamer
