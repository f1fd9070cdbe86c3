// Elimination with complete pivoting, in double. It reveals the rank: a graph Laplacian lacks one
// for each connected part. Pivots of a positive semidefinite matrix are on its diagonal, so that
// the generalised inverse is symmetric, too.
#include "amg/coarsest.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "amg/rows.hpp"

namespace gossamer::amg {

namespace {

class dense_elimination {
 public:
  dense_elimination(index_t n, double tolerance) : n_(n), tolerance_(tolerance) {
    values_.assign(static_cast<std::size_t>(n * n), 0.0);
    rows_.resize(static_cast<std::size_t>(n));
    std::iota(rows_.begin(), rows_.end(), index_t{0});
    columns_ = rows_;
  }
  double& at(index_t i, index_t j) { return values_[static_cast<std::size_t>(i * n_ + j)]; }

  /// PAQ = LU in place; stops at pivots that are nothing beside the first one. Returns the rank.
  index_t factorise() {
    double first = 0;
    for (index_t k = 0; k < n_; ++k) {
      const auto [row, column] = largest_from(k);
      const double pivot = std::abs(at(row, column));
      if (k == 0) first = pivot;
      if (!(pivot > tolerance_ * first)) return rank_ = k;
      exchange(k, row, column);
      for (index_t i = k + 1; i < n_; ++i) {
        const double factor = at(i, k) /= at(k, k);
        if (factor == 0) continue;
        for (index_t j = k + 1; j < n_; ++j) at(i, j) -= factor * at(k, j);
      }
    }
    return rank_ = n_;
  }

  /// Column `column` of the generalised inverse.
  void solve_unit(index_t column, double* x) {
    std::vector<double> y(static_cast<std::size_t>(rank_), 0.0);
    for (index_t i = 0; i < rank_; ++i) {
      double sum = rows_[static_cast<std::size_t>(i)] == column ? 1 : 0;
      for (index_t j = 0; j < i; ++j) sum -= at(i, j) * y[static_cast<std::size_t>(j)];
      y[static_cast<std::size_t>(i)] = sum;
    }
    std::fill(x, x + n_, 0.0);
    for (index_t i = rank_ - 1; i >= 0; --i) {
      double sum = y[static_cast<std::size_t>(i)];
      for (index_t j = i + 1; j < rank_; ++j) sum -= at(i, j) * y[static_cast<std::size_t>(j)];
      y[static_cast<std::size_t>(i)] = sum / at(i, i);
      x[columns_[static_cast<std::size_t>(i)]] = y[static_cast<std::size_t>(i)];
    }
  }

 private:
  std::pair<index_t, index_t> largest_from(index_t k) {
    // A diagonal that is as large as any other element is preferred: symmetry is kept.
    double largest = 0;
    std::pair<index_t, index_t> place{k, k};
    for (index_t i = k; i < n_; ++i)
      if (std::abs(at(i, i)) > largest) largest = std::abs(at(i, i)), place = {i, i};
    double beyond = largest * (1 + 1e-9);
    for (index_t i = k; i < n_; ++i)
      for (index_t j = k; j < n_; ++j)
        if (std::abs(at(i, j)) > beyond) beyond = std::abs(at(i, j)), place = {i, j};
    return place;
  }
  void exchange(index_t k, index_t row, index_t column) {
    if (row != k)
      for (index_t j = 0; j < n_; ++j) std::swap(at(k, j), at(row, j));
    if (column != k)
      for (index_t i = 0; i < n_; ++i) std::swap(at(i, k), at(i, column));
    std::swap(rows_[static_cast<std::size_t>(k)], rows_[static_cast<std::size_t>(row)]);
    std::swap(columns_[static_cast<std::size_t>(k)], columns_[static_cast<std::size_t>(column)]);
  }

  index_t n_, rank_ = 0;
  double tolerance_;
  std::vector<double> values_;
  std::vector<index_t> rows_, columns_;
};

}  // namespace

template <real T>
small_inverse<T> invert(const csr_view<const T>& whole, bool symmetric) {
  const row_reader<T> a(whole);
  const index_t n = a.rows;
  // What rounding leaves of a zero pivot; coarse matrices carry the rounding of several products.
  const double tolerance =
      100 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon());
  dense_elimination dense(n, tolerance);
  for (index_t i = 0; i < n; ++i)
    for (index_t p = a.begin(i); p < a.end(i); ++p)
      dense.at(i, a.columns[p]) += static_cast<double>(a.values[p]);
  const index_t rank = dense.factorise();
  std::vector<double> inverse(static_cast<std::size_t>(n * n));  // column j at j * n
  for (index_t j = 0; j < n; ++j) dense.solve_unit(j, inverse.data() + j * n);
  const auto element = [&](index_t i, index_t j) {
    return inverse[static_cast<std::size_t>(j * n + i)];
  };
  auto stored = build_by_chunks<T>(
      1, {n, n}, [&](index_t begin, index_t end) { return (end - begin) * n; },
      [&](index_t i, row_writer<T>& out) {
        for (index_t j = 0; j < n; ++j)
          out.add(static_cast<std::int32_t>(j),
                  static_cast<T>(symmetric ? (element(i, j) + element(j, i)) / 2 : element(i, j)));
      });
  return {std::move(stored), rank};
}

template small_inverse<float> invert(const csr_view<const float>&, bool);
template small_inverse<double> invert(const csr_view<const double>&, bool);

}  // namespace gossamer::amg
