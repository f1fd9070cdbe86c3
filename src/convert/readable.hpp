// What every function of this room asks of its operands before it reads them.
#pragma once

#include "base/text.hpp"
#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer {

template <class View>
void require_host(const context& where, const View& a) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "conversions run on the host; pass context::openmp() or context::reference()");
  if (a.where != memory::host)
    throw fail(error_kind::not_available,
               "the {} matrix to be converted lives on a device; conversions run on the host: "
               "copy it there first",
               shape_text(a.shape));
}

namespace detail {
inline constexpr std::int32_t no_offsets[1] = {0};
template <class View>
View with_offsets(View view, index_t major) {
  if (major == 0 && view.offsets.size() == 0) view.offsets = {no_offsets, 1};
  return view;
}
}  // namespace detail

/// A host view that may be read. A view of no rows may come without offsets; everything after this
/// may rely on rows + 1 of them.
template <class View>
View readable(const context& where, const View& a) {
  require_host(where, a);
  return a;
}
template <class T>
csr_view<T> readable(const context& where, const csr_view<T>& a) {
  require_host(where, a);
  return detail::with_offsets(a, a.shape.rows);
}
template <class T>
csc_view<T> readable(const context& where, const csc_view<T>& a) {
  require_host(where, a);
  return detail::with_offsets(a, a.shape.cols);
}

}  // namespace gossamer
