// Converts compressed rows to HYB: the first t nonzeros of each row in ELL, the rest in COO, t
// chosen from the row lengths by the quantile rule of Anzt et al. (load-balancing SpMV, TOPC 2020):
// with t = Q_R(x), a share of about x of the rows fits into t positions.
#include <cmath>

#include "base/text.hpp"
#include "convert/cuda/device_conversions.hpp"
#include "convert/from_rows.hpp"
#include "convert/hyb_width.hpp"
#include "convert/padding.hpp"
#include "convert/row_lengths.hpp"
#include "formats/typed.hpp"

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

template <scalar T, scalar From>
coo_matrix<T> rest_of_rows(const context& where, const scaled_rows<From>& from, index_t width,
                           std::span<const index_t> starts) {
  const auto& a = from.a;
  coo_matrix<T> rest(a.shape, starts.back(), narrowest(a.shape, 0).indices, where.memory());
  const auto out = rest.mutable_view();
  with_two_widths(a.columns.width(), out.columns.width(), [&]<class I, class J>() {
    const I* const columns = detail::raw<I>(a.columns);
    const auto out_rows = out.rows.template as<J>();
    const auto out_columns = out.columns.template as<J>();
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        index_t at = starts[i];
        for (index_t p = a.offsets[i] + width; p < a.offsets[i + 1]; ++p, ++at) {
          out_rows[at] = static_cast<J>(i);
          out_columns[at] = static_cast<J>(columns[p]);
          out.values[at] = static_cast<T>(from.alpha * a.values[p]);
        }
      }
    });
  });
  return rest;
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

template <scalar T, scalar From>
hyb_matrix<T> to_hyb(const context& where, const scaled_rows<From>& from,
                     const convert_options& how) {
  if (from.a.where == memory::device) return cuda::to_hyb<T>(where, from, how);
  const auto& a = from.a;
  const auto index = narrowest(a.shape, 0).indices;
  const auto lengths = row_lengths(where, a.offsets);
  const index_t longest = longest_row(where, a.offsets);
  // A column limit beyond the longest row would only add padding.
  const index_t width =
      std::min(hyb_width(lengths.span(), how.hyb, value_type_of<T>, index), longest);
  require_reasonable(hyb_size(a.shape, a.nnz(), longest, width, value_type_of<T>),
                     how.padding_limit);
  buffer<index_t> starts(a.shape.rows + 1, where.memory());
  parallel_ranges(where.threads(), a.shape.rows, conversion_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) starts[i] = std::max<index_t>(lengths[i] - width, 0);
  });
  prefix_sums(where.threads(), starts.span());
  const index_t left_over = starts[a.shape.rows];
  ell_matrix<T> first(a.shape, width, a.shape.rows, a.nnz() - left_over, index, where.memory());
  fill_ell(where, from, first);
  return {std::move(first), rest_of_rows<T>(where, from, width, starts.span())};
}

template hyb_matrix<float> to_hyb(const context&, const scaled_rows<float>&,
                                  const convert_options&);
template hyb_matrix<float> to_hyb(const context&, const scaled_rows<double>&,
                                  const convert_options&);
template hyb_matrix<double> to_hyb(const context&, const scaled_rows<float>&,
                                   const convert_options&);
template hyb_matrix<double> to_hyb(const context&, const scaled_rows<double>&,
                                   const convert_options&);

}  // namespace gossamer
