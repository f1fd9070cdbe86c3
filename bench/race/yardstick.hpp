// Is a result right? Judged entry by entry against plain row-by-row sums: two ways of adding the
// same n rounded products differ by at most about n eps sum|a||b|, whatever their order.
#pragma once

#include <string>
#include <variant>

#include "bench/subjects/factors.hpp"

namespace gossamer::bench {

template <scalar T>
using product_result = std::variant<dense_matrix<T>, csr_matrix<T>>;

/// What a yardstick says about a result.
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
  bool missing_zeros = false;  ///< leave out entries that are zero within their bound
};

/// Judges any number of results of one product. Nothing but the result's own rows is stored: each
/// row is computed again, in double, together with the magnitudes that bound its error. Costs about
/// one product by a dense accumulator per result.
template <scalar T>
class yardstick {
 public:
  /// Borrows the factors.
  explicit yardstick(const factors<T>& of);
  explicit yardstick(factors<T>&&) = delete;
  judgement judge(const product_result<T>& result) const;
  judgement judge(const dense_view<const T>& found) const;
  /// Columns may come in any order, but none twice. float results may come widened to double.
  template <scalar Stored>
  judgement judge(const csr_view<const Stored>& found, leniency with = {}) const;

 private:
  const factors<T>* of_;
  csr_matrix<T> turned_;    // op(A), when that is not A itself
  csr_view<const T> left_;  // op(A)
};

}  // namespace gossamer::bench
