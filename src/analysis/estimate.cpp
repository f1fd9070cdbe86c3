// Estimates C = A B. Multiplications per row are exact and cost one pass over A. Nonzeros of C are
// counted exactly for a few hundred rows, drawn from classes of rows with similar work, and scaled
// by the multiplications of each class: the sampled compression ratio.
#include <array>
#include <cmath>

#include "analysis/estimator.hpp"
#include "analysis/format_sizes.hpp"
#include "analysis/moments.hpp"
#include "analysis/peaks.hpp"
#include "analysis/products.hpp"
#include "analysis/strata.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer::detail {

namespace {

using namespace analysis;

/// Multiplications that may be visited while sampling, about 1 % of all. A smaller product is
/// counted completely.
index_t product_budget(index_t flop) { return std::max<index_t>(flop / 100, 1 << 17); }

/// Both operands by rows, and the multiplications of every row.
struct product_pattern {
  const context& where;
  analysis::pattern a, b;
  std::span<const index_t> products;
};

double ratio(index_t above, index_t below) {
  return below == 0 ? 0 : static_cast<double>(above) / static_cast<double>(below);
}

factor_statistics expansion(const product_pattern& c) {
  const blocks parts{c.a.shape.rows, 1 << 11};
  std::vector<moments> found(static_cast<std::size_t>(parts.count()));
  typed(c.a, [&](const auto& rows) {
    parallel_chunks(c.where.threads(), parts.count(), [&](index_t block) {
      std::array<double, 1 << 11> factors;
      std::size_t used = 0;
      for (index_t i = parts.of(block).begin; i < parts.of(block).end; ++i)
        if (rows.length(i) > 0)
          factors[used++] = ratio(c.products[static_cast<std::size_t>(i)], rows.length(i));
      found[static_cast<std::size_t>(block)] = moments(std::span(factors.data(), used));
    });
  });
  moments all;
  for (const auto& part : found) all.merge(part);
  return all.result();
}

index_t longest_row(const context& where, const analysis::pattern& rows) {
  const blocks parts{rows.line_count(), 1 << 14};
  std::vector<index_t> found(static_cast<std::size_t>(parts.count()) + 1, 0);
  typed(rows, [&](const auto& lines) {
    parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
      index_t longest = 0;
      for (index_t i = parts.of(block).begin; i < parts.of(block).end; ++i)
        longest = std::max(longest, lines.length(i));
      found[static_cast<std::size_t>(block)] = longest;
    });
  });
  return *std::max_element(found.begin(), found.end());
}

void count_exactly(const product_pattern& c, product_estimate& result) {
  const auto entries = count_all_rows(c.where, c.a, c.b, c.products);
  moments contraction;
  for (index_t i = 0; i < entries.size(); ++i) {
    const index_t p = c.products[static_cast<std::size_t>(i)];
    if (p == 0) continue;
    result.nnz += entries[i];
    ++result.counted_rows;
    contraction.add(ratio(p, entries[i]));
  }
  result.nnz_low = result.nnz_high = result.nnz;
  result.exact = true;
  result.counted_products = result.flop;
  result.contraction_per_row = contraction.result();
}

/// Number of rows to count in each class. `a` distributes rows by multiplications, which is best
/// when every row costs the same; `b` weighs the cost of a row, which is best when multiplications
/// are the limit.
std::array<index_t, row_strata::classes> sample_sizes(const row_strata& strata, index_t sample_rows,
                                                      index_t budget) {
  double products = 0, cost = 0;
  for (int k = 2; k < row_strata::classes; ++k) {
    if (strata[k].rows == 0) continue;
    const auto p = static_cast<double>(strata[k].products);
    products += p;
    cost += p * std::sqrt(p / static_cast<double>(strata[k].rows));
  }
  std::array<index_t, row_strata::classes> sizes{};
  for (int k = 2; k < row_strata::classes; ++k) {
    const auto [rows, total] = strata[k];
    if (rows == 0) continue;
    const double a = static_cast<double>(sample_rows) / products;
    const double b = static_cast<double>(budget) / cost;
    const auto n = std::min(a * static_cast<double>(total),
                            b * std::sqrt(static_cast<double>(rows) * static_cast<double>(total)));
    // Two rows give a variance, four a better one where they are cheap.
    const index_t least = total / rows > budget / 16 ? 2 : 4;
    sizes[static_cast<std::size_t>(k)] =
        std::min(rows, std::max(least, static_cast<index_t>(std::ceil(n))));
  }
  return sizes;
}

/// One draw for all classes, so that one parallel loop counts all rows.
std::vector<sampled_stratum> count_sample(const product_pattern& c, const row_strata& strata,
                                          const estimate_options& how, index_t budget) {
  const auto sizes = sample_sizes(strata, how.sample_rows, budget);
  std::vector<sampled_stratum> sampled;
  std::vector<index_t> rows;
  // Heavy classes first: a long row must not be the last to start.
  for (int k = row_strata::classes - 1; k >= 2; --k) {
    const index_t n = sizes[static_cast<std::size_t>(k)];
    if (n == 0) continue;
    sampled.push_back({strata[k].rows, strata[k].products});
    for (const index_t i : strata.pick(k, n, how.seed)) {
      sampled.back().sample_products.push_back(c.products[static_cast<std::size_t>(i)]);
      rows.push_back(i);
    }
  }
  const auto entries = count_rows(c.where, c.a, c.b, c.products, rows);
  auto next = entries.begin();
  for (auto& s : sampled) {
    const auto n = static_cast<std::ptrdiff_t>(s.sample_products.size());
    s.sample_entries.assign(next, next + n);
    next += n;
  }
  return sampled;
}

/// Rows too long to count within the budget are sampled: only some of their nonzeros are visited,
/// spread evenly from a seeded start.
std::vector<bounded_row> follow_giants(const product_pattern& c, const row_strata& strata,
                                       const estimate_options& how, product_estimate& result) {
  const auto& giants = strata.giants();
  if (giants.empty()) return {};
  const index_t share =
      std::max<index_t>(1, product_budget(result.flop) / 2 / static_cast<index_t>(giants.size()));
  std::vector<strided_row> which;
  for (const index_t i : giants) {
    const index_t stride = c.products[static_cast<std::size_t>(i)] / share + 1;
    const auto mixed = (how.seed + static_cast<std::uint64_t>(i)) * 0x9e3779b97f4a7c15u >> 17;
    which.push_back({i, stride, static_cast<index_t>(mixed % static_cast<std::uint64_t>(stride))});
  }
  const auto parts = count_parts(c.where, c.a, c.b, which);
  std::vector<bounded_row> rows;
  for (std::size_t g = 0; g < giants.size(); ++g) {
    const index_t p = c.products[static_cast<std::size_t>(giants[g])];
    rows.push_back(extrapolate(parts[g], p, c.b.shape.cols));
    result.counted_products += parts[g].products;
  }
  return rows;
}

void count_some(const product_pattern& c, const estimate_options& how, product_estimate& result) {
  const index_t budget = product_budget(result.flop);
  const row_strata strata(c.where, c.products, c.b.shape.cols, budget / 2);
  const auto sampled = count_sample(c, strata, how, budget);
  const auto giants = follow_giants(c, strata, how, result);
  moments contraction;
  for (const auto& s : sampled) {
    const double weight = ratio(s.rows, static_cast<index_t>(s.sample_products.size()));
    for (std::size_t i = 0; i < s.sample_products.size(); ++i) {
      contraction.add(ratio(s.sample_products[i], s.sample_entries[i]), weight);
      result.counted_products += s.sample_products[i];
      ++result.counted_rows;
    }
  }
  // Rows with one multiplication have one nonzero and need no counting.
  const index_t single = strata[1].rows;
  if (single > 0) contraction.add(1, static_cast<double>(single));
  const auto found = combine(sampled, giants, {.known = single, .most = strata.most_entries()});
  result.nnz = found.nnz;
  result.nnz_low = found.low;
  result.nnz_high = found.high;
  result.exact = found.exact;
  result.contraction_per_row = contraction.result();
}

}  // namespace

product_estimate estimate(const context& where, const operand& a, const operand& b,
                          const estimate_options& how) try {
  if (how.sample_rows < 1)
    throw fail(error_kind::bad_argument,
               "an estimate from {} sampled rows was asked for; give 1 or more, or exact",
               how.sample_rows);
  const analysis::pattern given_a = pattern_of(a, "A"), given_b = pattern_of(b, "B");
  require_product_shapes(given_a.shape, given_b.shape);
  const row_pattern rows_a(where, given_a), rows_b(where, given_b);
  const auto products = analysis::products_per_row(where, rows_a.view(), rows_b.view());
  const product_pattern c{where, rows_a.view(), rows_b.view(), products.span()};

  product_estimate result;
  result.shape = {c.a.shape.rows, c.b.shape.cols};
  result.products_per_row = statistics(where, c.products);
  result.products_histogram = histogram(where, c.products);
  result.flop = result.products_per_row.total;
  result.expansion = ratio(result.flop, c.a.nnz());
  result.expansion_per_row = expansion(c);
  if (how.exact || result.flop <= product_budget(result.flop))
    count_exactly(c, result);
  else
    count_some(c, how, result);
  result.compression = ratio(result.flop, result.nnz);

  const auto values = std::visit(
      [](const auto& e) { return value_type_of<std::remove_cvref_t<decltype(e.alpha)>>; }, a);
  result.result_bytes = csr_bytes(result.shape, result.nnz_high, values);
  result.peak = peak_bytes({.shape = result.shape,
                            .nnz = result.nnz_high,
                            .flop = result.flop,
                            .most_products = result.products_per_row.max,
                            .longest_row = longest_row(where, c.a),
                            .left_nnz = c.a.nnz(),
                            .values = values,
                            .threads = where.threads()});
  return result;
} catch (const std::bad_alloc&) {
  refuse_memory("an estimate");
}

}  // namespace gossamer::detail
