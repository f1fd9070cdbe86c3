// Segments of a product by bins: every entry has one place to be read from and one to be written
// to, and widths follow the size of the matrix.
#include "kernels/spmv/bins/bin_layout.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gossamer {
namespace {

TEST(bin_layout, entries_keep_their_row_column_and_value) {
  constexpr index_t rows = 700, cols = 900;
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  std::mt19937 random(2);
  for (index_t i = 0; i < rows; ++i) {
    for (auto k = random() % 9; k > 0; --k) {
      columns.push_back(static_cast<std::int32_t>(random() % cols));
      values.push_back(static_cast<double>(values.size()));  // a name for the entry
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  const csr_ref<const double, std::int32_t, std::int32_t> a{
      rows, cols, offsets.data(), columns.data(), values.data(), offsets.back()};
  for (const int threads : {1, 3}) {
    const auto result = binned(a, {.band = 6, .block = 5}, threads);
    EXPECT_EQ(result.bands, 11);
    EXPECT_EQ(result.blocks, 29);
    std::vector<int> seen(values.size());
    for (index_t block = 0; block < result.blocks; ++block)
      for (index_t band = 0; band < result.bands; ++band) {
        const index_t read = result.read_at[block * result.bands + band];
        const index_t write = result.write_at[band * result.blocks + block];
        const index_t count = result.read_at[block * result.bands + band + 1] - read;
        ASSERT_EQ(result.write_at[band * result.blocks + block + 1] - write, count);
        for (index_t k = 0; k < count; ++k) {
          const auto entry = static_cast<std::size_t>(result.values[read + k]);
          const index_t row = band * 64 + result.rows[write + k];
          ++seen[entry];
          EXPECT_EQ(columns[entry], block * 32 + result.columns[read + k]);
          EXPECT_GE(static_cast<index_t>(entry), offsets[static_cast<std::size_t>(row)]);
          EXPECT_LT(static_cast<index_t>(entry), offsets[static_cast<std::size_t>(row) + 1]);
        }
      }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), std::ssize(seen));
  }
}

TEST(bin_layout, segments_are_not_cut_too_fine) {
  EXPECT_EQ(bits_for({1 << 20, 1 << 20}, 1 << 23).block, 14);
  EXPECT_EQ(bits_for({1 << 20, 1 << 20}, 1 << 23).band, 15);
  EXPECT_EQ(bits_for({1 << 20, 1 << 20}, 1 << 10).block, 16);
  EXPECT_EQ(bits_for({1 << 20, 1 << 20}, 1 << 10).band, 16);
  EXPECT_EQ(pieces(0, 14), 0);
  EXPECT_EQ(pieces(1 << 14, 14), 1);
  EXPECT_EQ(pieces((1 << 14) + 1, 14), 2);
}

}  // namespace
}  // namespace gossamer
