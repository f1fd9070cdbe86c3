// Products over semirings of your own, on CPUs: compiled into the program that calls them. The
// built-in ones (options::semiring) have faster kernels and devices.
//
//   struct log_plus {  // adds probabilities that are given as logarithms
//     static double identity() { return -std::numeric_limits<double>::infinity(); }
//     static double multiply(double a, double b) { return a + b; }
//     static void add(double& sum, double term) { sum = log_sum(sum, term); }
//   };
//   auto C = gossamer::multiply_over<log_plus>(cpu, A, B);
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "gossamer/convert.hpp"

namespace gossamer {

/// The arithmetic of a product: add() is associative, identity() its neutral element.
template <class S, class T>
concept semiring_over = requires(T& sum, T a, T b) {
  { S::identity() } -> std::convertible_to<T>;
  { S::multiply(a, b) } -> std::convertible_to<T>;
  S::add(sum, a);
};

namespace detail {
/// Calls body(begin, end) on at most context::threads() ranges of rows of about equal work.
void over_rows(const context&, index_view offsets,
               const std::function<void(index_t, index_t)>& body);
/// Throws unless the product can be computed: shapes, a context of the host.
void require_product(const context&, extents a, extents b, const std::optional<pattern>& mask);

/// A row of C, and what was seen of it: as much memory as C has columns.
template <class S, scalar T>
class semiring_row {
 public:
  semiring_row(const csr_view<const T>& a, const csr_view<const T>& b,
               const std::optional<pattern>& mask)
      : a_(a),
        b_(b),
        mask_(mask),
        sums_(static_cast<std::size_t>(b.shape.cols)),
        seen_(sums_.size(), -1),
        admitted_(mask ? sums_.size() : 0, -1) {}

  /// Computes row i and returns its number of nonzeros.
  index_t compute(index_t i) {
    columns_.clear();
    if (mask_)
      for (index_t p = mask_->offsets[i]; p < mask_->offsets[i + 1]; ++p)
        admitted_[at(mask_->columns[p])] = i;
    for (index_t p = a_.offsets[i]; p < a_.offsets[i + 1]; ++p) {
      const index_t k = a_.columns[p];
      for (index_t q = b_.offsets[k]; q < b_.offsets[k + 1]; ++q)
        add(i, b_.columns[q], S::multiply(a_.values[p], b_.values[q]));
    }
    std::sort(columns_.begin(), columns_.end());
    return static_cast<index_t>(columns_.size());
  }
  /// Writes the row that was computed last.
  void write(const csr_view<T>& c, index_t first) const {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const index_t place = first + static_cast<index_t>(k);
      if (c.columns.width() == index_width::i32)
        c.columns.template as<std::int32_t>()[at(place)] = static_cast<std::int32_t>(columns_[k]);
      else
        c.columns.template as<std::int64_t>()[at(place)] = columns_[k];
      c.values[place] = sums_[at(columns_[k])];
    }
  }

 private:
  static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
  void add(index_t i, index_t column, T term) {
    const auto place = at(column);
    if (mask_ && (admitted_[place] == i) == mask_->complemented) return;
    if (seen_[place] != i) {
      seen_[place] = i;
      sums_[place] = S::identity();
      columns_.push_back(column);
    }
    S::add(sums_[place], term);
  }

  csr_view<const T> a_, b_;
  const std::optional<pattern>& mask_;
  std::vector<T> sums_;
  std::vector<index_t> seen_, admitted_, columns_;
};

/// Offsets of C, from the number of nonzeros of each row.
void write_offsets(const std::vector<index_t>& counts, index_span offsets);
}  // namespace detail

/// C = A B over the semiring S, perhaps only where a mask has positions. Columns are sorted; each
/// sum is taken in the order of A's and B's nonzeros, the same bits for any number of threads.
/// Every product is computed twice, and each thread needs memory for a dense row of C.
template <class S, multipliable A, multipliable B>
requires(std::same_as<value_of<A>, value_of<B>>&& semiring_over<S, value_of<A>> && !range_type<B>)
    csr_matrix<value_of<A>> multiply_over(const context& where, const A& a, const B& b,
                                          const std::optional<pattern>& mask = {}) {
  using T = value_of<A>;
  const auto left = detail::rows_of<T>(where, express(a)),
             right = detail::rows_of<T>(where, express(b));
  detail::require_product(where, left.rows.shape, right.rows.shape, mask);
  const extents shape{left.rows.shape.rows, right.rows.shape.cols};
  std::vector<index_t> counts(static_cast<std::size_t>(shape.rows) + 1);
  const auto each = [&](auto&& body) {
    detail::over_rows(where, left.rows.offsets, [&](index_t begin, index_t end) {
      detail::semiring_row<S, T> row(left.rows, right.rows, mask);
      for (index_t i = begin; i < end; ++i) body(i, row, row.compute(i));
    });
  };
  each([&](index_t i, const auto&, index_t n) { counts[static_cast<std::size_t>(i)] = n; });
  index_t nnz = 0;
  for (auto& count : counts) nnz += std::exchange(count, nnz);
  csr_matrix<T> c(shape, nnz, narrowest(shape, nnz), where.memory());
  const auto out = c.mutable_view();
  detail::write_offsets(counts, out.offsets);
  each([&](index_t i, const auto& row, index_t) {
    row.write(out, counts[static_cast<std::size_t>(i)]);
  });
  return c;
}

/// y = A x over the semiring S, for a dense vector x.
template <class S, multipliable A, multipliable X>
requires(std::same_as<value_of<A>, value_of<X>>&& semiring_over<S, value_of<A>>&& range_type<X>)
    std::vector<value_of<A>> multiply_over(const context& where, const A& a, const X& x) {
  using T = value_of<A>;
  const auto form = detail::rows_of<T>(where, express(a));
  const index_t n = detail::size_of(x);
  detail::require_product(where, form.rows.shape, {n, 1}, {});
  const T* const from = detail::data_of(x);
  std::vector<T> y(static_cast<std::size_t>(form.rows.shape.rows));
  detail::over_rows(where, form.rows.offsets, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      T sum = S::identity();
      for (index_t p = form.rows.offsets[i]; p < form.rows.offsets[i + 1]; ++p)
        S::add(sum, S::multiply(form.rows.values[p], from[form.rows.columns[p]]));
      y[static_cast<std::size_t>(i)] = sum;
    }
  });
  return y;
}

}  // namespace gossamer
