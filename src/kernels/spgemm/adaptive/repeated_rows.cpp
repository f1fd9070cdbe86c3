// Each row of B is known by its head: its first column, and which shape it has, where rows have the
// same shape if they differ by a shift only. A row of C then has the pattern of another if the
// heads of its rows of B do, less the first of these columns. All of this is compared, not guessed.
#include "kernels/spgemm/adaptive/repeated_rows.hpp"

#include <unordered_set>

namespace gossamer {

namespace {

/// The columns of a row after its first one, relative to it.
struct row_shape {
  std::vector<std::uint64_t> numbers;
  int id = 0;
};

/// Heads of the rows of B. A head is the first column with the id of the shape in the upper bits;
/// differences of heads are unique since columns are below 2^47.
struct row_heads {
  static constexpr int shift = 48;
  static constexpr std::uint64_t none = ~std::uint64_t{0};  // empty, unsorted or with duplicates
  buffer<std::uint64_t> heads;                              // empty where all rows have one nonzero
  intern_table<row_shape> shapes;
  static std::uint64_t column(std::uint64_t head) {
    return head & ((std::uint64_t{1} << shift) - 1);
  }
};

/// Whether rows of C seem to repeat, from a sample of at most 256: runs of 16 rows, hashed by their
/// columns relative to the first.
template <class RowsA, class RowsB>
bool seems_repeated(const RowsA& a, const RowsB& b, index_t rows) {
  constexpr index_t stretches = 16, length = 16;  // not measured
  std::unordered_set<std::uint64_t> seen;
  index_t looked_at = 0;
  for (index_t s = 0; s < stretches; ++s) {
    const index_t first = (rows - length) * (2 * s + 1) / (2 * stretches);
    for (index_t row = first; row < first + length; ++row, ++looked_at) {
      std::uint64_t mixed = 0, base = 0;
      for (index_t k = a.begin(row); k < a.end(row); ++k) {
        const index_t from = a.column(k), begin = b.begin(from), end = b.end(from);
        if (k == a.begin(row) && begin < end) base = static_cast<std::uint64_t>(b.column(begin));
        mixed = mixed * 31 + static_cast<std::uint64_t>(end - begin);
        for (index_t q = begin; q < end; ++q)
          mixed = (mixed ^ (static_cast<std::uint64_t>(b.column(q)) - base)) * 0x9E3779B97F4A7C15U;
      }
      seen.insert(mixed);
    }
    if (s == 3 && 4 * static_cast<index_t>(seen.size()) > 3 * looked_at) return false;
  }
  return 4 * static_cast<index_t>(seen.size()) <= looked_at;
}

/// Computes the heads of all rows of B.
template <class Rows>
std::unique_ptr<row_heads> find_heads(const Rows& b, index_t rows, int team, const context& where) {
  auto result = std::make_unique<row_heads>();
  result->heads = buffer<std::uint64_t>(rows, where.memory());
  parallel_ranges(team, rows, 4096, [&](index_t first, index_t last) {
    sequence_reader reader(result->shapes);
    for (index_t row = first; row < last; ++row) {
      const index_t begin = b.begin(row), behind = b.end(row) - begin - 1;
      result->heads[row] = row_heads::none;
      if (behind < 0) continue;
      const auto column = static_cast<std::uint64_t>(b.column(begin));
      const auto offset = [&](index_t k) {
        return static_cast<std::uint64_t>(b.column(begin + 1 + k)) - column;
      };
      const row_shape* shape = reader.read(behind, offset, [&]() -> std::unique_ptr<row_shape> {
        for (index_t k = 0; k < behind; ++k)
          if (b.column(begin + k) >= b.column(begin + k + 1)) return nullptr;
        return std::make_unique<row_shape>();
      });
      if (shape)
        result->heads[row] = static_cast<std::uint64_t>(shape->id) << row_heads::shift | column;
    }
  });
  return result;
}

template <class T, class I>
std::unique_ptr<row_heads> find_heads(const single_rows<T, I>&, index_t, int, const context&) {
  return std::make_unique<row_heads>();
}

template <class Rows>
std::uint64_t head_of(const row_heads& known, const Rows&, index_t row) {
  return known.heads[row];
}
template <class T, class I>
std::uint64_t head_of(const row_heads&, const single_rows<T, I>& b, index_t row) {
  return static_cast<std::uint64_t>(b.columns[row]);
}

/// Finds the patterns of all rows of C; entries[row] is set for rows that have one. New patterns
/// are built while they have at most `most_products` multiplications together: building one costs
/// as much as about ten rows.
template <class RowsA, class RowsB>
std::unique_ptr<row_patterns> compare_rows(const RowsA& a, const RowsB& b, const row_heads& heads,
                                           const problem& p, int lanes, index_t* entries, int team,
                                           const context& where) {
  auto patterns = std::make_unique<row_patterns>();
  patterns->of_row = buffer<std::uint16_t>(p.result.rows, where.memory());
  index_t most_products = p.spgemm.flop / 16;  // changed by one thread at a time
  parallel_ranges(team, p.result.rows, 4096, [&](index_t first, index_t last) {
    sequence_reader reader(patterns->table);
    for (index_t row = first; row < last; ++row) {
      const index_t begin = a.begin(row), count = a.end(row) - begin;
      const std::uint64_t base =
          count > 0 ? row_heads::column(head_of(heads, b, a.column(begin))) : 0;
      const auto number = [&](index_t k) { return head_of(heads, b, a.column(begin + k)) - base; };
      const row_pattern* pattern =
          reader.read(count, number, [&]() -> std::unique_ptr<row_pattern> {
            std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(count));
            for (index_t k = 0; k < count; ++k) {
              const index_t from = a.column(begin + k);
              if (head_of(heads, b, from) == row_heads::none) return nullptr;
              for (index_t q = b.begin(from); q < b.end(from); ++q)
                rows[static_cast<std::size_t>(k)].push_back(b.column(q));
              if ((most_products -= b.end(from) - b.begin(from)) < 0) return nullptr;
            }
            return make_pattern(rows, lanes);
          });
      patterns->of_row[row] =
          pattern ? static_cast<std::uint16_t>(pattern->id) : row_patterns::none;
      if (pattern) entries[row] = pattern->entries();
    }
  });
  return patterns;
}

}  // namespace

template <class RowsA, class RowsB>
std::unique_ptr<row_patterns> find_patterns(const RowsA& a, const RowsB& b, const problem& p,
                                            int lanes, index_t* entries, int team,
                                            const context& where) {
  constexpr index_t least_rows = 256, least_mean = 4, most_mean = 4096;  // multiplications per row
  // Not measured; outside of these the search could cost more than it saves.
  const index_t rows = p.result.rows;
  if (rows < least_rows || p.spgemm.flop < least_mean * rows || p.spgemm.flop > most_mean * rows ||
      p.result.cols >> 47 != 0 || !seems_repeated(a, b, rows))
    return nullptr;
  const auto heads = find_heads(b, p.b.shape.rows, team, where);
  return compare_rows(a, b, *heads, p, lanes, entries, team, where);
}

template std::unique_ptr<row_patterns> find_patterns(const direct_rows<double, std::int32_t>&,
                                                     const direct_rows<double, std::int32_t>&,
                                                     const problem&, int, index_t*, int,
                                                     const context&);
template std::unique_ptr<row_patterns> find_patterns(const direct_rows<double, std::int32_t>&,
                                                     const single_rows<double, std::int32_t>&,
                                                     const problem&, int, index_t*, int,
                                                     const context&);
template std::unique_ptr<row_patterns> find_patterns(const any_rows<double>&,
                                                     const direct_rows<double, std::int32_t>&,
                                                     const problem&, int, index_t*, int,
                                                     const context&);
template std::unique_ptr<row_patterns> find_patterns(const any_rows<double>&,
                                                     const wide_rows<double>&, const problem&, int,
                                                     index_t*, int, const context&);

}  // namespace gossamer
