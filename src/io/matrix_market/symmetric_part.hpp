// What is written of a symmetric matrix.
#pragma once

#include <algorithm>

#include "formats/typed.hpp"
#include "io/common.hpp"

namespace gossamer::io::matrix_market {

/// The nonzeros on and below the diagonal. Throws error(bad_argument) unless the matrix is
/// symmetric bit by bit, with columns in strictly ascending order.
template <scalar T>
csr_matrix<T> lower_triangle(const std::filesystem::path& path, const csr_view<const T>& a) {
  const auto refuse = [&](index_t i, index_t j, std::string_view why) {
    return fail(error_kind::bad_argument,
                "{}: the {} matrix cannot be written as symmetric: {} at ({}, {})", path.string(),
                shape_text(a.shape), why, i + 1, j + 1);
  };
  if (a.shape.rows != a.shape.cols)
    throw fail(error_kind::bad_argument,
               "{}: the {} matrix cannot be written as symmetric: it is not square", path.string(),
               shape_text(a.shape));
  index_t kept = 0;
  typed(a, [&](const auto& m) {
    for (index_t i = 0; i < m.rows; ++i)
      for (index_t p = m.offsets[i]; p < m.offsets[i + 1]; ++p) {
        const index_t j = m.columns[p];
        if (p > m.offsets[i] && m.columns[p - 1] >= m.columns[p])
          throw refuse(i, j, "columns are not in order, or twice,");
        const auto* const begin = m.columns + m.offsets[j];
        const auto* const end = m.columns + m.offsets[j + 1];
        const auto* const twin =
            std::lower_bound(begin, end, i, [](auto x, index_t y) { return x < y; });
        if (twin == end || static_cast<index_t>(*twin) != i ||
            std::memcmp(&m.values[twin - m.columns], &m.values[p], sizeof(T)) != 0)
          throw refuse(i, j, "no equal element lies opposite to that");
      }
  });
  buffer<index_t> columns(a.nnz()), starts(a.shape.rows + 1);
  buffer<T> values(a.nnz());
  for (index_t i = 0; i < a.shape.rows; ++i) {
    starts[i] = kept;
    for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
      if (a.columns[p] <= i) columns[kept] = a.columns[p], values[kept++] = a.values[p];
  }
  starts[a.shape.rows] = kept;
  csr_matrix<T> result(a.shape, kept, {index_width::i64, index_width::i64});
  const auto to = result.mutable_view();
  std::copy_n(starts.data(), starts.size(), to.offsets.template as<index_t>().data());
  std::copy_n(columns.data(), kept, to.columns.template as<index_t>().data());
  std::copy_n(values.data(), kept, to.values);
  return result;
}

}  // namespace gossamer::io::matrix_market
