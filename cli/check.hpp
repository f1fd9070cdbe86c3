// Is a result right? Judged entry by entry against the reference backend: two ways of adding the
// same n rounded products differ by at most about n eps sum|a||b|, whatever their order.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "operands.hpp"

namespace gossamer::cli {

template <scalar T>
using product_result = std::variant<dense_matrix<T>, csr_matrix<T>>;

struct comparison {
  bool right = true;
  double worst = 0;              ///< largest error as a share of its bound
  index_t entries = 0;           ///< compared
  index_t wrong = 0;             ///< beyond their bound
  std::string first_difference;  ///< "" when right
};

/// The reference result of one product with the bounds around it; judges any number of results.
template <scalar T>
class yardstick {
 public:
  explicit yardstick(const factors<T>& of);
  comparison judge(const product_result<T>& result) const;

 private:
  product_result<T> expected_;
  product_result<T> magnitude_;  // |alpha| |op(A)| |B|
  std::vector<index_t> terms_;   // products that may meet in an entry of row i
};

}  // namespace gossamer::cli
