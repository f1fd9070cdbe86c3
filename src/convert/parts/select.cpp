// Nonzeros that are selected by their diagonal or by a predicate.
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/parts/built_rows.hpp"
#include "convert/readable.hpp"
#include "formats/value_types.hpp"

namespace gossamer::detail {

namespace {

/// The nonzeros for which wanted(i, j, value) is true.
template <scalar T, class Wanted>
csr_matrix<T> picked(const context& where, const csr_view<const T>& a, Wanted&& wanted) {
  return with_width(a.columns.width(), [&]<class I>() {
    return built_rows<T>(
        where, a.shape, a.offsets,
        [&](index_t i) {
          index_t count = 0;
          for_each_in_row<I>(a, i, [&](index_t j, T v) { count += wanted(i, j, v) ? 1 : 0; });
          return count;
        },
        [&]<class J>(index_t i, J* columns, T* values) {
          for_each_in_row<I>(a, i, [&](index_t j, T v) {
            if (!wanted(i, j, v)) return;
            *columns++ = static_cast<J>(j);
            *values++ = v;
          });
        });
  });
}

}  // namespace

template <scalar T>
csr_matrix<T> band(const context& where, const csr_view<const T>& a, index_t first,
                   index_t last) try {
  if (where.backend() == backend::cuda) return cuda::band(where, a, first, last);
  return picked(where, a, [=](index_t i, index_t j, T) { return j - i >= first && j - i <= last; });
} catch (const std::bad_alloc&) {
  refuse_memory("a triangle");
}

template <scalar T>
csr_matrix<T> selected(const context& where, const csr_view<const T>& a,
                       const std::function<bool(index_t, index_t, T)>& wanted) try {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "a predicate is a function of the host and cannot select from the {} matrix on a "
               "device; tril, triu and keep can, or select before copy_to",
               shape_text(a.shape));
  return picked(where, a, wanted);
} catch (const std::bad_alloc&) {
  refuse_memory("a selection");
}

#define GOSSAMER_INSTANTIATE(T)                                                            \
  template csr_matrix<T> band(const context&, const csr_view<const T>&, index_t, index_t); \
  template csr_matrix<T> selected(const context&, const csr_view<const T>&,                \
                                  const std::function<bool(index_t, index_t, T)>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
