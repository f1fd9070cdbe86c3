// What is written of a symmetric or Hermitian matrix.
#pragma once

#include <algorithm>
#include <optional>

#include "formats/typed.hpp"
#include "gossamer/complex.hpp"
#include "io/common.hpp"

namespace gossamer::io::matrix_market {

/// Where a matrix is not what its other triangle says, and what is wrong there.
struct asymmetry {
  index_t row = 0, column = 0;
  std::string_view why;
};

/// Whether `twin`, opposite to `value`, is the same bit by bit or, of Hermitian matrices, its
/// conjugate. Zeros of either sign are the same conjugate.
template <scalar T>
bool is_twin(const T& twin, const T& value, bool hermitian) {
  if (hermitian) return twin == conjugated_if(true, value);
  return std::memcmp(&twin, &value, sizeof(T)) == 0;
}

/// The first place where the matrix differs from its transpose, or its conjugate transpose, or
/// where columns are not in strictly ascending order.
template <scalar T>
std::optional<asymmetry> asymmetry_of(const csr_view<const T>& a, bool hermitian) {
  std::optional<asymmetry> found;
  typed(a, [&](const auto& m) {
    for (index_t i = 0; i < m.rows && !found; ++i)
      for (index_t p = m.offsets[i]; p < m.offsets[i + 1] && !found; ++p) {
        const index_t j = m.columns[p];
        if (p > m.offsets[i] && m.columns[p - 1] >= m.columns[p])
          found = {i, j, "columns are not in order, or twice,"};
        const auto* const begin = m.columns + m.offsets[j];
        const auto* const end = m.columns + m.offsets[j + 1];
        const auto* const twin =
            std::lower_bound(begin, end, i, [](auto x, index_t y) { return x < y; });
        if (!found && (twin == end || static_cast<index_t>(*twin) != i ||
                       !is_twin<T>(m.values[twin - m.columns], m.values[p], hermitian)))
          found = {i, j, "no equal element lies opposite to that"};
      }
  });
  return found;
}

/// "symmetric", or "hermitian" for a complex matrix that is only that. Throws error(bad_argument)
/// for all others.
template <scalar T>
std::string_view symmetry_of(const std::filesystem::path& path, const csr_view<const T>& a) {
  if (a.shape.rows != a.shape.cols)
    throw fail(error_kind::bad_argument,
               "{}: the {} matrix cannot be written as symmetric: it is not square", path.string(),
               shape_text(a.shape));
  const auto found = asymmetry_of(a, false);
  if (!found) return "symmetric";
  if constexpr (complex_scalar<T>)
    if (!asymmetry_of(a, true)) return "hermitian";
  throw fail(error_kind::bad_argument,
             "{}: the {} matrix cannot be written as symmetric: {} at ({}, {})", path.string(),
             shape_text(a.shape), found->why, found->row + 1, found->column + 1);
}

/// The nonzeros on and below the diagonal.
template <scalar T>
csr_matrix<T> lower_triangle(const csr_view<const T>& a) {
  index_t kept = 0;
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
