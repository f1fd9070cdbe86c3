// Builds CSR row by row, in parallel, from a function for the length of a row and one that fills
// it. Rows are independent, so the result is the same for any number of threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/typed.hpp"
#include "generate/sampling.hpp"
#include "gossamer/context.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::generate {

/// a * b for sizes >= 0; throws error(overflow) that says what was being counted.
inline index_t times(index_t a, index_t b, std::string_view what) {
  index_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throw fail(error_kind::overflow, "{}: {} times {} does not fit 64 bits", what, count_text(a),
               count_text(b));
  return result;
}

inline void require_at_least(index_t least, std::string_view generator, std::string_view parameter,
                             index_t value) {
  if (value < least)
    throw fail(error_kind::bad_argument, "{}: {} is {}, expected {} or more", generator, parameter,
               count_text(value), count_text(least));
}

/// Generators write host memory; what is needed on a device is copied there.
inline void require_host(const context& where, std::string_view generator) {
  if (where.memory()->where() != memory::host)
    throw fail(error_kind::bad_argument,
               "{}: matrices are generated in host memory; generate under context::openmp() and "
               "copy the result to the device",
               generator);
}

/// One thread for little work: starting the others would cost more than they save.
inline int useful_threads(const context& where, index_t work) {
  return work < (index_t{1} << 14) ? 1 : where.threads();
}

/// The sum of length(i) over all rows.
template <class Length>
index_t total_length(const context& where, index_t rows, const Length& length) {
  const int parts = useful_threads(where, rows);
  std::vector<index_t> sums(static_cast<std::size_t>(parts), 0);
  parallel_chunks(parts, parts, [&](index_t part) {
    const auto own = part_of(rows, part, parts);
    index_t sum = 0;
    for (index_t i = own.begin; i < own.end; ++i) sum += length(i);
    sums[static_cast<std::size_t>(part)] = sum;
  });
  index_t total = 0;
  for (const auto sum : sums) total += sum;
  return total;
}

namespace detail {

/// offsets[i] = sum of the lengths before row i, for i in [0, rows].
template <class O, class Length>
void write_offsets(const context& where, index_t rows, const Length& length, O* offsets) {
  const int parts = useful_threads(where, rows);
  std::vector<index_t> start(static_cast<std::size_t>(parts) + 1, 0);
  parallel_chunks(parts, parts, [&](index_t part) {
    const auto own = part_of(rows, part, parts);
    index_t sum = 0;
    for (index_t i = own.begin; i < own.end; ++i) sum += length(i);
    start[static_cast<std::size_t>(part) + 1] = sum;
  });
  for (std::size_t part = 1; part < start.size(); ++part) start[part] += start[part - 1];
  parallel_chunks(parts, parts, [&](index_t part) {
    const auto own = part_of(rows, part, parts);
    index_t next = start[static_cast<std::size_t>(part)];
    for (index_t i = own.begin; i < own.end; ++i) {
      offsets[i] = static_cast<O>(next);
      next += length(i);
    }
  });
  offsets[rows] = static_cast<O>(start.back());
}

/// Calls body(begin, end) on ranges of rows of about equal work, which is rows plus nonzeros.
template <class O, class Body>
void parallel_rows(const context& where, index_t rows, const O* offsets, const Body& body) {
  const auto work_before = [&](index_t row) { return static_cast<index_t>(offsets[row]) + row; };
  const int threads = useful_threads(where, work_before(rows));
  const index_t chunks = threads == 1 ? 1 : std::min<index_t>(rows, index_t{16} * threads);
  parallel_work(threads, rows, chunks, work_before, body);
}

}  // namespace detail

/// Builds the matrix whose row i has length(i) nonzeros, `nnz` in all, written by fill(i, columns,
/// values, scratch) into two spans of that length. Index widths are the narrowest safe ones. All
/// arrays are allocated before the first row is filled.
template <real_scalar T, class Length, class Fill>
csr_matrix<T> build_rows(const context& where, extents shape, index_t nnz, const Length& length,
                         const Fill& fill) {
  const auto w = narrowest(shape, nnz);
  buffer<T> values(nnz, where.memory());
  index_buffer columns(nnz, w.indices, where.memory());
  index_buffer offsets(shape.rows + 1, w.offsets, where.memory());
  gossamer::detail::with_widths(w.indices, w.offsets, [&]<class I, class O>() {
    O* const starts = static_cast<O*>(offsets.view().data());
    I* const column_data = static_cast<I*>(columns.view().data());
    T* const value_data = values.data();
    detail::write_offsets(where, shape.rows, length, starts);
    detail::parallel_rows(where, shape.rows, starts, [&](index_t begin, index_t end) {
      sampling_scratch scratch;
      for (index_t i = begin; i < end; ++i) {
        const auto size = static_cast<std::size_t>(starts[i + 1] - starts[i]);
        fill(i, std::span<I>(column_data + starts[i], size),
             std::span<T>(value_data + starts[i], size), scratch);
      }
    });
  });
  return csr_matrix<T>(shape, std::move(offsets), std::move(columns), std::move(values));
}

/// Fills the values of row i from its own stream, one draw per nonzero.
template <real_scalar T>
void fill_positive(const random_stream& values, index_t row, std::span<T> entries) {
  const auto own = values.of(static_cast<std::uint64_t>(row));
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = own.template positive<T>(k);
}

/// The same for a share of the rows: `nnz` is that of all of them.
template <scalar T, class Length, class Fill>
csr_matrix<T> build_share(const context& where, extents shape, index_t nnz, row_share which,
                          const Length& length, const Fill& fill) {
  if (which.parts < 1 || which.part < 0 || which.part >= which.parts)
    throw fail(error_kind::bad_argument, "part {} of {} of the rows was asked for", which.part,
               which.parts);
  if (which.parts == 1) return build_rows<T>(where, shape, nnz, length, fill);
  const auto own = part_of(shape.rows, which.part, which.parts);
  const auto length_here = [&](index_t i) { return length(own.begin + i); };
  return build_rows<T>(
      where, {own.end - own.begin, shape.cols},
      total_length(where, own.end - own.begin, length_here), length_here,
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch& scratch) {
        fill(own.begin + i, columns, values, scratch);
      });
}

/// Rows of random distinct columns and random values in (0, 1].
template <real_scalar T, class Length>
csr_matrix<T> random_rows(const context& where, extents shape, index_t nnz, std::uint64_t seed,
                          row_share which, const Length& length) {
  const random_stream pattern(seed, purpose::pattern), entries(seed, purpose::values);
  return build_share<T>(
      where, shape, nnz, which, length,
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch& scratch) {
        sample_sorted(pattern.of(static_cast<std::uint64_t>(i)), shape.cols, columns, scratch);
        fill_positive(entries, i, values);
      });
}

}  // namespace gossamer::generate
