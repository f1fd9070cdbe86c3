// Checks that conversions make on their operands before reading them.
#pragma once

#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "gossamer/context.hpp"
#include "gossamer/validate.hpp"
#include "gossamer/views.hpp"

namespace gossamer {

/// Throws unless the arrays have the sizes that the shape implies; contents are trusted.
template <class View>
void require_sizes(const View& a) {
  if (const auto problem = size_problem(a); !problem.empty())
    throw fail(error_kind::bad_argument, "the {} matrix to be converted: {}", shape_text(a.shape),
               problem);
  if (const auto problem = ends_problem(a); !problem.empty())
    throw fail(error_kind::bad_argument, "the {} matrix to be converted: {}", shape_text(a.shape),
               problem);
}

/// Checks every index where GOSSAMER_VALIDATE asks for it.
template <class View>
void validate_if_asked(const context& where, const View& a) {
  if (validates_operands()) detail::validate(where, express(a), {}, "the matrix to be converted");
}

/// Throws unless the view is on the host and of the right sizes.
template <class View>
void require_readable(const context& where, const View& a) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "this runs on the host; pass context::openmp() or context::reference()");
  if (a.where != memory::host)
    throw fail(error_kind::not_available,
               "the {} matrix lives on a device, but this runs on the host: copy it there first",
               shape_text(a.shape));
  require_sizes(a);
}

/// Throws unless the view is in the context's memory and of the right sizes. Conversions run on the
/// host and on devices.
template <class View>
void require_convertible(const context& where, const View& a) {
  const auto wanted = where.memory()->where();
  if (a.where != wanted)
    throw fail(error_kind::bad_argument,
               "the {} matrix to be converted lives in {} memory, but a {} context needs it in {} "
               "memory; move it with {}",
               shape_text(a.shape), name(a.where), name(where.backend()), name(wanted),
               wanted == memory::device ? "copy_to" : "copy_to_host");
  require_sizes(a);
}

/// A host view that may be read. A view without rows may lack offsets; the result always has rows +
/// 1 of them.
template <class View>
View readable(const context& where, const View& a) {
  require_readable(where, a);
  validate_if_asked(where, a);
  return with_offsets(a);
}

/// Checks a view on the host or on a device and returns it, with offsets as above.
template <class View>
View convertible(const context& where, View a) {
  if (where.backend() != backend::cuda && a.where == memory::host) return readable(where, a);
  require_convertible(where, a);
  validate_if_asked(where, a);
  // One offset that is never read: there are no rows it could belong to.
  constexpr const std::int32_t* nowhere = nullptr;
  if constexpr (requires { a.offsets; })
    if (a.offsets.size() == 0) a.offsets = {nowhere, 1};
  return a;
}

}  // namespace gossamer
