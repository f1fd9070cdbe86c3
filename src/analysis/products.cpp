// p_i = sum over a_ik of nnz(B_k). With A by columns the sum is scattered instead of gathered;
// with B by columns the lengths of its rows are counted first.
#include "analysis/products.hpp"

#include <vector>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer::analysis {

namespace {

[[noreturn]] void throw_too_many(const pattern& a, const pattern& b) {
  throw fail(error_kind::overflow,
             "the product of A ({}, {} entries) and B ({}, {} entries) takes more than {} "
             "multiplications, the largest 64-bit number; multiply it in parts",
             shape_text(a.shape), count_text(a.nnz()), shape_text(b.shape), count_text(b.nnz()),
             count_text(std::numeric_limits<index_t>::max()));
}

/// Every sum of row lengths of B over nonzeros of A is at most nnz(A) * nnz(B): when that fits, no
/// addition needs a check. It fits for all matrices whose offsets are 32 bit.
bool cannot_overflow(const pattern& a, const pattern& b) {
  index_t bound = 0;
  return !__builtin_mul_overflow(a.nnz(), b.nnz(), &bound);
}

struct plain_sum {
  index_t value = 0;
  void add(index_t x) { value += x; }
  bool good() const { return true; }
};

struct checked_sum {
  index_t value = 0;
  bool overflowed = false;
  void add(index_t x) { overflowed = __builtin_add_overflow(value, x, &value) || overflowed; }
  bool good() const { return !overflowed; }
};

template <class O>
struct offset_lengths {
  const O* offsets;
  index_t operator()(index_t k) const {
    return static_cast<index_t>(offsets[k + 1]) - static_cast<index_t>(offsets[k]);
  }
};

/// Calls f(length) where length(k) is nnz of row k of B.
template <class F>
decltype(auto) with_row_lengths(const context& where, const pattern& b, F&& f) {
  using gossamer::detail::raw;
  if (b.lines == line_kind::columns) {
    const auto counts = index_counts(where, b);
    return f([&counts](index_t k) { return counts[k]; });
  }
  if (b.offsets.width() == index_width::i32)
    return f(offset_lengths<std::int32_t>{raw<std::int32_t>(b.offsets)});
  return f(offset_lengths<std::int64_t>{raw<std::int64_t>(b.offsets)});
}

template <class Sum, class I, class O, class Length>
bool gather(const context& where, const lines_ref<I, O>& rows, const Length& length,
            buffer<index_t>& products) {
  const line_chunks chunks(rows.count, rows.offsets);
  std::vector<char> good(static_cast<std::size_t>(chunks.count()), 1);
  parallel_chunks(where.threads(), chunks.count(), [&](index_t chunk) {
    const auto [begin, end] = chunks.lines_of(chunk);
    for (index_t i = begin; i < end; ++i) {
      Sum sum;
      for (index_t p = rows.offsets[i]; p < static_cast<index_t>(rows.offsets[i + 1]); ++p)
        sum.add(length(rows.indices[p]));
      products[i] = sum.value;
      if (!sum.good()) good[static_cast<std::size_t>(chunk)] = 0;
    }
  });
  return std::find(good.begin(), good.end(), 0) == good.end();
}

/// Rows of C are shared by all columns of A: each piece of the columns adds into an array of its
/// own, as many as stay small next to A.
template <class I, class O, class Length>
void scatter(const context& where, const lines_ref<I, O>& columns, const Length& length,
             buffer<index_t>& products) {
  const index_t rows = columns.width;
  const index_t pieces =
      std::clamp<index_t>(columns.nnz() / std::max<index_t>(rows, 1), 1, where.threads());
  buffer<index_t> partial(pieces > 1 ? pieces * rows : 0, workspace_of(where));
  parallel_chunks(where.threads(), pieces, [&](index_t piece) {
    index_t* sums = pieces > 1 ? partial.data() + piece * rows : products.data();
    std::fill_n(sums, rows, index_t{0});
    const auto [begin, end] = part_of(columns.count, piece, pieces);
    for (index_t k = begin; k < end; ++k)
      for (index_t p = columns.offsets[k]; p < static_cast<index_t>(columns.offsets[k + 1]); ++p)
        sums[columns.indices[p]] += length(k);
  });
  if (pieces == 1) return;
  parallel_ranges(where.threads(), rows, 1 << 14, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      products[i] = 0;
      for (index_t piece = 0; piece < pieces; ++piece) products[i] += partial[piece * rows + i];
    }
  });
}

/// The same with every addition checked, for extremely large operands.
template <class I, class O, class Length>
bool scatter_checked(const lines_ref<I, O>& columns, const Length& length,
                     buffer<index_t>& products) {
  bool good = true;
  std::fill_n(products.data(), columns.width, index_t{0});
  for (index_t k = 0; k < columns.count; ++k)
    for (index_t p = columns.offsets[k]; p < static_cast<index_t>(columns.offsets[k + 1]); ++p) {
      index_t& sum = products[columns.indices[p]];
      good = !__builtin_add_overflow(sum, length(k), &sum) && good;
    }
  return good;
}

/// Sum over k of nnz(column k of A) * nnz(row k of B).
template <class I, class O, class Length>
bool sum_by_columns(const lines_ref<I, O>& columns, const Length& length, index_t& total) {
  checked_sum sum;
  for (index_t k = 0; k < columns.count; ++k) {
    index_t here = 0;
    if (__builtin_mul_overflow(columns.length(k), length(k), &here)) return false;
    sum.add(here);
  }
  total = sum.value;
  return sum.good();
}

/// Sum over the nonzeros of A, piece by piece.
template <class I, class O, class Length>
bool sum_by_rows(const context& where, const lines_ref<I, O>& rows, const Length& length,
                 index_t& total) {
  const blocks parts{rows.nnz(), std::max<index_t>(1 << 15, rows.nnz() / 256 + 1)};
  std::vector<checked_sum> sums(static_cast<std::size_t>(parts.count()));
  parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
    const auto [begin, end] = parts.of(block);
    checked_sum sum;
    for (index_t p = begin; p < end; ++p) sum.add(length(rows.indices[p]));
    sums[static_cast<std::size_t>(block)] = sum;
  });
  checked_sum all;
  bool good = true;
  for (const auto& sum : sums) {
    all.add(sum.value);
    good = good && sum.good();
  }
  total = all.value;
  return good && all.good();
}

}  // namespace

buffer<index_t> products_per_row(const context& where, const pattern& a, const pattern& b) try {
  buffer<index_t> products(a.shape.rows, workspace_of(where));
  const bool safe = cannot_overflow(a, b);
  const bool good = with_row_lengths(where, b, [&](const auto& length) {
    return typed(a, [&](const auto& lines) {
      if (a.lines == line_kind::rows)
        return safe ? gather<plain_sum>(where, lines, length, products)
                    : gather<checked_sum>(where, lines, length, products);
      if (!safe) return scatter_checked(lines, length, products);
      scatter(where, lines, length, products);
      return true;
    });
  });
  checked_sum all;
  if (!safe)
    for (const index_t p : products.span()) all.add(p);
  if (!good || !all.good()) throw_too_many(a, b);
  return products;
} catch (const std::bad_alloc&) {
  refuse_memory("counts of multiplications");
}

}  // namespace gossamer::analysis

namespace gossamer::detail {

using namespace analysis;

buffer<index_t> products_per_row(const context& where, const operand& a, const operand& b) try {
  const analysis::pattern left = pattern_of(a, "A"), right = pattern_of(b, "B");
  require_product_shapes(left.shape, right.shape);
  return analysis::products_per_row(where, left, right);
} catch (const std::bad_alloc&) {
  refuse_memory("counts of multiplications");
}

index_t count_products(const context& where, const operand& a, const operand& b) try {
  const analysis::pattern left = pattern_of(a, "A"), right = pattern_of(b, "B");
  require_product_shapes(left.shape, right.shape);
  index_t total = 0;
  const bool good = with_row_lengths(where, right, [&](const auto& length) {
    return typed(left, [&](const auto& lines) {
      return left.lines == line_kind::columns ? sum_by_columns(lines, length, total)
                                              : sum_by_rows(where, lines, length, total);
    });
  });
  if (!good) throw_too_many(left, right);
  return total;
} catch (const std::bad_alloc&) {
  refuse_memory("counts of multiplications");
}

}  // namespace gossamer::detail
