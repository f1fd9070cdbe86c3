#include "bench/race/yardstick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::bench {

namespace {

/// Double precision for values of type T.
template <scalar T>
using wide = std::conditional_t<complex_scalar<T>, std::complex<double>, double>;

/// One element of the product in double precision, and the sum of the magnitudes.
template <scalar T>
struct sum {
  wide<T> value = 0;
  double magnitude = 0;
};

/// The elements of a row of a dense product, values and magnitudes apart: so that compilers use
/// vector instructions where the elements of B are contiguous.
template <scalar T>
class row_of_sums {
 public:
  explicit row_of_sums(index_t columns)
      : values_(static_cast<std::size_t>(columns)), magnitudes_(values_.size()) {}
  void clear() {
    std::fill(values_.begin(), values_.end(), wide<T>{0});
    std::fill(magnitudes_.begin(), magnitudes_.end(), 0.0);
  }
  void add(const wide<T>& left, const T* right, index_t step) {
    if (step == 1)
      add_each(left, [right](std::size_t j) { return right[j]; });
    else
      add_each(left,
               [right, step](std::size_t j) { return right[static_cast<index_t>(j) * step]; });
  }
  sum<T> operator[](index_t j) const {
    const auto at = static_cast<std::size_t>(j);
    return {values_[at], magnitudes_[at]};
  }

 private:
  template <class F>
  void add_each(const wide<T>& left, F&& right) {
    wide<T>* const values = values_.data();
    double* const magnitudes = magnitudes_.data();
    for (std::size_t j = 0; j < values_.size(); ++j) {
      const wide<T> product = times(left, cast<wide<T>>(right(j)));
      values[j] += product;
      magnitudes[j] += std::abs(product);
    }
  }

  std::vector<wide<T>> values_;
  std::vector<double> magnitudes_;
};

// Each side has at most terms + 2 roundings (multiplications, additions, alpha), each of eps / 2
// relative or, among subnormals, of one smallest number absolute; products of complex numbers have
// twice as many. Magnitudes beyond the type have no bound.
template <scalar T>
double error_bound(index_t terms, double magnitude) {
  using limits = std::numeric_limits<real_of<T>>;
  if (!(magnitude <= limits::max())) return std::numeric_limits<double>::infinity();
  const double count = (static_cast<double>(terms) + 2) * (complex_scalar<T> ? 2 : 1);
  return count * (limits::epsilon() * magnitude + 2.0 * limits::denorm_min());
}

bool is_nan(double x) { return std::isnan(x); }
bool is_nan(const std::complex<double>& x) { return std::isnan(x.real()) || std::isnan(x.imag()); }

std::string number_text(double x) { return formatted("{}", x); }
std::string number_text(const std::complex<double>& x) {
  return formatted("{}{:+}i", x.real(), x.imag());
}

// Where the magnitudes overflow, the order of summation decides between a number and an infinity:
// then only "not finite" is checked.
template <class Wide>
bool agree(const Wide& found, const Wide& expected, double bound) {
  if (found == expected || (is_nan(found) && is_nan(expected))) return true;
  if (std::isfinite(bound)) return std::abs(found - expected) <= bound;
  return std::isfinite(std::abs(expected)) || !std::isfinite(std::abs(found));
}

template <scalar T>
struct tally {
  judgement verdict;
  index_t first_row = std::numeric_limits<index_t>::max();

  void differ(index_t row, std::string text) {
    ++verdict.wrong;
    verdict.right = false;
    if (row >= first_row) return;
    first_row = row;
    verdict.first_difference = std::move(text);
  }

  void compare(index_t row, index_t column, const wide<T>& found, const sum<T>& exact,
               index_t terms) {
    ++verdict.entries;
    const auto expected = cast<wide<T>>(cast<T>(exact.value));
    const double bound = error_bound<T>(terms, exact.magnitude);
    const double error = std::abs(found - expected);
    if (std::isfinite(bound) && std::isfinite(error) && error > 0)
      verdict.worst = std::max(verdict.worst, error / bound);
    if (!agree(found, expected, bound))
      differ(row, formatted("entry ({}, {}) is {}, the reference says {} (allowed error {:.3g})",
                            row + 1, column + 1, number_text(found), number_text(expected), bound));
  }

  void add(tally&& other) {
    verdict.sorted &= other.verdict.sorted;
    verdict.worst = std::max(verdict.worst, other.verdict.worst);
    verdict.entries += other.verdict.entries;
    verdict.wrong += other.verdict.wrong;
    verdict.right &= other.verdict.right;
    if (other.first_row >= first_row) return;
    first_row = other.first_row;
    verdict.first_difference = std::move(other.verdict.first_difference);
  }
};

/// Calls work()(row, tally) for every row, on all cores, and adds the threads' tallies up.
template <scalar T, class Work>
judgement over_rows(index_t rows, Work&& work) {
  constexpr index_t chunk = 256;
  tally<T> total;
  std::mutex guard;
  const int threads = context::best().threads();
  parallel_pieces(threads, (rows + chunk - 1) / chunk, [&](claimed_pieces own, int, int) {
    tally<T> mine;
    auto judge_rows = work();
    for (const index_t k : own)
      for (index_t i = k * chunk; i < std::min((k + 1) * chunk, rows); ++i) judge_rows(i, mine);
    const std::lock_guard lock(guard);
    total.add(std::move(mine));
  });
  return total.verdict;
}

judgement different(std::string text) {
  return {.right = false, .wrong = 1, .first_difference = std::move(text)};
}

/// The columns of B under the numbers by which they are accumulated: themselves or, where B has far
/// more columns than nonzeros, their rank among those that are used.
class column_ranks {
 public:
  template <scalar T>
  explicit column_ranks(const csr_view<const T>& b) : count_(b.shape.cols), columns_(b.columns) {
    constexpr index_t affordable = 1 << 20, per_entry = 4;
    if (count_ <= affordable || (count_ - affordable) / per_entry <= b.nnz()) return;
    for (index_t l = 0; l < b.nnz(); ++l) used_.push_back(b.columns[l]);
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    ranked_ = true;
    for (index_t l = 0; l < b.nnz(); ++l) ranks_.push_back(rank(b.columns[l]));
    count_ = static_cast<index_t>(used_.size());
  }
  index_t count() const { return count_; }
  /// Of nonzero l of B.
  index_t of_entry(index_t l) const {
    return ranked_ ? ranks_[static_cast<std::size_t>(l)] : columns_[l];
  }
  /// -1 for a column that B does not have.
  index_t rank(index_t column) const {
    if (!ranked_) return column >= 0 && column < count_ ? column : -1;
    const auto at = std::lower_bound(used_.begin(), used_.end(), column);
    return at != used_.end() && *at == column ? at - used_.begin() : -1;
  }
  index_t column(index_t rank) const {
    return ranked_ ? used_[static_cast<std::size_t>(rank)] : rank;
  }

 private:
  index_t count_;
  index_view columns_;
  bool ranked_ = false;
  std::vector<index_t> used_, ranks_;
};

/// A row of op(A) B in a dense accumulator. Values are tagged by the row number, so only the bits
/// of `seen` that a row has set are cleared.
template <scalar T>
class row_sums {
 public:
  row_sums(const csr_view<const T>& a, const csr_view<const T>& b, T alpha,
           const column_ranks& ranks)
      : a_(a),
        b_(b),
        alpha_(alpha),
        ranks_(&ranks),
        sums_(static_cast<std::size_t>(ranks.count())),
        row_(sums_.size(), -1) {}

  /// Computes row i; returns its number of nonzeros.
  index_t compute(index_t i) {
    columns_.clear();
    for (index_t k = a_.offsets[i]; k < a_.offsets[i + 1]; ++k) {
      const wide<T> left =
          alpha_ == T{0} ? wide<T>{0} : times(cast<wide<T>>(alpha_), cast<wide<T>>(a_.values[k]));
      const index_t middle = a_.columns[k];
      for (index_t l = b_.offsets[middle]; l < b_.offsets[middle + 1]; ++l) {
        const auto j = static_cast<std::size_t>(ranks_->of_entry(l));
        if (row_[j] != i) {
          row_[j] = i;
          sums_[j] = {};
          columns_.push_back(static_cast<index_t>(j));
        }
        // alpha = 0 reads no values: not even an Inf among them counts.
        const wide<T> product =
            alpha_ == T{0} ? wide<T>{0} : times(left, cast<wide<T>>(b_.values[l]));
        sums_[j].value += product;
        sums_[j].magnitude += std::abs(product);
      }
    }
    return static_cast<index_t>(columns_.size());
  }
  /// The element, if the row has it and it was not taken before.
  const sum<T>* take(index_t row, index_t column) {
    const index_t rank = ranks_->rank(column);
    if (rank < 0) return nullptr;
    const auto j = static_cast<std::size_t>(rank);
    if (row_[j] != row) return nullptr;
    row_[j] = -1;
    return &sums_[j];
  }
  /// Calls f(column, sum) for the elements of the row that were not taken.
  template <class Function>
  void for_each_left(index_t row, Function&& f) const {
    for (const index_t rank : columns_)
      if (const auto j = static_cast<std::size_t>(rank); row_[j] == row)
        f(ranks_->column(rank), sums_[j]);
  }

 private:
  csr_view<const T> a_, b_;
  T alpha_;
  const column_ranks* ranks_;
  std::vector<sum<T>> sums_;
  std::vector<index_t> row_, columns_;  // columns_: ranks of those of the row
};

template <scalar T, scalar Stored>
void judge_sparse_row(index_t i, const csr_view<const Stored>& found, row_sums<T>& sums,
                      index_t terms, leniency with, tally<T>& seen) {
  const index_t expected = sums.compute(i);
  const index_t begin = found.offsets[i], end = found.offsets[i + 1];
  if (end - begin != expected && !(with.missing_zeros && end - begin < expected))
    return seen.differ(
        i, formatted("row {} has {} entries, the reference says {}", i + 1, end - begin, expected));
  for (index_t k = begin; k < end; ++k) {
    const index_t column = found.columns[k];
    if (k > begin && found.columns[k - 1] >= column) seen.verdict.sorted = false;
    if (const auto* exact = sums.take(i, column))
      seen.compare(i, column, cast<wide<T>>(found.values[k]), *exact, terms);
    else
      seen.differ(i, formatted("row {} has an entry in column {}, the reference has none there, "
                               "or only one",
                               i + 1, column + 1));
  }
  if (end - begin < expected)
    sums.for_each_left(i, [&](index_t column, const sum<T>& exact) {
      seen.compare(i, column, wide<T>{0}, exact, terms);
    });
}

// Offsets are used below: they must ascend and stay in range.
template <scalar Stored>
std::string broken_offsets(const csr_view<const Stored>& found) {
  for (index_t i = 0; i < found.shape.rows; ++i)
    if (found.offsets[i + 1] < found.offsets[i] || found.offsets[i] < 0)
      return formatted("row {} ends before it begins", i + 1);
  if (found.offsets[found.shape.rows] != found.nnz())
    return formatted("the last row ends at {}, but there are {} entries",
                     found.offsets[found.shape.rows], found.nnz());
  return {};
}

}  // namespace

template <scalar T>
yardstick<T>::yardstick(const factors<T>& of) : of_(&of), left_(of.a.view()) {
  if (of.conjugate_a) turned_ = convert<csr_matrix<T>>(context::best(), conjugated(of.a));
  if (of.transpose_a)
    turned_ = transpose<T>(context::best(), of.conjugate_a ? turned_.view() : of.a.view());
  if (of.conjugate_a || of.transpose_a) left_ = turned_.view();
}

template <scalar T>
judgement yardstick<T>::judge(const dense_view<const T>& found) const {
  const extents expected{left_.shape.rows, of_->dense.cols()};
  if (found.shape != expected)
    return different(formatted("the result is {}, the reference says {}", shape_text(found.shape),
                               shape_text(expected)));
  const auto x = of_->dense.view();
  return over_rows<T>(expected.rows, [&] {
    return [&, sums = row_of_sums<T>(expected.cols)](index_t i, tally<T>& seen) mutable {
      sums.clear();
      const index_t begin = left_.offsets[i], end = left_.offsets[i + 1];
      for (index_t k = begin; k < end && of_->alpha != T{0}; ++k)
        sums.add(times(cast<wide<T>>(of_->alpha), cast<wide<T>>(left_.values[k])),
                 &x(left_.columns[k], 0), x.col_step());
      for (index_t j = 0; j < expected.cols; ++j)
        seen.compare(i, j, cast<wide<T>>(found(i, j)), sums[j], end - begin);
    };
  });
}

template <scalar T>
template <scalar Stored>
judgement yardstick<T>::judge(const csr_view<const Stored>& found, leniency with) const {
  const auto right = of_->sparse().view();
  const extents expected{left_.shape.rows, right.shape.cols};
  if (found.shape != expected)
    return different(formatted("the result is {}, the reference says {}", shape_text(found.shape),
                               shape_text(expected)));
  if (auto broken = broken_offsets(found); !broken.empty()) return different(std::move(broken));
  const column_ranks ranks(right);
  return over_rows<T>(expected.rows, [&] {
    return [&, sums = row_sums<T>(left_, right, of_->alpha, ranks)](index_t i,
                                                                    tally<T>& seen) mutable {
      judge_sparse_row(i, found, sums, left_.offsets[i + 1] - left_.offsets[i], with, seen);
    };
  });
}

template <scalar T>
judgement yardstick<T>::judge(const product_result<T>& result) const {
  return std::visit(
      [&](const auto& matrix) {
        if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, dense_matrix<T>>)
          return judge(dense_view<const T>(matrix.view()));
        else
          return judge<T>(matrix.view(), {});
      },
      result);
}

#define GOSSAMER_INSTANTIATE(T) \
  template class yardstick<T>;  \
  template judgement yardstick<T>::judge(const csr_view<const T>&, leniency) const;
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE
template judgement yardstick<float>::judge(const csr_view<const double>&, leniency) const;

}  // namespace gossamer::bench
