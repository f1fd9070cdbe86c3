// Row lengths that fall as a power of their rank: the r-th longest row has longest * r^-s entries,
// with s found so that the mean is met. (In terms of how many rows have length k: about
// k^-(1+1/s).) Lengths are differences of one rounded running sum, so each is x or x rounded up or
// down and the total is right to one entry. Ranks are dealt to rows by a random permutation.
// Columns follow the same law with the same ranks, as links do: who links often is linked often. In
// a square matrix a row of length k is then met by about k entries, which is what makes squaring a
// web graph hard.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/refused_memory.hpp"
#include "generate/rows.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

/// sum of r^-s for r = 1 .. n: the first terms one by one, the smooth rest by its integral
/// (midpoint rule; off by less than one part in 10^6).
class rank_sum {
 public:
  explicit rank_sum(double s) : s_(s) {
    for (std::size_t r = 1; r <= exact; ++r)
      first_[r] = first_[r - 1] + std::pow(static_cast<double>(r), -s);
    tail_start_ = antiderivative(exact + 0.5);
  }
  double operator()(index_t n) const {
    if (n <= static_cast<index_t>(exact)) return first_[static_cast<std::size_t>(n)];
    return first_[exact] + antiderivative(static_cast<double>(n) + 0.5) - tail_start_;
  }

  /// The r in [0, n) with sum(r) <= x < sum(r + 1).
  index_t find(double x, index_t n) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), x);
    if (after != first_.end()) return std::min<index_t>(after - first_.begin() - 1, n - 1);
    const double y = x - first_[exact] + tail_start_;
    const double rank =
        logarithmic() ? std::exp(y) : std::pow(std::max(0.0, y * (1 - s_)), 1 / (1 - s_));
    return std::clamp<index_t>(static_cast<index_t>(std::min(rank - 0.5, 0x1p62)), 0, n - 1);
  }

 private:
  bool logarithmic() const { return std::abs(1 - s_) < 1e-9; }
  double antiderivative(double x) const {
    return logarithmic() ? std::log(x) : std::pow(x, 1 - s_) / (1 - s_);
  }
  static constexpr std::size_t exact = 256;
  double s_, tail_start_ = 0;
  std::array<double, exact + 1> first_{};
};

/// The exponent for which `longest` times the rank sum is `total`.
double exponent_for(index_t rows, double total, index_t longest) {
  double flat = 0, steep = 64;  // all rows alike .. one long row, the others empty
  for (int step = 0; step < 60; ++step) {
    const double s = (flat + steep) / 2;
    (rank_sum(s)(rows) * static_cast<double>(longest) > total ? flat : steep) = s;
  }
  return steep;
}

void require_possible(extents shape, double mean, index_t longest) {
  require_at_least(0, "power_law", "rows", shape.rows);
  require_at_least(0, "power_law", "cols", shape.cols);
  require_at_least(0, "power_law", "longest", longest);
  if (longest > shape.cols)
    throw fail(
        error_kind::bad_argument,
        "power_law: longest is {}, but a row of a {} matrix holds at most {} distinct entries",
        count_text(longest), shape_text(shape), count_text(shape.cols));
  if (shape.rows == 0) return;
  const double least = static_cast<double>(longest) / static_cast<double>(shape.rows);
  if (!(mean >= least && mean <= static_cast<double>(longest)))
    throw fail(error_kind::bad_argument,
               "power_law: mean is {}, expected {} (only the longest row has entries) to {} (all "
               "rows are as long as the longest) for {} rows with a longest of {}",
               mean, least, longest, count_text(shape.rows), count_text(longest));
  if (mean * static_cast<double>(shape.rows) > 0x1p62)
    throw fail(error_kind::overflow, "power_law: {} rows of {} entries do not fit 64 bits",
               count_text(shape.rows), mean);
}

buffer<index_t> row_lengths(const context& where, const rank_sum& ranks, index_t rows,
                            index_t longest, const random_stream& shuffling) {
  buffer<index_t> lengths(rows, where.memory());
  const double peak = static_cast<double>(longest);
  const permutation rank_of(rows, shuffling);
  parallel_ranges(where.threads(), rows, 1 << 12, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      const index_t rank = rank_of(i);
      const double length =
          std::floor(peak * ranks(rank + 1) + 0.5) - std::floor(peak * ranks(rank) + 0.5);
      lengths[i] = std::min(longest, static_cast<index_t>(length));
    }
  });
  return lengths;
}

/// Columns drawn by rank. Where the popular ones are used up (a long row of a steep law), or most
/// columns are taken anyway, the rest is drawn evenly.
class popular_columns {
 public:
  popular_columns(const rank_sum& ranks, index_t cols, const random_stream& shuffling)
      : ranks_(ranks), rank_of_(cols, shuffling), total_(ranks(cols)), cols_(cols) {}

  template <stored_index I>
  void draw(const random_stream& draws, std::span<I> chosen, sampling_scratch& scratch) const {
    const std::uint64_t patience = 8 * chosen.size();
    if (static_cast<index_t>(chosen.size()) > cols_ / 2) {
      sample_sorted(draws, cols_, chosen, scratch);
      return;
    }
    const auto column = [&](std::uint64_t k) {
      if (k >= patience) return draws.below(k, cols_);
      const double x = (1 - draws.template positive<double>(k)) * total_;
      return rank_of_.inverse(ranks_.find(x, cols_));
    };
    sample_by(column, chosen);
  }

 private:
  const rank_sum& ranks_;
  permutation rank_of_;
  double total_;
  index_t cols_;
};

}  // namespace

template <real_scalar T>
csr_matrix<T> power_law(const context& where, extents shape, double mean, index_t longest,
                        std::uint64_t seed) try {
  require_host(where, "power_law");
  require_possible(shape, mean, longest);
  const double total = mean * static_cast<double>(shape.rows);
  const rank_sum ranks(exponent_for(shape.rows, total, longest));
  const random_stream shuffling(seed, purpose::row_order);
  const auto lengths = row_lengths(where, ranks, shape.rows, longest, shuffling);
  const auto length = [&](index_t i) { return lengths[i]; };
  const random_stream pattern(seed, purpose::pattern), entries(seed, purpose::values);
  const popular_columns popular(ranks, shape.cols, shuffling);
  return build_rows<T>(
      where, shape, total_length(where, shape.rows, length), length,
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch& scratch) {
        popular.draw(pattern.of(static_cast<std::uint64_t>(i)), columns, scratch);
        fill_positive(entries, i, values);
      });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> power_law(const context&, extents, double, index_t, std::uint64_t);
template csr_matrix<double> power_law(const context&, extents, double, index_t, std::uint64_t);

}  // namespace gossamer::generate
