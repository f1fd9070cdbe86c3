// Copies between host and device; the library never moves data unasked. The context names the
// device and the stream; copies are ordered in that stream.
//
// To a device: a call returns when the source has been read, possibly before the data has arrived;
// a source in pinned memory must not change until the context is synchronised. To the host: a call
// returns when all data has arrived.
#pragma once

#include <span>
#include <vector>

#include "gossamer/operand.hpp"

namespace gossamer {

namespace detail {
/// Copies the arrays of a view into memory of `target`.
template <scalar T>
csr_matrix<T> copied(const context&, const csr_view<const T>&,
                     const std::shared_ptr<memory_resource>& target);
template <scalar T>
csc_matrix<T> copied(const context&, const csc_view<const T>&,
                     const std::shared_ptr<memory_resource>& target);
template <scalar T>
coo_matrix<T> copied(const context&, const coo_view<const T>&,
                     const std::shared_ptr<memory_resource>& target);
template <scalar T>
ell_matrix<T> copied(const context&, const ell_view<const T>&,
                     const std::shared_ptr<memory_resource>& target);
template <scalar T>
sellp_matrix<T> copied(const context&, const sellp_view<const T>&,
                       const std::shared_ptr<memory_resource>& target);
template <scalar T>
hyb_matrix<T> copied(const context&, const hyb_view<const T>&,
                     const std::shared_ptr<memory_resource>& target);
/// The copy is contiguous and keeps the layout.
template <scalar T>
dense_matrix<T> copied(const context&, const dense_view<const T>&,
                       const std::shared_ptr<memory_resource>& target);
template <scalar T>
void copy_dense(const context&, const dense_view<const T>& from, const dense_view<T>& to);

/// A range, or a gossamer::vector: n x 1, and a vector again when copied.
template <class X>
concept vector_like = range_type<X> || std::same_as<X, vector<value_of<X>>>;
}  // namespace detail

/// A copy of the matrix in the memory of the context: copy_to(gpu, A). Use copy_to_host for the way
/// back.
template <multipliable X>
requires(!detail::vector_like<X> &&
         !std::same_as<X, expression<value_of<X>>>) auto copy_to(const context& where, const X& x) {
  if constexpr (owner_type<X>)
    return detail::copied<value_of<X>>(where, x.view(), where.memory());
  else
    return detail::copied<value_of<X>>(where, read_only(x), where.memory());
}
/// A copy of the vector in the memory of the context: copy_to(gpu, std::vector{1.0, 2.0}).
template <detail::vector_like X>
vector<value_of<X>> copy_to(const context& where, const X& x) {
  using T = value_of<X>;
  const auto from = std::get<dense_view<const T>>(express(x).view);
  vector<T> copy(from.shape.rows, where.memory());
  detail::copy_dense<T>(where, from, copy.mutable_view());
  return copy;
}

/// A copy of the matrix in host memory. `where` is the context the matrix was computed under.
template <multipliable X>
requires(!detail::vector_like<X> &&
         !std::same_as<X, expression<value_of<X>>>) auto copy_to_host(const context& where,
                                                                      const X& x) {
  if constexpr (owner_type<X>)
    return detail::copied<value_of<X>>(where, x.view(), host_memory());
  else
    return detail::copied<value_of<X>>(where, read_only(x), host_memory());
}
/// A copy of the vector in host memory.
template <detail::vector_like X>
std::vector<value_of<X>> copy_to_host(const context& where, const X& x) {
  using T = value_of<X>;
  const auto from = std::get<dense_view<const T>>(express(x).view);
  std::vector<T> copy(static_cast<std::size_t>(from.shape.rows));
  detail::copy_dense<T>(where, from, {copy.data(), from.shape.rows, memory::host});
  return copy;
}

/// Copies a dense vector or matrix into an existing one of the same shape; each side is on the host
/// or on the device of the context.
template <multipliable X, writable Y>
requires std::same_as<value_of<X>, value_of<Y>>
void copy_into(const context& where, const X& from, Y&& to) {
  using T = value_of<X>;
  detail::copy_dense<T>(where, std::get<dense_view<const T>>(express(from).view), target(to));
}

}  // namespace gossamer
