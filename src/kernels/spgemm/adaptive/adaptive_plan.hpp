// The tables of a plan of spgemm/csr/adaptive, and how C is counted and filled with them.
#pragma once

#include <limits>

#include "kernels/spgemm/adaptive/repeated_rows.hpp"

namespace gossamer {

/// Tables of a plan.
struct adaptive_structure {
  std::shared_ptr<const row_index> a, b;
  contiguous_columns clusters;                   // contiguous columns of B
  index_t longest_sorted = 0;                    // in multiplications
  buffer<index_t> offsets;                       // rows + 1
  index_buffer columns;                          // columns of C, or empty
  std::shared_ptr<const row_patterns> patterns;  // patterns of repeated rows, or null
  /// Under a memory limit: the counted structure, and the number of threads that fit.
  std::shared_ptr<const counted_rows> counted;
  int team = 0;
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} +
           columns.size() * gossamer::bytes(columns.width()) + (a ? a->bytes() : 0) +
           (b ? b->bytes() : 0) + clusters.bytes() + (patterns ? patterns->bytes() : 0);
  }
};

template <class T, class RowsA, class RowsB>
row_product<T, RowsA, RowsB> product_of(const RowsA& a, const RowsB& b,
                                        const contiguous_columns& clusters, extents result,
                                        index_t b_rows, index_t longest_sorted) {
  return {a, b, clusters, result, b_rows, longest_sorted};
}

/// Calls f(row, maker) for every row.
template <class Product, class F>
void over_rows(const Product& of, int team, const context& where, F&& f) {
  over_pieces(of.result.rows, team, [&](auto&& each) {
    row_maker maker(of, where.memory());
    each([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) f(row, maker);
    });
  });
}

/// Counts the nonzeros of rows without a pattern, then computes all offsets. Returns false, without
/// offsets, when one of these rows has more than `longest` multiplications.
template <class Product>
bool count_rows(const Product& of, adaptive_structure& s, index_t longest, int team,
                const context& where) {
  const bool limited = longest < std::numeric_limits<index_t>::max();
  std::atomic<bool> good{true};
  over_rows(of, team, where, [&](index_t row, auto& maker) {
    if (s.patterns && s.patterns->of_row[row] != row_patterns::none) return;
    if (limited && of.products(row) > longest) good = false;
    s.offsets[row] = maker.count(row);
  });
  if (good) prefix_sums(where.threads(), s.offsets.span());
  return good;
}

template <class J, class Product, class T>
void fill_rows(const adaptive_structure& s, const Product& of, const csr_view<T>& c, T alpha,
               const context& where) {
  auto* columns = static_cast<J*>(c.columns.data());
  const bool known = !s.counted && s.columns.size() == c.nnz() && s.columns.width() == width_of<J>;
  const index_t* const offsets = (s.counted ? s.counted->offsets : s.offsets).data();
  const int team = s.counted ? s.team : team_for_products(c.nnz(), where.threads());
  const auto* list = known ? static_cast<const J*>(s.columns.view().data()) : nullptr;
  over_pieces(c.shape.rows, team, [&](auto&& each) {
    row_maker maker(of, where.memory());
    pattern_maker<T, J> repeated;
    const auto fill = [&](index_t row) {
      const index_t at = offsets[row], entries = offsets[row + 1] - at;
      if (s.patterns && s.patterns->of_row[row] != row_patterns::none)
        return repeated.fill(s.patterns->table[s.patterns->of_row[row]], of.a, of.b, row, alpha,
                             columns + at, c.values + at);
      if (!known) return maker.fill(row, entries, alpha, columns + at, c.values + at);
      std::copy_n(list + at, entries, columns + at);
      maker.fill_known(row, entries, alpha, list + at, c.values + at);
    };
    each([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) fill(row);
    });
  });
}

/// Fills C, which was allocated with exactly its nonzeros.
template <class T, class RowsA, class RowsB>
void fill(const adaptive_structure& s, const RowsA& a, const RowsB& b, index_t b_rows,
          const csr_view<T>& c, T alpha, const context& where) {
  const auto of = product_of<T>(a, b, s.clusters, c.shape, b_rows, s.longest_sorted);
  write_offsets(c, (s.counted ? s.counted->offsets : s.offsets).data(),
                team_for_products(c.nnz(), where.threads()));
  if (c.columns.width() == index_width::i32)
    fill_rows<std::int32_t>(s, of, c, alpha, where);
  else
    fill_rows<std::int64_t>(s, of, c, alpha, where);
}

}  // namespace gossamer
