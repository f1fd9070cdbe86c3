// FEM-like: dense blocks in a band, as several unknowns per mesh node give after a bandwidth-
// reducing numbering. The block pattern is a union of matchings. In a matching of distance d the
// block rows are cut into pieces of 2 d at a random place, and within each piece the first half is
// joined to the second: every block row has exactly one partner, d away. For each distance there
// are two matchings (the second is shifted by d), no two of them share a pair, and a random choice
// of them gives every block row the same number of neighbours in a symmetric pattern.
#include "base/refused_memory.hpp"
#include "generate/rows.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

struct matching {
  index_t distance, shift;
  index_t partner(index_t block) const {
    return (block + shift) % (2 * distance) < distance ? block + distance : block - distance;
  }
};

class block_pattern {
 public:
  block_pattern(index_t blocks, index_t neighbours, index_t band, std::uint64_t seed)
      : blocks_(blocks) {
    const random_stream draws(seed, purpose::pattern);
    std::vector<index_t> chosen(static_cast<std::size_t>(neighbours - 1));
    sampling_scratch scratch;
    sample_sorted(draws, 2 * (band / 2), std::span<index_t>(chosen), scratch);
    for (const index_t choice : chosen) {
      const index_t distance = choice / 2 + 1;
      const index_t cut = draws.of(static_cast<std::uint64_t>(distance)).below(0, 2 * distance);
      matchings_.push_back({distance, cut + (choice % 2) * distance});
    }
  }

  /// Block columns of a block row, ascending; partners beyond the matrix do not exist.
  void row(index_t block, sampling_scratch& columns) const {
    columns.assign(1, static_cast<std::uint64_t>(block));
    for (const auto& m : matchings_) {
      const index_t other = m.partner(block);
      if (other >= 0 && other < blocks_) columns.push_back(static_cast<std::uint64_t>(other));
    }
    std::sort(columns.begin(), columns.end());
  }

 private:
  index_t blocks_;
  std::vector<matching> matchings_;
};

void require_possible(index_t rows, index_t block, index_t neighbours, index_t band) {
  require_at_least(0, "banded_blocks", "rows", rows);
  require_at_least(1, "banded_blocks", "block", block);
  require_at_least(1, "banded_blocks", "neighbours", neighbours);
  require_at_least(0, "banded_blocks", "band", band);
  if (neighbours - 1 > 2 * (band / 2))
    throw fail(error_kind::bad_argument,
               "banded_blocks: a band of {} block rows has room for {} neighbours (the diagonal "
               "block included), not {}; widen the band",
               count_text(band), count_text(2 * (band / 2) + 1), count_text(neighbours));
  (void)times(times(rows, neighbours, "banded_blocks: entries"), block, "banded_blocks: entries");
}

/// Nonzeros of a scalar row in each block row: block columns times their width (the last is
/// narrow).
buffer<index_t> lengths_by_block(const context& where, index_t rows, index_t block,
                                 const block_pattern& pattern) {
  const index_t blocks = (rows + block - 1) / block;
  buffer<index_t> lengths(blocks, where.memory());
  parallel_ranges(where.threads(), blocks, 1 << 10, [&](index_t begin, index_t end) {
    sampling_scratch columns;
    for (index_t b = begin; b < end; ++b) {
      pattern.row(b, columns);
      lengths[b] = 0;
      for (const auto c : columns)
        lengths[b] += std::min(block, rows - static_cast<index_t>(c) * block);
    }
  });
  return lengths;
}

}  // namespace

template <real_scalar T>
csr_matrix<T> banded_blocks(const context& where, index_t rows, index_t block, index_t neighbours,
                            index_t band, std::uint64_t seed) try {
  require_host(where, "banded_blocks");
  require_possible(rows, block, neighbours, band);
  block = std::min(block, std::max<index_t>(rows, 1));
  const block_pattern pattern((rows + block - 1) / block, neighbours, band, seed);
  const auto lengths = lengths_by_block(where, rows, block, pattern);
  const auto length = [&](index_t i) { return lengths[i / block]; };
  const random_stream entries(seed, purpose::values);
  return build_rows<T>(where, {rows, rows}, total_length(where, rows, length), length,
                       [&](index_t i, auto columns, std::span<T> values, sampling_scratch& blocks) {
                         using index = typename decltype(columns)::value_type;
                         pattern.row(i / block, blocks);
                         std::size_t next = 0;
                         for (const auto b : blocks) {
                           const index_t begin = static_cast<index_t>(b) * block;
                           for (index_t j = begin; j < std::min(begin + block, rows); ++j) {
                             // One stream per row of the lower triangle: a_ij and a_ji are the same
                             // draw.
                             const auto low = static_cast<std::uint64_t>(std::min(i, j));
                             const auto high = static_cast<std::uint64_t>(std::max(i, j));
                             columns[next] = static_cast<index>(j);
                             values[next++] = entries.of(high).template positive<T>(low);
                           }
                         }
                       });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> banded_blocks(const context&, index_t, index_t, index_t, index_t,
                                         std::uint64_t);
template csr_matrix<double> banded_blocks(const context&, index_t, index_t, index_t, index_t,
                                          std::uint64_t);

}  // namespace gossamer::generate
