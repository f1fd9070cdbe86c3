// Sub-matrices and permutations by lists of rows and columns, and Kronecker products.
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/parts/built_rows.hpp"
#include "convert/readable.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::detail {

namespace {

[[noreturn]] void refuse_index(extents shape, std::string_view what, index_t at, index_t index,
                               index_t count) {
  throw fail(
      error_kind::bad_argument,
      "the list of {}s has {} at position {}, but the matrix is {}: {}s are within 0 and {}, "
      "the end not included",
      what, index, at, shape_text(shape), what, count);
}

void require_in_range(extents shape, index_view list, std::string_view what, index_t count) {
  for (index_t k = 0; k < list.size(); ++k)
    if (list[k] < 0 || list[k] >= count) refuse_index(shape, what, k, list[k], count);
}

/// The new place of each column; -1 for those that are not listed.
buffer<index_t> places_of(extents shape, index_view columns) {
  require_in_range(shape, columns, "column", shape.cols);
  buffer<index_t> places(shape.cols);
  std::fill_n(places.data(), shape.cols, index_t{-1});
  for (index_t k = 0; k < columns.size(); ++k) {
    index_t& place = places[columns[k]];
    if (place >= 0)
      throw fail(error_kind::bad_argument,
                 "the list of columns has {} at positions {} and {}; list each column once",
                 columns[k], place, k);
    place = k;
  }
  return places;
}

template <scalar T>
csr_matrix<T> gather_rows(const context& where, const csr_view<const T>& a, extents shape,
                          const index_lists& which, const index_t* places) {
  buffer<index_t> work(shape.rows + 1, where.memory());
  const auto source = [&](index_t i) { return which.all_rows ? i : which.rows[i]; };
  for (index_t i = 0; i < shape.rows; ++i)
    work[i] = a.offsets[source(i) + 1] - a.offsets[source(i)];
  prefix_sums(where.threads(), work.span());
  const index_view lengths(std::as_const(work).data(), work.size());
  return with_width(a.columns.width(), [&]<class I>() {
    return built_rows<T>(
        where, shape, lengths,
        [&](index_t i) {
          if (!places) return work[i + 1] - work[i];
          index_t count = 0;
          for_each_in_row<I>(a, source(i), [&](index_t j, T) { count += places[j] >= 0 ? 1 : 0; });
          return count;
        },
        [&]<class J>(index_t i, J* columns, T* values) {
          for_each_in_row<I>(a, source(i), [&](index_t j, T v) {
            if (places && places[j] < 0) return;
            *columns++ = static_cast<J>(places ? places[j] : j);
            *values++ = v;
          });
        });
  });
}

/// a * b; throws error(overflow) where that does not fit.
index_t times(index_t a, index_t b) {
  index_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throw fail(error_kind::overflow,
               "a Kronecker product of {} x {} lines or nonzeros does not fit 64 bits",
               count_text(a), count_text(b));
  return result;
}

template <scalar T>
csr_matrix<T> kron_rows(const context& where, const csr_view<const T>& a,
                        const csr_view<const T>& b, extents shape) {
  const auto length = [](const auto& m, index_t i) { return m.offsets[i + 1] - m.offsets[i]; };
  buffer<index_t> sums(shape.rows + 1, where.memory());
  parallel_ranges(where.threads(), shape.rows, conversion_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      sums[i] = length(a, i / b.shape.rows) * length(b, i % b.shape.rows);
  });
  prefix_sums(where.threads(), sums.span());
  compressed<T> result(where, shape, {std::as_const(sums).data(), sums.size()});
  T* const values = result.values.data();
  with_width(result.indices.width(), [&]<class J>() {
    J* const columns = raw<J>(result.indices);
    parallel_rows(where.threads(), {std::as_const(sums).data(), sums.size()},
                  [&](index_t begin, index_t end) {
                    for (index_t i = begin; i < end; ++i) {
                      index_t at = sums[i];
                      const index_t upper = i / b.shape.rows, lower = i % b.shape.rows;
                      for (index_t p = a.offsets[upper]; p < a.offsets[upper + 1]; ++p)
                        for (index_t q = b.offsets[lower]; q < b.offsets[lower + 1]; ++q, ++at) {
                          columns[at] = static_cast<J>(a.columns[p] * b.shape.cols + b.columns[q]);
                          values[at] = gossamer::times(a.values[p], b.values[q]);
                        }
                    }
                  });
  });
  return as_csr(shape, std::move(result));
}

}  // namespace

template <scalar T>
csr_matrix<T> gathered(const context& where, const csr_view<const T>& a,
                       const index_lists& which) try {
  require_in_range(a.shape, which.rows, "row", a.shape.rows);
  const auto places = which.all_columns ? buffer<index_t>() : places_of(a.shape, which.columns);
  const extents shape{which.all_rows ? a.shape.rows : which.rows.size(),
                      which.all_columns ? a.shape.cols : which.columns.size()};
  if (where.backend() == backend::cuda)
    return cuda::gathered(where, a, shape, which.all_rows ? index_view() : which.rows,
                          {places.data(), places.size()});
  // Without columns there is nothing to look up, and no address.
  const index_t none = -1;
  return gather_rows(where, a, shape, which,
                     which.all_columns   ? nullptr
                     : places.size() > 0 ? places.data()
                                         : &none);
} catch (const std::bad_alloc&) {
  refuse_memory("a sub-matrix");
}

template <scalar T>
csr_matrix<T> kronecker(const context& where, const csr_view<const T>& a,
                        const csr_view<const T>& b) try {
  const extents shape{times(a.shape.rows, b.shape.rows), times(a.shape.cols, b.shape.cols)};
  const index_t nnz = times(a.nnz(), b.nnz());
  require_valid(shape);
  if (where.backend() == backend::cuda) return cuda::kronecker(where, a, b, shape, nnz);
  return kron_rows(where, a, b, shape);
} catch (const std::bad_alloc&) {
  refuse_memory("a Kronecker product");
}

#define GOSSAMER_INSTANTIATE(T)                                                                  \
  template csr_matrix<T> gathered(const context&, const csr_view<const T>&, const index_lists&); \
  template csr_matrix<T> kronecker(const context&, const csr_view<const T>&,                     \
                                   const csr_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
