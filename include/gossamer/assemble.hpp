// Matrices from what a program has at hand: triplets, arrays in std::vectors, a diagonal, a dense
// matrix. Results are CSR in host memory, with sorted columns unless arrays are taken over as they
// are, and bitwise reproducible for any number of threads. Calls without a context run on all
// cores; a CUDA context is refused: assemble on the host, then copy_to.
#pragma once

#include <atomic>
#include <initializer_list>
#include <ranges>
#include <span>
#include <vector>

#include "gossamer/convert.hpp"

namespace gossamer {

/// A contiguous range of indices, such as std::vector<int> or std::span<const long long>.
template <class R>
concept index_range = std::ranges::contiguous_range<const R> && std::ranges::sized_range<const R> &&
    index_integer<std::remove_cv_t<std::ranges::range_value_t<const R>>>;

/// A contiguous range of values, such as std::vector<double> or std::span<const float>.
template <class V>
concept value_range = range_type<const V> && multipliable<V>;

namespace detail {
template <scalar T>
csr_matrix<T> assembled(const context&, extents shape, index_view rows, index_view columns,
                        std::span<const T> values);
template <scalar T>
csr_matrix<T> diagonal_rows(const context&, std::span<const T> values);
template <scalar T>
csr_matrix<T> identity_rows(const context&, index_t n);
/// Throws unless the first and last offset fit the number of nonzeros.
void require_offsets(extents shape, index_view offsets, index_t nnz);

/// Indices of any integer type as the library reads them: by their width.
template <index_range R>
index_view indices_of(const R& indices) {
  using integer = std::ranges::range_value_t<const R>;
  const void* const data = std::ranges::data(indices);
  return {data, static_cast<index_t>(std::ranges::size(indices)),
          sizeof(integer) == 4 ? index_width::i32 : index_width::i64};
}

template <value_range V>
std::span<const value_of<V>> values_of(const V& values) {
  return {std::ranges::data(values), std::ranges::size(values)};
}

/// Lends the memory of a vector to one array and frees it with that array. Copies of the array,
/// which ask the same source, get host memory.
template <class E>
class vector_memory final : public memory_resource {
 public:
  explicit vector_memory(std::vector<E>&& elements)
      : elements_(std::move(elements)), data_(elements_.data()) {}
  void* allocate(std::size_t bytes) override {
    return lent_.exchange(true) ? host_memory()->allocate(bytes) : data_;
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    if (data == data_ && !elements_.empty())  // once freed, the address may be a copy's
      std::vector<E>().swap(elements_);
    else
      host_memory()->deallocate(data, bytes);
  }

 private:
  std::vector<E> elements_;
  void* const data_;
  std::atomic<bool> lent_{false};
};

template <class E>
std::shared_ptr<memory_resource> memory_of(std::vector<E>&& elements) {
  return std::make_shared<vector_memory<E>>(std::move(elements));
}
}  // namespace detail

/// The matrix with these triplets: columns sorted, duplicates added in their order of input, zeros
/// kept. Throws error(bad_argument) if the sizes differ, and for the first index that is out of
/// range. O(rows + triplets) memory and, but for sorting rows, time.
template <index_range R, index_range C, value_range V>
csr_matrix<value_of<V>> from_triplets(const context& where, extents shape, const R& rows,
                                      const C& columns, const V& values) {
  return detail::assembled<value_of<V>>(where, shape, detail::indices_of(rows),
                                        detail::indices_of(columns), detail::values_of(values));
}
template <index_range R, index_range C, value_range V>
csr_matrix<value_of<V>> from_triplets(extents shape, const R& rows, const C& columns,
                                      const V& values) {
  return from_triplets(context::best(), shape, rows, columns, values);
}
/// The same with the value type spelled out, which also takes lists in braces.
template <scalar T, index_range R, index_range C>
csr_matrix<T> from_triplets(extents shape, const R& rows, const C& columns,
                            std::type_identity_t<std::span<const T>> values) {
  return from_triplets(context::best(), shape, rows, columns, values);
}
template <scalar T>
csr_matrix<T> from_triplets(extents shape, std::initializer_list<index_t> rows,
                            std::initializer_list<index_t> columns,
                            std::initializer_list<T> values) {
  return from_triplets(context::best(), shape, std::span(rows.begin(), rows.size()),
                       std::span(columns.begin(), columns.size()),
                       std::span(values.begin(), values.size()));
}

/// Takes over the arrays of a CSR matrix without a copy: from_csr({m, n}, std::move(offsets),
/// std::move(columns), std::move(values)). The sizes, the first and the last offset are checked;
/// validate() checks the rest. The arrays stay where they are, aligned as std::vector aligns them.
template <index_integer O, index_integer I, scalar T>
csr_matrix<T> from_csr(extents shape, std::vector<O>&& offsets, std::vector<I>&& columns,
                       std::vector<T>&& values) {
  const auto count = [](const auto& v) { return static_cast<index_t>(v.size()); };
  const index_t starts = count(offsets), indices = count(columns), nnz = count(values);
  detail::require_offsets(shape, {std::as_const(offsets).data(), starts}, nnz);
  return {shape, index_buffer(starts, width_of<O>, detail::memory_of(std::move(offsets))),
          index_buffer(indices, width_of<I>, detail::memory_of(std::move(columns))),
          buffer<T>(nnz, detail::memory_of(std::move(values)))};
}

/// The identity of n rows and columns.
template <scalar T>
csr_matrix<T> identity(const context& where, index_t n) {
  return detail::identity_rows<T>(where, n);
}
template <scalar T>
csr_matrix<T> identity(index_t n) {
  return identity<T>(context::best(), n);
}

/// The square matrix with these values on its diagonal; zeros are stored as well.
template <value_range V>
csr_matrix<value_of<V>> diagonal(const context& where, const V& values) {
  return detail::diagonal_rows<value_of<V>>(where, detail::values_of(values));
}
template <value_range V>
csr_matrix<value_of<V>> diagonal(const V& values) {
  return diagonal(context::best(), values);
}

/// The elements of a dense matrix that are not exactly zero; NaN is kept.
template <scalar T>
csr_matrix<T> from_dense(const context& where, const dense_view<const T>& a) {
  return convert<csr_matrix<T>>(where, a);
}
template <class A>
requires std::same_as<A, dense_matrix<value_of<A>>> || std::same_as<A, dense_view<value_of<A>>> ||
    std::same_as<A, dense_view<const value_of<A>>>
        csr_matrix<value_of<A>> from_dense(const A& a) {
  return from_dense<value_of<A>>(context::best(), a);
}

/// Any matrix as a dense one, row-major; duplicates are added. Throws error(memory_limit) where
/// that takes more than ten times the memory of CSR plus 64 MiB; convert has options.
template <multipliable A>
dense_matrix<value_of<A>> to_dense(const context& where, const A& a) {
  return convert<dense_matrix<value_of<A>>>(where, a);
}
template <multipliable A>
dense_matrix<value_of<A>> to_dense(const A& a) {
  return to_dense(context::best(), a);
}

}  // namespace gossamer
