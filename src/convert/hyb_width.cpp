// The number of places per row in the ELL part of HYB, chosen from the row lengths by the quantile
// rule of Anzt et al. (load-balancing SpMV, TOPC 2020): with t = Q_R(x), a share of about x of the
// rows fits into t positions.
#include "convert/hyb_width.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace gossamer {

namespace {

class host_ranks final : public length_ranks {
 public:
  explicit host_ranks(std::span<const index_t> lengths) : lengths_(lengths) {}
  index_t rows() const override { return static_cast<index_t>(lengths_.size()); }
  index_t longest() const override { return *std::max_element(lengths_.begin(), lengths_.end()); }
  index_t of_rank(index_t position) const override {
    buffer<index_t> copy(lengths_);
    std::nth_element(copy.data(), copy.data() + position, copy.data() + copy.size());
    return copy[position];
  }

 private:
  std::span<const index_t> lengths_;
};

/// Q_R(x) = min {t : x < share of rows with at most t nonzeros}, 0 for x < 0.
index_t quantile(const length_ranks& lengths, double x) {
  if (std::isnan(x))
    throw fail(error_kind::bad_argument,
               "the quantile of a HYB strategy is not a number; expected one from 0 (no padding) "
               "to 1 (all ELL), or below 0 (all COO)");
  const auto rows = static_cast<double>(lengths.rows());
  if (x < 0) return 0;
  // Not left to the rounding of rows * x: the last quantile is the longest row.
  if (x >= 1 - 1 / rows) return lengths.longest();
  return lengths.of_rank(static_cast<index_t>(rows * x));
}

index_t bounded_quantile(const length_ranks& lengths, double x, double bound) {
  if (!(bound >= 0))
    throw fail(error_kind::bad_argument,
               "the bound of a HYB strategy is {}; it is a share of the rows, 0 or more", bound);
  const double most = bound * static_cast<double>(lengths.rows());
  const index_t t = quantile(lengths, x);
  return static_cast<double>(t) <= most ? t : static_cast<index_t>(most);
}

/// The fewest bytes: x = p / (v + 2p), in whole numbers.
index_t storage_quantile(const length_ranks& lengths, value_type values, index_width indices) {
  const index_t p = bytes(indices), v = bytes(values);
  return lengths.of_rank(lengths.rows() * p / (v + 2 * p));
}

}  // namespace

index_t hyb_width(std::span<const index_t> lengths, const hyb_options& how, value_type values,
                  index_width indices) {
  return hyb_width(host_ranks(lengths), how, values, indices);
}

index_t hyb_width(const length_ranks& lengths, const hyb_options& how, value_type values,
                  index_width indices) {
  if (how.strategy == hyb_strategy::column_limit && how.columns < 0)
    throw fail(error_kind::bad_argument, "the column limit of HYB is {}; expected 0 or more",
               how.columns);
  if (lengths.rows() == 0) return 0;
  switch (how.strategy) {
    case hyb_strategy::column_limit: return how.columns;
    case hyb_strategy::imbalance_limit: return quantile(lengths, how.quantile);
    case hyb_strategy::imbalance_bounded: return bounded_quantile(lengths, how.quantile, how.bound);
    case hyb_strategy::minimal_storage: return storage_quantile(lengths, values, indices);
    case hyb_strategy::automatic: break;
  }
  return bounded_quantile(lengths, 1.0 / 3.0, 0.001);
}

}  // namespace gossamer
