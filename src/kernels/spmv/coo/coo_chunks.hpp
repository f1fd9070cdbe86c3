// y += alpha A x for a COO matrix sorted by rows, in equal chunks of nonzeros. A row inside a chunk
// belongs to it alone; a chunk's first and last row may be shared, so their sums are carries that
// are added in order at the end. Chunks have a fixed size: results are bitwise reproducible for any
// number of threads.
#pragma once

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/typed.hpp"
#include "gossamer/memory.hpp"

namespace gossamer {

/// Nonzeros of a chunk: 100 KB and more, so that claiming it costs nothing. Not measured.
inline constexpr index_t coo_chunk = 8192;

template <class T>
struct coo_carry {
  index_t first_row = 0, last_row = 0;
  T first = 0, last = 0;
};

[[noreturn]] inline void throw_rows_not_sorted(index_t entry) {
  throw fail(error_kind::bad_input,
             "the COO matrix is not sorted by rows any more (entry {}): its structure changed "
             "after the plan was made; make a new plan",
             entry);
}

/// Computes one chunk; `y` gets the sums of the rows inside it.
template <class T, class I>
coo_carry<T> coo_chunk_sums(const coo_ref<const T, I>& a, range entries, T alpha, const T* x,
                            T* y) {
  coo_carry<T> carry;
  index_t p = entries.begin;
  if (p > 0 && a.row_indices[p] < a.row_indices[p - 1]) throw_rows_not_sorted(p);
  carry.first_row = a.row_indices[p];
  for (bool first = true; p < entries.end; first = false) {
    const I row = a.row_indices[p];
    T sum = 0;
    for (; p < entries.end && a.row_indices[p] == row; ++p) sum += a.values[p] * x[a.columns[p]];
    const bool last = p == entries.end;
    if (!last && a.row_indices[p] < row) throw_rows_not_sorted(p);
    if (first) carry.first = sum;
    if (last) carry.last_row = row, carry.last = first ? T{0} : sum;
    if (!first && !last) y[row] += alpha * sum;
  }
  return carry;
}

template <class T, class I>
void coo_segments_add(const coo_ref<const T, I>& a, T alpha, const T* x, T* y, int threads) {
  const index_t chunks = (a.nnz + coo_chunk - 1) / coo_chunk;
  buffer<coo_carry<T>> carries(chunks);
  parallel_chunks(threads, chunks, [&](index_t chunk) {
    const range entries{chunk * coo_chunk, std::min(a.nnz, (chunk + 1) * coo_chunk)};
    carries[chunk] = coo_chunk_sums(a, entries, alpha, x, y);
  });
  for (const auto& carry : carries.span()) {
    y[carry.first_row] += alpha * carry.first;
    if (carry.last_row != carry.first_row) y[carry.last_row] += alpha * carry.last;
  }
}

}  // namespace gossamer
