// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) and Erdos-Renyi: every edge walks down `scale` levels
// of a 2 x 2 partition of the matrix. An edge is one 64-bit key (row, column); keys are dealt into
// ranges of rows, sorted there, and equal keys become one entry. The k-th copy of entry (i, j) has
// a weight drawn from (seed, i, j, k), so nothing but keys is stored and no order matters.
#include <cmath>

#include "base/refused_memory.hpp"
#include "generate/rows.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

constexpr int largest_scale = 31;  // two indices in one 64-bit key

/// Where in the 2 x 2 partition a draw of 32 bits falls: below the first limit a, below the second
/// b (upper right), below the third c (lower left), else d.
class edge_source {
 public:
  edge_source(int scale, std::uint64_t seed, const rmat_parameters& p)
      : edges_(seed, purpose::pattern),
        limit_a_(limit(p.a)),
        limit_ab_(limit(p.a + p.b)),
        limit_abc_(limit(p.a + p.b + p.c)),
        scale_(scale) {}

  /// row << scale | column of edge e.
  std::uint64_t operator()(index_t e) const {
    const auto draws = edges_.of(static_cast<std::uint64_t>(e));
    std::uint64_t row = 0, column = 0;
    for (int level = 0; level < scale_; level += 2) {
      const std::uint64_t pair = draws.bits(static_cast<std::uint64_t>(level));
      descend(pair >> 32, row, column);
      if (level + 1 < scale_) descend(pair & 0xffffffffU, row, column);
    }
    return (row << scale_) | column;
  }

 private:
  static std::uint64_t limit(double share) {
    return static_cast<std::uint64_t>(std::llround(std::ldexp(std::min(share, 1.0), 32)));
  }
  void descend(std::uint64_t draw, std::uint64_t& row, std::uint64_t& column) const {
    const std::uint64_t lower = draw >= limit_ab_;
    const std::uint64_t right = (draw >= limit_a_) - lower + (draw >= limit_abc_);
    row = (row << 1) | lower;
    column = (column << 1) | right;
  }

  random_stream edges_;
  std::uint64_t limit_a_, limit_ab_, limit_abc_;
  int scale_;
};

/// All edges as keys, sorted; the keys of row i are keys[first[i]] .. keys[first[i + 1]].
struct sorted_edges {
  buffer<std::uint64_t> keys;
  buffer<index_t> first;
};

/// Ranges of rows, each of about 2^14 edges, so that a range is sorted in cache.
int range_bits(int scale, index_t edges) {
  const int wanted = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(edges) >> 14));
  return std::min({wanted, scale, 10});
}

/// Deals the keys into row ranges (counted first, then written: two passes over the generator
/// cost less than a second copy of the keys). Returns where each range starts.
std::vector<index_t> deal(const context& where, const edge_source& edge, index_t edges, int shift,
                          std::span<std::uint64_t> keys, index_t ranges) {
  const index_t parts = useful_threads(where, edges);
  std::vector<index_t> next(static_cast<std::size_t>(parts * ranges), 0);
  const auto count_of = [&](index_t part) { return next.data() + part * ranges; };
  parallel_chunks(where.threads(), parts, [&](index_t part) {
    const auto own = part_of(edges, part, parts);
    for (index_t e = own.begin; e < own.end; ++e) ++count_of(part)[edge(e) >> shift];
  });
  std::vector<index_t> start(static_cast<std::size_t>(ranges) + 1, 0);
  index_t sum = 0;
  for (index_t r = 0; r < ranges; ++r) {
    start[static_cast<std::size_t>(r)] = sum;
    for (index_t part = 0; part < parts; ++part) sum += std::exchange(count_of(part)[r], sum);
  }
  start.back() = sum;
  parallel_chunks(where.threads(), parts, [&](index_t part) {
    const auto own = part_of(edges, part, parts);
    for (index_t e = own.begin; e < own.end; ++e) {
      const std::uint64_t key = edge(e);
      keys[static_cast<std::size_t>(count_of(part)[key >> shift]++)] = key;
    }
  });
  return start;
}

sorted_edges sort_edges(const context& where, int scale, index_t edges, const edge_source& edge) {
  const index_t rows = index_t{1} << scale;
  sorted_edges sorted{buffer<std::uint64_t>(edges, where.memory()),
                      buffer<index_t>(rows + 1, where.memory())};
  const int bits = range_bits(scale, edges);
  const index_t ranges = index_t{1} << bits, rows_per_range = rows >> bits;
  auto* const keys = sorted.keys.data();
  auto* const first = sorted.first.data();
  const auto start = deal(where, edge, edges, 2 * scale - bits, sorted.keys.span(), ranges);
  parallel_chunks(where.threads(), ranges, [&](index_t r) {
    const index_t begin = start[static_cast<std::size_t>(r)];
    const index_t end = start[static_cast<std::size_t>(r) + 1];
    std::sort(keys + begin, keys + end);
    index_t at = begin;
    for (index_t row = r * rows_per_range; row < (r + 1) * rows_per_range; ++row) {
      first[row] = at;
      while (at < end && static_cast<index_t>(keys[at] >> scale) == row) ++at;
    }
  });
  first[rows] = edges;
  return sorted;
}

void require_valid_parameters(int scale, index_t edge_factor, const rmat_parameters& p) {
  if (scale < 0 || scale > largest_scale)
    throw fail(error_kind::bad_argument, "rmat: scale is {}, expected 0 to {} (2^scale rows)",
               scale, largest_scale);
  require_at_least(0, "rmat", "edge factor", edge_factor);
  const double d = 1 - p.a - p.b - p.c;
  if (!(p.a >= 0 && p.b >= 0 && p.c >= 0 && d >= -1e-9))
    throw fail(error_kind::bad_argument,
               "rmat: a = {}, b = {}, c = {} leave d = {}; all four must be 0 or more and add up "
               "to 1",
               p.a, p.b, p.c, d);
}

}  // namespace

template <real_scalar T>
csr_matrix<T> rmat(const context& where, int scale, index_t edge_factor, std::uint64_t seed,
                   rmat_parameters parameters) try {
  require_host(where, "rmat");
  require_valid_parameters(scale, edge_factor, parameters);
  const index_t rows = index_t{1} << scale;
  const index_t edges = times(edge_factor, rows, "rmat: the number of edges");
  const auto sorted = sort_edges(where, scale, edges, edge_source(scale, seed, parameters));
  const auto* const keys = sorted.keys.data();
  const auto* const first = sorted.first.data();
  const auto distinct = [&](index_t i) {
    index_t count = 0;
    for (index_t p = first[i]; p < first[i + 1]; ++p)
      count += p == first[i] || keys[p] != keys[p - 1];
    return count;
  };
  const random_stream weights(seed, purpose::values);
  const std::uint64_t column_mask = (std::uint64_t{1} << scale) - 1;
  return build_rows<T>(where, {rows, rows}, total_length(where, rows, distinct), distinct,
                       [&](index_t i, auto columns, std::span<T> values, sampling_scratch&) {
                         using index = typename decltype(columns)::value_type;
                         std::size_t next = 0;
                         for (index_t p = first[i]; p < first[i + 1];) {
                           const std::uint64_t key = keys[p];
                           const auto copies = weights.of(key);
                           T sum = 0;
                           for (std::uint64_t k = 0; p < first[i + 1] && keys[p] == key; ++k, ++p)
                             sum += copies.template positive<T>(k);
                           columns[next] = static_cast<index>(key & column_mask);
                           values[next++] = sum;
                         }
                       });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template <real_scalar T>
csr_matrix<T> erdos_renyi(const context& where, int scale, index_t edge_factor,
                          std::uint64_t seed) try {
  return rmat<T>(where, scale, edge_factor, seed, {.a = 0.25, .b = 0.25, .c = 0.25});
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> rmat(const context&, int, index_t, std::uint64_t, rmat_parameters);
template csr_matrix<double> rmat(const context&, int, index_t, std::uint64_t, rmat_parameters);
template csr_matrix<float> erdos_renyi(const context&, int, index_t, std::uint64_t);
template csr_matrix<double> erdos_renyi(const context&, int, index_t, std::uint64_t);

}  // namespace gossamer::generate
