// The yardstick decides whether a result is correct, element by element against plain row-by-row
// sums: two orders of adding the same n rounded products differ by at most about n eps sum|a||b|.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <variant>

#include "bench/subjects/factors.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::bench {

template <scalar T>
using product_result = std::variant<dense_matrix<T>, csr_matrix<T>>;

/// The Frobenius norm, summed in double.
template <scalar T>
double norm_of(const product_result<T>& result) {
  using wide = std::conditional_t<complex_scalar<T>, std::complex<double>, double>;
  double sum = 0;
  const auto add = [&](std::span<const T> values) {
    for (const T& value : values) sum += std::norm(cast<wide>(value));
  };
  std::visit([&](const auto& m) { add(m.values()); }, result);
  return std::sqrt(sum);
}

/// The verdict on one result.
struct judgement {
  bool right = true;
  bool sorted = true;            ///< sparse results: columns ascend within rows
  double worst = 0;              ///< largest error as a share of its bound
  index_t entries = 0;           ///< compared
  index_t wrong = 0;             ///< beyond their bound
  std::string first_difference;  ///< "" when right
};

/// What a sparse result may do without being wrong.
struct leniency {
  bool missing_zeros = false;  ///< omit nonzeros that are zero within their bound
};

/// Checks any number of results of one product. Only the current row is stored: each row is
/// recomputed in double, together with the magnitudes that bound its error. Costs about one product
/// with a dense accumulator per result.
template <scalar T>
class yardstick {
 public:
  /// Borrows the factors.
  explicit yardstick(const factors<T>& of);
  explicit yardstick(factors<T>&&) = delete;
  judgement judge(const product_result<T>& result) const;
  judgement judge(const dense_view<const T>& found) const;
  /// Columns may be in any order, without duplicates. float results may be widened to double.
  template <scalar Stored>
  judgement judge(const csr_view<const Stored>& found, leniency with = {}) const;

 private:
  const factors<T>* of_;
  csr_matrix<T> turned_;    // op(A), when that is not A itself
  csr_view<const T> left_;  // op(A)
};

}  // namespace gossamer::bench
