// docs/guide/analysis.md lists these formulas; change both together.
#include "analysis/peaks.hpp"

#include <algorithm>
#include <bit>

#include "analysis/format_sizes.hpp"
#include "analysis/saturate.hpp"

namespace gossamer::analysis {

namespace {

amount result(const product_sizes& s) { return {csr_bytes(s.shape, s.nnz, s.values)}; }

/// Counts per row kept between the symbolic and the numeric phase: 8 bytes each.
amount row_counts(const product_sizes& s) { return (amount{s.shape.rows} + amount{1}) * amount{8}; }

amount two_row_counts(const product_sizes& s) { return amount{2} * row_counts(s); }

index_t index_bytes(const product_sizes& s) { return bytes(narrowest(s.shape, 0).indices); }

/// The longest row C can have.
index_t longest_result(const product_sizes& s) { return std::min(s.most_products, s.shape.cols); }

/// The next power of two, or the largest number when there is none.
amount power_of_two(amount x) {
  if (x.value > amount::most / 2) return {amount::most};
  return {static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(x.value)))};
}

}  // namespace

// C, once more as blocks of finished rows, row counts, and per thread a dense accumulator with a
// bitmap.
index_t adaptive_bytes(const product_sizes& s) {
  const amount row = amount{s.shape.cols} * amount{bytes(s.values)} + amount{s.shape.cols / 7};
  return (amount{2} * result(s) + row_counts(s) + amount{s.threads} * row).value;
}

// C, multiplications and nonzeros of each row, and per thread one open-addressing table at most
// half full in the longest row: a column, a value, and a list of columns and their slots.
index_t hash_bytes(const product_sizes& s) {
  const amount table = power_of_two(amount{2} * amount{longest_result(s)}) *
                       amount{3 * index_bytes(s) + bytes(s.values)};
  return (result(s) + two_row_counts(s) + amount{s.threads} * table).value;
}

// C, multiplications and nonzeros of each row, and per thread one heap with a node for each nonzero
// of the longest row of A: a column, the index of the nonzero, and the position and end of its row
// of B (32 bytes).
index_t heap_bytes(const product_sizes& s) {
  return (result(s) + two_row_counts(s) + amount{s.threads} * amount{s.longest_row} * amount{32})
      .value;
}

// C, multiplications and nonzeros of each row, and per thread a dense accumulator: a value for
// every column of C, the row that used it last, and a list of columns.
index_t spa_bytes(const product_sizes& s) {
  const amount row = amount{s.shape.cols} * amount{bytes(s.values) + 8 + index_bytes(s)};
  return (result(s) + two_row_counts(s) + amount{s.threads} * row).value;
}

// C, multiplications and nonzeros of each row, and a tuple of an 8-byte key and a value per
// multiplication, sorted and compressed in place; per thread a local bin of 512 bytes for each
// global bin of about 1 MiB.
index_t pb_bytes(const product_sizes& s) {
  const amount tuples = amount{s.flop} * amount{8 + bytes(s.values)};
  const amount bins{tuples.value / (1 << 20) + 1};
  return (result(s) + two_row_counts(s) + tuples + amount{s.threads} * bins * amount{512}).value;
}

// On a device: C, once more as the nonzeros of slices where there are several, multiplications
// before each row and nonzero of A, nonzeros before each row of C, and of the largest slice three
// columns, three numbers of 4 bytes and a value for each multiplication.
index_t esc_bytes(const product_sizes& s) {
  constexpr index_t usual_slice = index_t{1} << 24;
  const index_t slice = std::min(s.flop, std::max(usual_slice, s.most_products));
  const amount copies{s.flop > slice ? 2 : 1};
  const amount each{3 * index_bytes(s) + 12 + bytes(s.values)};
  return (copies * result(s) + two_row_counts(s) + amount{8} * amount{s.left_nnz} +
          amount{slice} * each)
      .value;
}

std::vector<algorithm_bytes> peak_bytes(const product_sizes& s) {
  return {{"adaptive", adaptive_bytes(s)}, {"hash", hash_bytes(s)}, {"heap", heap_bytes(s)},
          {"spa", spa_bytes(s)},           {"pb", pb_bytes(s)},     {"esc", esc_bytes(s)}};
}

}  // namespace gossamer::analysis
