// What is behind the handles of the C interface, and how its calls become those of the library.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/text.hpp"
#include "gossamer/assemble.hpp"
#include "gossamer/copy.hpp"
#include "gossamer/gossamer.h"
#include "gossamer/io.hpp"
#include "gossamer/multiply.hpp"
#include "gossamer/validate.hpp"
#include "gossamer/version.hpp"

struct gossamer_context {
  gossamer::context where;
};

struct gossamer_matrix {
  using owner = std::variant<std::monostate, gossamer::detail::any_matrix<float>,
                             gossamer::detail::any_matrix<double>,
                             gossamer::detail::any_matrix<std::complex<float>>,
                             gossamer::detail::any_matrix<std::complex<double>>>;
  owner held;                  ///< empty for a borrowed matrix
  gossamer::operand borrowed;  ///< the view of a borrowed one
  /// The matrix as an operand.
  gossamer::operand view() const;
};

struct gossamer_plan {
  gossamer::plan prepared;
  gossamer::context where;
  gossamer::value_type values;
  std::string explained;
};

namespace gossamer::c_api {

/// Remembers the text of an error for gossamer_last_error.
void remember(const std::string& text);
/// The status of the exception that is being handled, whose text is remembered.
gossamer_status current_status() noexcept;

/// Runs f; whatever it throws becomes a status.
template <class F>
gossamer_status guarded(F&& f) noexcept {
  try {
    f();
    return GOSSAMER_OK;
  } catch (...) {
    return current_status();
  }
}

/// The object behind a pointer; throws error(bad_argument) for null pointers, naming the argument.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr)
    throw fail(error_kind::bad_argument, "the argument {} is a null pointer", name);
  return *pointer;
}

operand operand_of(const gossamer_operand& from, const char* name);
options options_of(const gossamer_options* from);
/// A vector of n elements, or a dense matrix, of the caller.
template <scalar T>
dense_view<T> vector_of(const context& where, void* values, index_t n) {
  return {static_cast<T*>(values), n, where.memory()->where()};
}
template <scalar T>
dense_view<T> dense_of(const context& where, const gossamer_dense& from) {
  return {{from.rows, from.cols},
          from.column_major ? layout::column_major : layout::row_major,
          from.stride,
          static_cast<T*>(from.values),
          where.memory()->where()};
}

/// Hands a new matrix to the caller.
template <class Owner>
void give(gossamer_matrix** out, Owner&& made) {
  using bare = std::remove_cvref_t<Owner>;
  using T = typename bare::value;
  auto handle = std::make_unique<gossamer_matrix>();
  handle->held = detail::any_matrix<T>(std::forward<Owner>(made));
  *out = handle.release();
}
inline void give(gossamer_matrix** out, csr_result&& made) {
  std::visit([&](auto& c) { give(out, std::move(c)); }, made);
}

}  // namespace gossamer::c_api
