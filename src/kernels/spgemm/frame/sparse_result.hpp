// Writes the result of a sparse product for any index widths.
#pragma once

#include "base/parallel.hpp"
#include "gossamer/views.hpp"
#include "plan/problem.hpp"

namespace gossamer {

/// Whether both operands are compressed, by rows or by columns.
inline bool takes_compressed(const problem& p) {
  const auto compressed = [](format f) { return f == format::csr || f == format::csc; };
  return compressed(p.a.format) && compressed(p.b.format);
}

inline void write_index(const index_span& indices, index_t at, index_t value) {
  if (indices.width() == index_width::i32)
    static_cast<std::int32_t*>(indices.data())[at] = static_cast<std::int32_t>(value);
  else
    static_cast<std::int64_t*>(indices.data())[at] = value;
}

template <class T>
void write_offsets(const csr_view<T>& c, const index_t* offsets, int threads) {
  parallel_ranges(threads, c.shape.rows + 1, 1 << 15, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) write_index(c.offsets, i, offsets[i]);
  });
}

}  // namespace gossamer
