// A product by spgemm/csr/adaptive that keeps no plan: rows are written to blocks in one pass, or,
// where they repeat, counted first and summed straight into C.
#include "kernels/spgemm/adaptive/multiply_once.hpp"

#include <mutex>

#include "kernels/spgemm/adaptive/adaptive_choices.hpp"
#include "kernels/spgemm/adaptive/adaptive_plan.hpp"
#include "kernels/spgemm/adaptive/shared_row.hpp"

namespace gossamer::adaptive {

namespace {

/// Filters the row that was written last; returns the nonzeros that are left.
template <class I, class T>
index_t filter_last(row_filter<T>& filter, index_t entries, row_writer<I, T>& out) {
  const auto [columns, values] = out.last(entries);
  const index_t kept = filter(columns, values, entries);
  out.give_back(entries - kept);
  return kept;
}

/// Repeated rows are counted first, which is cheap for them, and summed straight into C.
template <class T, class RowsA, class RowsB>
std::optional<csr_result> multiply_repeated(const problem& p, const operands& o, const RowsA& a,
                                            const RowsB& b, const context& where) {
  if (!p.kept().keeps_all()) return {};
  adaptive_structure s;
  s.longest_sorted = longest_sorted(p, sample_spread(b, p.b.shape.rows));
  s.offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s.offsets[p.result.rows] = 0;
  const int team = std::max(dense_team(p), 1);
  const auto of = product_of<T>(a, b, s.clusters, p.result, p.b.shape.rows, s.longest_sorted);
  s.patterns = patterns_of(of, p, s.offsets.data(), team, where);
  if (!s.patterns || !count_rows(of, s, longest_alone(p, team), team, where)) return {};
  const index_t nnz = s.offsets[p.result.rows];
  csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
  fill<T>(s, a, b, p.b.shape.rows, c.mutable_view(), alpha_of<T>(o.a) * alpha_of<T>(o.b), where);
  return c;
}

template <class T, class RowsA, class RowsB>
csr_result multiply_rows(const problem& p, const operands& o, const RowsA& a, const RowsB& b,
                         const context& where) {
  using I = typename RowsB::column_type;
  if (auto c = multiply_repeated<T>(p, o, a, b, where)) return std::move(*c);
  buffer<index_t> offsets(p.result.rows + 1, where.memory());
  offsets[p.result.rows] = 0;
  const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
  const row_spread spread = sample_spread(b, p.b.shape.rows);
  const auto clusters = find_clusters<T>(b, p, spread, where);
  const auto of =
      product_of<T>(a, b, clusters, p.result, p.b.shape.rows, longest_sorted(p, spread));
  const int team = std::max(dense_team(p), 1);
  const index_t longest = longest_alone(p, team);
  const bool filtered = !p.kept().keeps_all();
  std::vector<row_writer<I, T>> writers;
  std::vector<index_t> long_rows;
  std::mutex guard;
  over_pieces(p.result.rows, team, [&](auto&& each) {
    row_maker maker(of, where.memory());
    row_writer<I, T> out(where.memory());
    row_filter<T> filter(p.kept());
    each([&](index_t begin, index_t end) {
      out.begin_segment();
      for (index_t row = begin; row < end; ++row) {
        offsets[row] = maker.write(row, longest, alpha, out);
        if (filtered) offsets[row] = filter_last(filter, offsets[row], out);
        if (offsets[row] >= 0) continue;
        out.begin_segment();
        const std::lock_guard lock(guard);
        long_rows.push_back(row);
      }
    });
    const std::lock_guard lock(guard);
    writers.push_back(std::move(out));
  });
  if (!long_rows.empty()) {
    shared_row together(of, team, where.memory());
    for (const index_t row : long_rows) offsets[row] = together.write(row, alpha, writers);
  }
  prefix_sums(where.threads(), offsets.span());
  return collect_rows(p.result, offsets, writers, where);
}

/// Whether every row of B has exactly one nonzero.
bool has_single_rows(const problem& p, const index_view& offsets) {
  if (p.b.nnz != p.b.shape.rows || p.spgemm.flop != p.a.nnz) return false;
  for (index_t row = 0; row < p.b.shape.rows; ++row)
    if (offsets[row] != row) return false;
  return true;
}

}  // namespace

csr_result multiply_once(const problem& p, const operands& o, const context& where) {
  const auto a_index = index_rows(o.a, where), b_index = index_rows(o.b, where);
  std::optional<csr_result> c;
  detail::with_row_operands(
      o, a_index.get(), b_index.get(), [&]<class T>(const auto& a, const auto& b) {
        // For the common types only: each pair is a separate instantiation.
        if constexpr (std::is_same_v<decltype(a), decltype(b)>)
          if (has_single_rows(p, b.offsets)) {
            c = multiply_rows<T>(p, o, a, single_rows<T, std::int32_t>{b.columns, b.values}, where);
            return;
          }
        c = multiply_rows<T>(p, o, a, b, where);
      });
  return std::move(*c);
}

}  // namespace gossamer::adaptive
