// CSR matrices from triplets and from diagonals. Triplets are checked, distributed to their rows by
// a stable counting sort, then every row is sorted and its duplicates added.
#include "gossamer/assemble.hpp"

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/counting_sort.hpp"
#include "convert/triplet_checks.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"

namespace gossamer {

namespace {

void require_host(const context& where) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "matrices are assembled on the host; pass context::openmp() or "
               "context::reference(), then copy_to the device");
}

void require_as_many(extents shape, index_view rows, index_view columns, index_t values) {
  if (rows.size() != values || columns.size() != values)
    throw fail(error_kind::bad_argument,
               "a matrix of {} was to be assembled from {} rows, {} columns and {} values; "
               "expected as many of each",
               shape_text(shape), count_text(rows.size()), count_text(columns.size()),
               count_text(values));
}

/// A matrix with one nonzero in each row, on the diagonal; value(i) is that of row i.
template <scalar T, class Value>
csr_matrix<T> one_per_row(const context& where, index_t n, Value&& value) {
  require_host(where);
  csr_matrix<T> result({n, n}, n, narrowest({n, n}, n), where.memory());
  const auto out = result.mutable_view();
  with_two_widths(out.offsets.width(), out.columns.width(), [&]<class O, class I>() {
    const auto offsets = out.offsets.template as<O>();
    const auto columns = out.columns.template as<I>();
    parallel_ranges(where.threads(), n, conversion_grain, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        const auto k = static_cast<std::size_t>(i);
        offsets[k + 1] = static_cast<O>(i + 1);
        columns[k] = static_cast<I>(i);
        out.values[i] = value(k);
      }
    });
  });
  return result;
}

}  // namespace

namespace detail {

template <scalar T>
csr_matrix<T> assembled(const context& where, extents shape, index_view rows, index_view columns,
                        std::span<const T> values) try {
  require_host(where);
  require_valid(shape);
  const auto nnz = static_cast<index_t>(values.size());
  require_as_many(shape, rows, columns, nnz);
  return with_two_widths(rows.width(), columns.width(), [&]<class I, class J>() {
    const auto row = rows.as<I>();
    const auto column = columns.as<J>();
    require_in_range(where, shape, row, column);
    const auto by_row = as_csr(
        shape, counting_sort<T>(where, shape, nnz, [&](index_t begin, index_t end, auto&& f) {
          for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
            f(row[k], column[k], values[k]);
        }));
    return sum_duplicates(where, by_row.view());
  });
} catch (const std::bad_alloc&) {
  refuse_memory("a matrix of triplets");
}

template <scalar T>
csr_matrix<T> diagonal_rows(const context& where, std::span<const T> values) {
  return one_per_row<T>(where, static_cast<index_t>(values.size()),
                        [&](std::size_t i) { return values[i]; });
}

template <scalar T>
csr_matrix<T> identity_rows(const context& where, index_t n) {
  return one_per_row<T>(where, n, [](std::size_t) { return T{1}; });
}

void require_offsets(extents shape, index_view offsets, index_t nnz) {
  require_valid(shape);
  if (offsets.size() != shape.rows + 1) return;  // the matrix names the sizes
  if (offsets[0] != 0 || offsets[shape.rows] != nnz)
    throw fail(error_kind::bad_argument,
               "the row offsets of a {} matrix go from {} to {}; expected 0 to {}, the number of "
               "its values (offsets that count from 1 must be rebased)",
               shape_text(shape), offsets[0], offsets[shape.rows], nnz);
}

#define GOSSAMER_INSTANTIATE(T)                                                     \
  template csr_matrix<T> assembled(const context&, extents, index_view, index_view, \
                                   std::span<const T>);                             \
  template csr_matrix<T> diagonal_rows(const context&, std::span<const T>);         \
  template csr_matrix<T> identity_rows(const context&, index_t);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace detail

}  // namespace gossamer
