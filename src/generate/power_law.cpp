// Row lengths that fall as a power of their rank: the r-th longest row has longest * r^-s entries,
// with s found so that the mean is met. (In terms of how many rows have length k: about
// k^-(1+1/s).) Lengths are differences of one rounded running sum, so each is x or x rounded up or
// down and the total is right to one entry. Ranks are dealt to rows by a random permutation.
#include <array>
#include <cmath>

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

 private:
  double antiderivative(double x) const {
    return std::abs(1 - s_) < 1e-9 ? std::log(x) : std::pow(x, 1 - s_) / (1 - s_);
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

buffer<index_t> row_lengths(const context& where, index_t rows, double mean, index_t longest,
                            std::uint64_t seed) {
  buffer<index_t> lengths(rows, where.memory());
  const double peak = static_cast<double>(longest);
  const rank_sum ranks(exponent_for(rows, mean * static_cast<double>(rows), longest));
  const permutation order(rows, random_stream(seed, purpose::row_order));
  parallel_ranges(where.threads(), rows, 1 << 12, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      const index_t rank = order(i);
      const double length =
          std::floor(peak * ranks(rank + 1) + 0.5) - std::floor(peak * ranks(rank) + 0.5);
      lengths[i] = std::min(longest, static_cast<index_t>(length));
    }
  });
  return lengths;
}

}  // namespace

template <scalar T>
csr_matrix<T> power_law(const context& where, extents shape, double mean, index_t longest,
                        std::uint64_t seed) {
  require_host(where, "power_law");
  require_possible(shape, mean, longest);
  const auto lengths = row_lengths(where, shape.rows, mean, longest, seed);
  const auto length = [&](index_t i) { return lengths[i]; };
  return random_rows<T>(where, shape, total_length(where, shape.rows, length), seed, length);
}

template csr_matrix<float> power_law(const context&, extents, double, index_t, std::uint64_t);
template csr_matrix<double> power_law(const context&, extents, double, index_t, std::uint64_t);

}  // namespace gossamer::generate
