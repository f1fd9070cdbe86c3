// What every function of this room asks of its operands before it reads them.
#pragma once

#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer {

/// On the host, and with arrays as long as the shape asks for; their contents are trusted.
template <class View>
void require_readable(const context& where, const View& a) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "conversions run on the host; pass context::openmp() or context::reference()");
  if (a.where != memory::host)
    throw fail(error_kind::not_available,
               "the {} matrix to be converted lives on a device; conversions run on the host: "
               "copy it there first",
               shape_text(a.shape));
  if (const auto problem = size_problem(a); !problem.empty())
    throw fail(error_kind::bad_argument, "the {} matrix to be converted: {}", shape_text(a.shape),
               problem);
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
  require_readable(where, a);
  return a;
}
template <class T>
csr_view<T> readable(const context& where, const csr_view<T>& a) {
  require_readable(where, a);
  return detail::with_offsets(a, a.shape.rows);
}
template <class T>
csc_view<T> readable(const context& where, const csc_view<T>& a) {
  require_readable(where, a);
  return detail::with_offsets(a, a.shape.cols);
}

}  // namespace gossamer
