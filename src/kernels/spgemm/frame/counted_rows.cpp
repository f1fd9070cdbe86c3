#include "kernels/spgemm/frame/counted_rows.hpp"

#include <mutex>

#include "analysis/format_sizes.hpp"
#include "analysis/saturate.hpp"
#include "base/text.hpp"
#include "formats/row_order.hpp"
#include "kernels/count_result.hpp"
#include "kernels/spgemm/accumulators/column_set.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"

namespace gossamer {

namespace {

using analysis::amount;

/// Bytes of the indexes of CSC operands and the offsets of C, which every kernel needs.
index_t table_bytes(const problem& p) {
  const auto index_bytes = [](const operand_facts& o) {
    const amount places = amount{o.shape.rows} + amount{2} * amount{o.nnz} + amount{1};
    return o.format == format::csc ? places * amount{8} : amount{0};
  };
  return (index_bytes(p.a) + index_bytes(p.b) + (amount{p.result.rows} + amount{1}) * amount{8})
      .value;
}

template <class Rows>
bool columns_ascend(const Rows& rows, index_t count, int threads) {
  const auto positions_of = [&](index_t row) { return range{rows.begin(row), rows.end(row)}; };
  return rows_ascend(threads, count, positions_of, [&](index_t p) { return rows.column(p); });
}

/// Counts nonzeros per row into `offsets`, with column sets as large as the free memory allows, if
/// that helps.
template <class RowsA, class RowsB>
void count_entries(const RowsA& a, const RowsB& b, problem& p, index_t free_bytes,
                   const context& where, buffer<index_t>& offsets) {
  const index_t rows = p.result.rows, least = column_set::least_bytes(p.result.cols);
  const auto team = static_cast<int>(std::clamp<index_t>(
      free_bytes / least, 1, team_for_products(p.spgemm.flop, where.threads())));
  const index_t each =
      std::clamp(free_bytes / team / 8 * 8, least, column_set::most_bytes(p.result.cols));
  const index_t entries = rows > 0 ? a.end(rows - 1) : 0;
  std::mutex guard;
  over_pieces(rows, team, [&](auto&& each_piece) {
    column_set set(p.result.cols, each, where.memory());
    counted_sizes most;
    each_piece([&](index_t first, index_t last) {
      for (index_t row = first; row < last; ++row) {
        const index_t found = set.count(a, b, row, entries);
        offsets[row] = found;
        most.longest_row = std::max(most.longest_row, found);
        most.longest_a_row = std::max(most.longest_a_row, a.end(row) - a.begin(row));
        most.most_products = std::max(most.most_products, detail::products_of(a, b, row));
      }
    });
    const std::lock_guard lock(guard);
    auto& all = *p.spgemm.counted;
    all.longest_row = std::max(all.longest_row, most.longest_row);
    all.longest_a_row = std::max(all.longest_a_row, most.longest_a_row);
    all.most_products = std::max(all.most_products, most.most_products);
  });
}

}  // namespace

bool can_count_result(const problem& p) {
  return takes_compressed(p) && p.a.where == memory::host && p.ordinary();
}

void require_memory_to_count(const problem& p) {
  const amount least{column_set::least_bytes(p.result.cols)};
  const amount needed = amount{table_bytes(p)} + least;
  if (needed.value <= p.options.memory_limit) return;
  throw fail(error_kind::memory_limit,
             "the tables for the product of {} and {} take {} before C is even counted, more than "
             "the limit of {}; the smallest limit that would do is {} bytes and the bytes of C",
             describe(p.a, "A"), describe(p.b, "B"), bytes_text(needed.value),
             bytes_text(p.options.memory_limit), needed.value);
}

std::shared_ptr<const counted_rows> count_result(problem& p, const operands& o,
                                                 const context& where) {
  auto rows = std::make_shared<counted_rows>();
  const index_t tables = table_bytes(p), free = p.options.memory_limit - tables;
  rows->a = index_rows(o.a, where, free);
  rows->b = index_rows(o.b, where, free);
  rows->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  p.spgemm.counted.emplace();
  with_row_pair(erased_rows<double>(structure_of(o.a), rows->a.get()),
                erased_rows<double>(structure_of(o.b), rows->b.get()),
                [&](const auto& a, const auto& b) {
                  p.spgemm.counted->a_ascends = columns_ascend(a, p.a.shape.rows, where.threads());
                  p.spgemm.counted->b_ascends = columns_ascend(b, p.b.shape.rows, where.threads());
                  count_entries(a, b, p, free, where, rows->offsets);
                });
  prefix_sums(where.threads(), rows->offsets.span());
  auto& sizes = *p.spgemm.counted;
  sizes.nnz = rows->offsets[p.result.rows];
  if (p.options.algorithm == paper_rule)
    p.spgemm.compression =
        sizes.nnz > 0 ? static_cast<double>(p.spgemm.flop) / static_cast<double>(sizes.nnz) : 0;
  sizes.result_bytes = analysis::csr_bytes(p.result, sizes.nnz, p.a.values);
  const amount result{sizes.result_bytes};
  sizes.held = (result + amount{tables}).value;
  // A filtered result is a second matrix, with offsets of its own.
  sizes.least = p.kept().keeps_all()
                    ? sizes.held
                    : (result + result + amount{rows->offsets.size() * index_t{8}}).value;
  return rows;
}

index_t bytes_of_team(const problem& p, int team, index_t each) {
  const index_t held = p.spgemm.counted ? p.spgemm.counted->held
                                        : 2 * (p.result.rows + 1) * index_t{sizeof(index_t)};
  return (amount{held} + amount{team} * amount{each}).value;
}

team_size team_within(const problem& p, index_t each) {
  const int team = team_for_products(p.spgemm.flop, p.threads);
  if (!p.spgemm.counted) return {team, bytes_of_team(p, team, each)};
  const index_t free_bytes = p.options.memory_limit - p.spgemm.counted->held;
  const auto threads =
      each > 0 ? static_cast<int>(std::clamp<index_t>(free_bytes / each, 1, team)) : team;
  return {threads, bytes_of_team(p, threads, each)};
}

}  // namespace gossamer
