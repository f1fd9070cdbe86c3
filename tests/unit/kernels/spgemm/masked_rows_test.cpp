// The parts of masked products: gates, filters, Gustavson's accumulator.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convert/row_filter.hpp"
#include "kernels/spgemm/accumulators/mask_gate.hpp"
#include "kernels/spgemm/accumulators/spa.hpp"
#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {
namespace {

TEST(MaskGate, OpensAndClosesRowByRow) {
  // Row 0: columns 70, 3, 70; row 1: none; row 2: column 64.
  const std::int32_t offsets[] = {0, 3, 3, 4}, columns[] = {70, 3, 70, 64};
  pattern mask{.shape = {3, 130}, .offsets = {offsets, 4}, .columns = {columns, 4}};
  for (const bool complemented : {false, true}) {
    mask.complemented = complemented;
    mask_gate gate(mask, host_memory());
    const std::vector<std::vector<index_t>> wanted{{3, 70}, {}, {64}};
    for (int round = 0; round < 2; ++round)
      for (index_t row = 0; row < 3; ++row) {
        gate.open(row);
        for (index_t column = 0; column < 130; ++column) {
          const auto& in = wanted[static_cast<std::size_t>(row)];
          const bool there = std::find(in.begin(), in.end(), column) != in.end();
          EXPECT_EQ(gate.admits(column), there != complemented) << row << ", " << column;
        }
        gate.close(row);
      }
  }
}

template <class T>
std::vector<index_t> kept(const entry_filter& by, std::vector<T> values) {
  std::vector<index_t> columns(values.size());
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<index_t>(10 * k);
  row_filter<T> filter(by);
  const index_t count = filter(columns.data(), values.data(), static_cast<index_t>(values.size()));
  columns.resize(static_cast<std::size_t>(count));
  return columns;
}

TEST(RowFilter, TiesZerosAndNaN) {
  using list = std::vector<index_t>;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(kept<float>({{.largest = 2}}, {1, -1, 1, 1}), (list{0, 10}));
  EXPECT_EQ(kept<float>({{.largest = 2}}, {1, -1, 2, 1}), (list{0, 20}));
  EXPECT_EQ(kept<float>({{.largest = 3}}, {nan, 1, nan, 2, 5}), (list{0, 20, 40}));
  EXPECT_EQ(kept<float>({{.largest = 1}}, {nan, nan}), (list{0}));
  EXPECT_EQ(kept<float>({{.magnitude = 1}}, {nan, 0.5f, -1, 2}), (list{0, 20, 30}));
  EXPECT_EQ(kept<float>({{}, true}, {0, -0.0f, 3, nan}), (list{20, 30}));
  EXPECT_EQ(kept<float>({}, {0, 1}), (list{0, 10}));
  EXPECT_EQ(kept<float>({{.largest = 1}}, {}), list{});
  // A float is compared as it is: 0.1f is a little more than 0.1.
  EXPECT_EQ(kept<float>({{.magnitude = 0.1}}, {0.1f}), (list{0}));
  EXPECT_EQ(kept<double>({{.magnitude = 0.1}}, {std::nextafter(0.1, 0)}), list{});
}

TEST(SpaRow, CountsAddsAndStartsAnew) {
  const std::int32_t offsets[] = {0, 3, 5}, columns[] = {7, 2, 7, 9, 2};
  const double values[] = {1, 2, 3, 4, 5};
  const direct_rows<double, std::int32_t> b{{offsets, 3}, columns, values};
  spa<std::int32_t, double> sums(10, host_memory());
  for (int round = 0; round < 3; ++round) {
    sums.mark(b, 0);
    sums.mark(b, 1);
    EXPECT_EQ(sums.count(), 3);
    sums.add(b, 1, 10.0);
    sums.add(b, 0, 1.0);
    std::int32_t found[3];
    double total[3];
    ASSERT_EQ(sums.take(found, total, 2.0), 3);
    EXPECT_EQ(std::vector<std::int32_t>(found, found + 3), (std::vector<std::int32_t>{2, 7, 9}));
    EXPECT_EQ(std::vector<double>(total, total + 3), (std::vector<double>{104, 8, 80}));
  }
}

TEST(mask_gate, columns_that_share_a_bit_are_told_apart) {
  constexpr index_t far = index_t{1} << 40, alike = index_t{1} << 26;  // columns apart, same bit
  const std::vector<std::int64_t> offsets{0, 3, 3}, columns{5 + alike, 5, 900};
  pattern mask{.shape = {2, far}, .offsets = {offsets.data(), 3}, .columns = {columns.data(), 3}};
  for (const bool complemented : {false, true}) {
    mask.complemented = complemented;
    mask_gate gate(mask, host_memory());
    gate.open(0);
    for (const index_t column : {index_t{5}, 5 + alike, index_t{900}})
      EXPECT_EQ(gate.admits(column), !complemented) << column;
    for (const index_t column : {5 + 2 * alike, 900 + alike, index_t{6}, far - 1})
      EXPECT_EQ(gate.admits(column), complemented) << column;
    gate.close(0);
    gate.open(1);
    EXPECT_EQ(gate.admits(5), complemented);
    EXPECT_EQ(gate.admits(5 + alike), complemented);
  }
  EXPECT_LE(mask_gate::bytes_for(far), 8 << 20);
}

}  // namespace
}  // namespace gossamer
