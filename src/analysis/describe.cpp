// Analyses as aligned text for people.
#include <utility>

#include "base/text.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

/// Lines of "label  text", labels padded to the longest.
class table {
 public:
  void line(std::string label, std::string text) {
    width_ = std::max(width_, label.size());
    lines_.emplace_back(std::move(label), std::move(text));
  }
  std::string text() const {
    std::string all;
    for (const auto& [label, value] : lines_)
      all += formatted("{:<{}}  {}\n", label, width_, value);
    return all;
  }

 private:
  std::size_t width_ = 0;
  std::vector<std::pair<std::string, std::string>> lines_;
};

std::string share_text(double share) { return formatted("{:.4g} %", share * 100); }

/// Adds the statistics of lengths, with quantiles on a separate line.
void add_counts(table& t, const std::string& label, const count_statistics& s) {
  t.line(label, formatted("min {}, mean {:.4g}, max {}, deviation {:.4g}, imbalance {:.4g}{}",
                          count_text(s.min), s.mean, count_text(s.max), s.deviation, s.imbalance,
                          s.zeros > 0 ? formatted(", {} empty", count_text(s.zeros)) : ""));
  std::string text;
  for (std::size_t q = 0; q < quantile_points.size(); ++q)
    text += formatted("{}{:g} %: {}", q == 0 ? "" : ", ", quantile_points[q] * 100,
                      count_text(s.quantiles[q]));
  t.line("", text);
}

void add_factor(table& t, const std::string& label, const factor_statistics& s) {
  t.line(label, formatted("min {:.4g}, mean {:.4g}, max {:.4g}, deviation {:.4g} ({} rows)", s.min,
                          s.mean, s.max, s.deviation, count_text(s.rows)));
}

std::string order_text(const matrix_analysis& a) {
  return formatted("columns {}, {}", a.sorted ? "sorted" : "not sorted",
                   a.unique ? "no duplicates" : "with duplicates");
}

/// A saturated number is printed as "at least".
std::string size_text(index_t bytes) {
  const bool stopped = bytes == std::numeric_limits<index_t>::max();
  return (stopped ? "more than " : "") + bytes_text(bytes);
}

}  // namespace

std::string describe(const matrix_analysis& a) {
  table t;
  t.line("shape", shape_text(a.shape));
  t.line("nonzeros", formatted("{} ({}, {} indices, {} offsets)", count_text(a.nnz), name(a.values),
                               name(a.index.indices), name(a.index.offsets)));
  t.line("order", order_text(a));
  add_counts(t, "nonzeros per row", a.rows);
  add_counts(t, "nonzeros per column", a.columns);
  t.line("bandwidth", count_text(a.bandwidth));
  t.line("profile", formatted("{:.6g}", a.profile));
  t.line("symmetry", a.shape.rows == a.shape.cols
                         ? share_text(a.pattern_symmetry) + " of the pattern"
                         : "not square");
  t.line("diagonal", formatted("{} of {} elements stored", count_text(a.diagonal),
                               count_text(std::min(a.shape.rows, a.shape.cols))));
  t.line("explicit zeros", count_text(a.explicit_zeros));
  std::string label = "bytes as";
  for (const auto& f : a.bytes) {
    t.line(label, formatted("{:<5}  {:>10}  {:>8.4g} x CSR", name(f.format), size_text(f.bytes),
                            f.overhead));
    label.clear();
  }
  return t.text();
}

std::string describe(const product_estimate& e) {
  table t;
  t.line("result", shape_text(e.shape));
  t.line("flop", formatted("{} multiplications ({:.4g} per nonzero of A)", count_text(e.flop),
                           e.expansion));
  if (e.exact)
    t.line("nonzeros", count_text(e.nnz) + " (counted)");
  else
    t.line("nonzeros",
           formatted("about {}, at 95 % {} to {} ({} rows and {} multiplications counted)",
                     count_text(e.nnz), count_text(e.nnz_low), count_text(e.nnz_high),
                     count_text(e.counted_rows), count_text(e.counted_products)));
  t.line("compression", formatted("{:.4g} multiplications per nonzero", e.compression));
  add_counts(t, "flop per row", e.products_per_row);
  add_factor(t, "expansion", e.expansion_per_row);
  add_factor(t, "contraction", e.contraction_per_row);
  t.line("result bytes", size_text(e.result_bytes));
  std::string label = "peak bytes";
  for (const auto& p : e.peak) {
    t.line(label, formatted("{:<5}  {:>10}", p.algorithm, size_text(p.bytes)));
    label.clear();
  }
  return t.text();
}

}  // namespace gossamer
