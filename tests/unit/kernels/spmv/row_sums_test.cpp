// Row sums: every variant this processor supports for every style, on whole numbers, so that sums
// are exact in any order; bitwise the same however rows are split; and the style chosen for a
// matrix.
#include "kernels/spmv/rows/row_sums.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace gossamer {
namespace {

template <class T, class I, class O>
struct random_matrix {
  index_t cols = 0;
  std::vector<O> offsets{0};
  std::vector<I> columns;
  std::vector<T> values, x;

  csr_ref<const T, I, O> ref() const {
    return {std::ssize(offsets) - 1, cols,          offsets.data(),
            columns.data(),          values.data(), std::ssize(columns)};
  }
};

/// Row i has length(i) nonzeros; the last element of x is used by no row.
template <class T, class I, class O, class F>
random_matrix<T, I, O> matrix_of(index_t rows, index_t cols, F&& length) {
  random_matrix<T, I, O> result{.cols = cols};
  std::mt19937 random(7);
  for (index_t i = 0; i < rows; ++i) {
    const index_t entries = length(i);
    for (index_t k = 0; k < entries; ++k) {
      result.columns.push_back(static_cast<I>(random() % static_cast<unsigned>(cols - 1)));
      result.values.push_back(static_cast<T>(static_cast<int>(random() % 9) - 4));
    }
    result.offsets.push_back(static_cast<O>(result.columns.size()));
  }
  for (index_t j = 0; j < cols; ++j) result.x.push_back(static_cast<T>(random() % 5));
  result.x.back() = std::numeric_limits<T>::infinity();
  return result;
}

index_t mixed(index_t i) { return i % 71 == 70 ? 3000 : i * 7 % 40; }

template <class T, class I, class O>
void check_all_styles() {
  const auto a = matrix_of<T, I, O>(200, 500, mixed);
  for (const auto style : all_row_styles)
    for (const auto sum_rows : usable(row_summers<T, I, O>(style))) {
      std::vector<T> y(200, 3);
      sum_rows(a.ref(), {.alpha = 2, .beta = -1, .x = a.x.data(), .y = y.data()}, {0, 200});
      for (index_t i = 0; i < 200; ++i) {
        T sum = 0;
        for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
          sum += a.values[p] * a.x[a.columns[p]];
        ASSERT_EQ(y[i], 2 * sum - 3) << "row " << i << ", style " << static_cast<int>(style);
      }
    }
}

TEST(row_sums, every_style_by_every_variant) {
  check_all_styles<double, std::int32_t, std::int32_t>();
  check_all_styles<double, std::int32_t, std::int64_t>();
  check_all_styles<double, std::int64_t, std::int64_t>();
  check_all_styles<float, std::int32_t, std::int32_t>();
  check_all_styles<float, std::int32_t, std::int64_t>();
  check_all_styles<float, std::int64_t, std::int64_t>();
}

TEST(row_sums, bits_do_not_depend_on_where_rows_are_cut) {
  auto a = matrix_of<double, std::int32_t, std::int32_t>(300, 500, mixed);
  std::mt19937 random(3);
  for (auto& v : a.values) v = 1.0 / (1 + static_cast<double>(random() % 1000));
  for (const auto style : all_row_styles)
    for (const auto sum_rows : usable(row_summers<double, std::int32_t, std::int32_t>(style))) {
      std::vector<double> whole(300), cut(300);
      sum_rows(a.ref(), {.x = a.x.data(), .y = whole.data()}, {0, 300});
      for (index_t i = 0; i < 300; i += 7)
        sum_rows(a.ref(), {.x = a.x.data(), .y = cut.data()}, {i, std::min<index_t>(i + 7, 300)});
      EXPECT_EQ(std::memcmp(whole.data(), cut.data(), 300 * sizeof(double)), 0)
          << static_cast<int>(style);
    }
}

TEST(row_sums, a_piece_of_a_row) {
  const auto a = matrix_of<double, std::int32_t, std::int32_t>(1, 50, [](index_t) { return 40; });
  double expected = 0;
  for (index_t p = 3; p < 31; ++p) expected += a.values[p] * a.x[a.columns[p]];
  for (const auto style : all_row_styles)
    EXPECT_EQ(piece_sum(fastest_row_summer<double, std::int32_t, std::int32_t>(style), a.ref(),
                        vector_call<double>{.x = a.x.data()}, 3, 31),
              expected);
}

TEST(row_sums, fetching_ahead_changes_no_bit) {
  auto a = matrix_of<double, std::int32_t, std::int32_t>(300, 500, mixed);
  for (auto& v : a.values) v = 1.0 / (7 + v);
  std::vector<double> plain(300), prefetched(300);
  fastest_row_summer<double, std::int32_t, std::int32_t>(row_style::vector)(
      a.ref(), {.x = a.x.data(), .y = plain.data()}, {0, 300});
  fastest_row_summer<double, std::int32_t, std::int32_t>(row_style::vector_prefetch)(
      a.ref(), {.x = a.x.data(), .y = prefetched.data()}, {0, 300});
  EXPECT_EQ(plain, prefetched);
}

/// 0 to n - 1, as by chance.
index_t thrown(index_t i, index_t n) {
  auto bits = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
  return static_cast<index_t>((bits >> 32) % static_cast<std::uint64_t>(n));
}

constexpr index_t remembered_rows = 10'000;

template <class T = double, class F>
row_style style_for(index_t rows, index_t cols, F&& length) {
  const auto matrix = matrix_of<T, std::int32_t, std::int32_t>(rows, cols, length);
  const auto a = matrix.ref();
  const index_view offsets(a.offsets, rows + 1);
  return style_of(a, analysis::sample_lengths(offsets, short_length<T>), remembered_rows);
}

TEST(row_sums, rows_that_are_foreseen) {
  const index_t many = remembered_rows + 1;
  const auto unlike = [](index_t i) { return thrown(i, 39); };
  const auto five = [](index_t) { return 5; };
  const auto nine = [](index_t) { return 9; };
  EXPECT_EQ(style_for(1, 100, nine), row_style::vector);
  EXPECT_EQ(style_for(remembered_rows, 100, unlike), row_style::vector);
  EXPECT_EQ(style_for(many, 100, nine), row_style::vector);
  EXPECT_EQ(style_for(many, 100, [](index_t i) { return thrown(i, 43); }), row_style::vector);
  EXPECT_EQ(style_for(vector_bytes / 64, 100, five), row_style::regular);
  EXPECT_EQ(style_for(vector_bytes / 64 + 1, 100, five), row_style::vector_prefetch);
  EXPECT_EQ(style_for(1000, 100, [](index_t i) { return 5 + (i % 8 == 0); }), row_style::vector);
  const auto in_turn = [](index_t i) { return i * i % 13 % 8; };  // thirteen unlike rows, again
  EXPECT_EQ(style_for(many, 100, in_turn), row_style::vector);
}

TEST(row_sums, rows_that_are_not) {
  const index_t many = remembered_rows + 1;
  const auto unlike = [](index_t i) { return thrown(i, 39); };
  const auto short_lengths = [](index_t i) { return thrown(i, 6); };
  EXPECT_EQ(style_for(many, 100, short_lengths), row_style::products_first);
  EXPECT_EQ(style_for(many, 100, unlike), row_style::scalar);
  EXPECT_EQ(style_for(many, prefetch_x_bytes / 8, unlike), row_style::scalar);
  EXPECT_EQ(style_for(many, prefetch_x_bytes / 8 + 1, unlike), row_style::scalar_prefetch_x);
  EXPECT_EQ(style_for(many, prefetch_x_bytes / 8 + 1, short_lengths), row_style::scalar_prefetch_x);
}

TEST(row_sums, most_rows_short_but_not_the_mean) {
  const index_t many = remembered_rows + 1;
  const auto skewed = [](index_t i) { return thrown(i, 5) == 4 ? 50 : thrown(-i, 8); };
  EXPECT_EQ(style_for(many, products_first_bytes / 8, skewed), row_style::products_first);
  EXPECT_EQ(style_for(many, products_first_bytes / 8 + 1, skewed), row_style::vector);
  const auto twelve = [](index_t i) {
    return 8 + thrown(i, 8);
  };  // one vector of floats, two of doubles
  EXPECT_EQ(style_for<double>(many, 100, twelve), row_style::scalar);
  EXPECT_EQ(style_for<float>(many, 100, twelve), row_style::products_first);
}

}  // namespace
}  // namespace gossamer
