#include "check.hpp"

#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace gossamer::cli {

namespace {

template <scalar T>
void take_magnitudes(std::span<T> values) {
  for (T& value : values) value = std::abs(value);
}

template <scalar T>
factors<T> magnitudes(factors<T> of) {
  of.alpha = std::abs(of.alpha);
  take_magnitudes(of.a.values());
  take_magnitudes(of.dense.values());
  if (of.b) take_magnitudes(of.b->values());
  return of;
}

template <scalar T>
product_result<T> reference_product(const factors<T>& of) {
  const context reference = context::reference();
  if (of.product == operation::spgemm) return multiply(reference, of.left(), of.sparse());
  dense_matrix<T> result(of.left_shape().rows, of.dense.cols(), of.dense.order());
  multiply(reference, of.left(), of.dense, result);
  return result;
}

template <scalar T>
std::vector<index_t> entries_per_row(const factors<T>& of) {
  std::vector<index_t> counts(static_cast<std::size_t>(of.left_shape().rows), 0);
  if (of.transpose_a) {
    const index_view columns = of.a.column_indices();
    for (index_t k = 0; k < columns.size(); ++k) ++counts[static_cast<std::size_t>(columns[k])];
  } else {
    const index_view offsets = of.a.row_offsets();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto row = static_cast<index_t>(i);
      counts[i] = offsets[row + 1] - offsets[row];
    }
  }
  return counts;
}

// Each side makes at most terms + 2 roundings (products, sums, alpha), each of eps / 2 relative or,
// among subnormals, of one smallest number absolute.
template <scalar T>
double error_bound(index_t terms, double magnitude) {
  const double count = static_cast<double>(terms) + 2;
  return count * (std::numeric_limits<T>::epsilon() * magnitude +
                  2.0 * std::numeric_limits<T>::denorm_min());
}

// Where the magnitudes overflow, the order of summation decides between a number and an infinity:
// then only "not finite" can be asked for.
bool agree(double found, double expected, double bound) {
  if (found == expected || (std::isnan(found) && std::isnan(expected))) return true;
  if (std::isfinite(bound)) return std::abs(found - expected) <= bound;
  return std::isfinite(expected) || !std::isfinite(found);
}

template <scalar T>
class tally {
 public:
  struct place {
    index_t row = 0, column = 0;
  };
  void add(place at, double found, double expected, double bound) {
    ++verdict.entries;
    const double error = std::abs(found - expected);
    if (std::isfinite(bound) && std::isfinite(error) && error > 0)
      verdict.worst = std::max(verdict.worst, error / bound);
    if (agree(found, expected, bound)) return;
    ++verdict.wrong;
    if (std::exchange(verdict.right, false))
      verdict.first_difference =
          formatted("entry ({}, {}) is {}, the reference says {} (allowed error {:.3g})",
                    at.row + 1, at.column + 1, found, expected, bound);
  }
  comparison verdict;
};

comparison different(std::string text) {
  return {.right = false, .wrong = 1, .first_difference = std::move(text)};
}

template <scalar T>
comparison judge_dense(const dense_matrix<T>& found, const dense_matrix<T>& expected,
                       const dense_matrix<T>& magnitude, const std::vector<index_t>& terms) {
  if (found.shape() != expected.shape())
    return different(formatted("the result is {}, the reference says {}", shape_text(found.shape()),
                               shape_text(expected.shape())));
  tally<T> seen;
  for (index_t i = 0; i < found.rows(); ++i)
    for (index_t j = 0; j < found.cols(); ++j)
      seen.add({i, j}, found(i, j), expected(i, j),
               error_bound<T>(terms[static_cast<std::size_t>(i)], magnitude(i, j)));
  return seen.verdict;
}

template <scalar T>
comparison judge_sparse(const csr_matrix<T>& found, const csr_matrix<T>& expected,
                        const csr_matrix<T>& magnitude, const std::vector<index_t>& terms) {
  if (found.shape() != expected.shape() || found.nnz() != expected.nnz())
    return different(formatted("the result is {} with {} entries, the reference says {} with {}",
                               shape_text(found.shape()), count_text(found.nnz()),
                               shape_text(expected.shape()), count_text(expected.nnz())));
  tally<T> seen;
  for (index_t i = 0; i < found.rows(); ++i) {
    const index_t begin = expected.row_offsets()[i], end = expected.row_offsets()[i + 1];
    if (found.row_offsets()[i] != begin || found.row_offsets()[i + 1] != end)
      return different(formatted("row {} has {} entries, the reference says {}", i + 1,
                                 found.row_offsets()[i + 1] - found.row_offsets()[i], end - begin));
    for (index_t k = begin; k < end; ++k) {
      const index_t column = expected.column_indices()[k];
      if (found.column_indices()[k] != column)
        return different(formatted("row {} has an entry in column {}, the reference says {}", i + 1,
                                   found.column_indices()[k] + 1, column + 1));
      const auto at = static_cast<std::size_t>(k);
      seen.add({i, column}, found.values()[at], expected.values()[at],
               error_bound<T>(terms[static_cast<std::size_t>(i)], magnitude.values()[at]));
    }
  }
  return seen.verdict;
}

}  // namespace

template <scalar T>
yardstick<T>::yardstick(const factors<T>& of)
    : expected_(reference_product(of)),
      magnitude_(reference_product(magnitudes(of))),
      terms_(entries_per_row(of)) {}

template <scalar T>
comparison yardstick<T>::judge(const product_result<T>& result) const {
  if (const auto* sparse = std::get_if<csr_matrix<T>>(&result))
    return judge_sparse(*sparse, std::get<csr_matrix<T>>(expected_),
                        std::get<csr_matrix<T>>(magnitude_), terms_);
  return judge_dense(std::get<dense_matrix<T>>(result), std::get<dense_matrix<T>>(expected_),
                     std::get<dense_matrix<T>>(magnitude_), terms_);
}

template class yardstick<float>;
template class yardstick<double>;

}  // namespace gossamer::cli
