// Options of products of two sparse matrices: a semiring, a mask, filters and a matrix to add.
#pragma once

#include "cli/arguments/operands.hpp"
#include "cli/arguments/settings.hpp"

namespace gossamer::cli {

struct sparse_options {
  std::string semiring = "plus_times", mask, add;
  bool complement_mask = false;
  double threshold = 0, beta = 1;
  index_t top = 0;

  bool any() const {
    return semiring != "plus_times" || !mask.empty() || !add.empty() || threshold != 0 || top != 0;
  }
  /// For a product text: " over min_plus, masked by m.mtx".
  std::string text() const;
};
void add_sparse_options(const command& to, sparse_options& wanted);

/// Throws usage_error on options that contradict each other, or this scale.
void require_sensible(const sparse_options& wanted, double alpha);
/// Throws usage_error when such an option was given for a dense result.
void require_sparse_product(const sparse_options& wanted, operation product);

/// Mask and addend, loaded.
template <scalar T>
struct sparse_extras {
  std::optional<csr_matrix<T>> mask, addend;
  T beta = 1;

  std::optional<expression<T>> addend_scaled() const {
    if (!addend) return {};
    return scaled(beta, *addend);
  }
};
/// Throws error(bad_input) when a file has not the shape of the result.
template <scalar T>
sparse_extras<T> load_extras(const sparse_options& wanted, const context& where,
                             const factors<T>& of, progress& ticker);

/// The library's options for the product, these included.
template <scalar T>
options with_sparse_options(options how, const sparse_options& wanted,
                            const sparse_extras<T>& extras);

}  // namespace gossamer::cli
