// Matrix Market as it is read: every kind of file, with numbers worked out by hand.
#include <cmath>

#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

const std::string banner = "%%MatrixMarket matrix ";

TEST(matrix_market, general_coordinates_are_sorted_within_rows) {
  const auto a = sparse_text(banner +
                             "coordinate real general\n3 4 5\n3 4 -2e-3\n1 3 7\n1 1 1.5\n"
                             "3 1 1e300\n2 2 .5\n");
  EXPECT_EQ(a.shape(), (extents{3, 4}));
  EXPECT_EQ(entries_of(a),
            (triplets<double>{{0, 0, 1.5}, {0, 2, 7}, {1, 1, .5}, {2, 0, 1e300}, {2, 3, -2e-3}}));
  EXPECT_EQ(a.index_widths(), (widths{index_width::i32, index_width::i32}));
}

TEST(matrix_market, symmetric_entries_are_mirrored_wherever_they_stand) {
  const auto a = sparse_text(banner + "coordinate real symmetric\n3 3 3\n1 1 2\n2 1 -1\n1 3 4\n");
  EXPECT_EQ(entries_of(a),
            (triplets<double>{{0, 0, 2}, {0, 1, -1}, {0, 2, 4}, {1, 0, -1}, {2, 0, 4}}));
}

TEST(matrix_market, skew_symmetric_entries_are_negated) {
  const auto a = sparse_text(banner + "coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 2 -7\n");
  EXPECT_EQ(entries_of(a), (triplets<double>{{0, 1, -5}, {1, 0, 5}, {1, 2, 7}, {2, 1, -7}}));
}

TEST(matrix_market, a_real_hermitian_matrix_is_symmetric) {
  const auto a = sparse_text(banner + "coordinate real hermitian\n2 2 1\n2 1 3\n");
  EXPECT_EQ(entries_of(a), (triplets<double>{{0, 1, 3}, {1, 0, 3}}));
}

TEST(matrix_market, pattern_entries_are_one) {
  const auto a = sparse_text<float>(banner + "coordinate pattern general\n2 3 2\n2 3\n1 2\n");
  EXPECT_EQ(entries_of(a), (triplets<float>{{0, 1, 1}, {1, 2, 1}}));
}

TEST(matrix_market, duplicates_add_up_in_file_order_and_zeros_stay) {
  // 1e16 + 1 + 1 is 1e16 in this order; in another it would be 1e16 + 2.
  const auto a = sparse_text(banner +
                             "coordinate real general\n2 2 6\n2 1 1e16\n1 2 0\n2 1 1\n"
                             "2 1 1\n1 1 0\n1 2 -0.25\n");
  EXPECT_EQ(entries_of(a), (triplets<double>{{0, 0, 0}, {0, 1, -0.25}, {1, 0, 1e16}}));
}

TEST(matrix_market, odd_spacing_comments_case_and_line_ends) {
  const auto a = sparse_text(
      "\t %%matrixmarket  MATRIX\tCoordinate Real General \r\n\r\n %note\r\n"
      "\r\n 2  2\t3 \r\n\r\n  1\t 1   +1.5 \r\n% between\r\n\t\r\n"
      "2 2 1d-3 % a remark\r\n+1 02 -inf");
  const auto minus_infinity = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(entries_of(a), (triplets<double>{{0, 0, 1.5}, {0, 1, minus_infinity}, {1, 1, 1e-3}}));
}

TEST(matrix_market, a_byte_order_mark_is_skipped) {
  EXPECT_EQ(sparse_text("\xef\xbb\xbf" + banner + "coordinate pattern general\n1 1 1\n1 1\n").nnz(),
            1);
}

TEST(matrix_market, values_of_every_shape) {
  const auto a = sparse_text(banner +
                             "coordinate double general\n1 9 9\n1 1 nan\n1 2 +inf\n1 3 -INF\n"
                             "1 4 4.9e-324\n1 5 1e400\n1 6 1.5D+02\n1 7 -.5\n1 8 5.\n"
                             "1 9 0.1000000000000000055511151231257827\n");
  const auto x = a.values();
  const auto infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_EQ(std::vector<double>(x.begin() + 1, x.end()),
            (std::vector<double>{infinity, -infinity, 4.9e-324, infinity, 150, -.5, 5, .1}));
}

TEST(matrix_market, whole_numbers_beyond_the_mantissa_are_rounded) {
  const std::string text = banner +
                           "coordinate integer general\n1 4 4\n1 1 9223372036854775807\n"
                           "1 2 -9007199254740993\n1 3 123456789012345678901234567890\n1 4 +7\n";
  const auto a = sparse_text(text);
  EXPECT_EQ(
      std::vector<double>(a.values().begin(), a.values().end()),
      (std::vector<double>{0x1p63, -9007199254740992.0, 123456789012345678901234567890.0, 7}));
  EXPECT_EQ(sparse_text<float>(text).values()[1], -9007199254740992.0f);
}

TEST(matrix_market, a_float_is_rounded_once) {
  // Just above halfway between two floats; by way of double it would be rounded to the even one.
  const auto a = sparse_text<float>(banner +
                                    "coordinate real general\n1 1 1\n1 1 "
                                    "1.00000017881393432617187500000001\n");
  EXPECT_EQ(a.values()[0], 1.00000023841857910156250f);
}

TEST(matrix_market, arrays_are_dense_and_column_major) {
  const auto a = dense_text(banner + "array real general\n2 3\n1\n2\n\n3\n% here too\n4\n5\n6");
  EXPECT_EQ(a.order(), layout::column_major);
  EXPECT_EQ(a(0, 1), 3);
  EXPECT_EQ(a(1, 2), 6);
}

TEST(matrix_market, symmetric_and_skew_arrays_list_a_triangle) {
  const auto s = dense_text(banner + "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
  const double wanted[3][3] = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
  const auto k = dense_text(banner + "array real skew-symmetric\n3 3\n22\n33\n44\n");
  const double wanted_skew[3][3] = {{0, -22, -33}, {22, 0, -44}, {33, 44, 0}};
  for (index_t i = 0; i < 3; ++i)
    for (index_t j = 0; j < 3; ++j) {
      EXPECT_EQ(s(i, j), wanted[i][j]) << i << ' ' << j;
      EXPECT_EQ(k(i, j), wanted_skew[i][j]) << i << ' ' << j;
    }
  EXPECT_EQ(dense_text(banner + "array real skew-symmetric\n1 1\n")(0, 0), 0);
}

TEST(matrix_market, empty_matrices) {
  EXPECT_EQ(sparse_text(banner + "coordinate real general\n3 4 0\n").nnz(), 0);
  EXPECT_EQ(sparse_text(banner + "coordinate real general\n0 4 0").shape(), (extents{0, 4}));
  EXPECT_EQ(dense_text(banner + "array real general\n0 7\n").shape(), (extents{0, 7}));
}

TEST(matrix_market, many_columns_widen_the_indices) {
  const auto a =
      sparse_text(banner + "coordinate real general\n2 4294967296 2\n1 4294967296 1\n2 1 2\n");
  EXPECT_EQ(a.index_widths(), (widths{index_width::i64, index_width::i64}));
  EXPECT_EQ(entries_of(a), (triplets<double>{{0, 4294967295, 1}, {1, 0, 2}}));
}

/// Big enough for several chunks; every entry of every row is known.
std::string large_text(index_t n) {
  std::string text = banner + formatted("coordinate real symmetric\n{} {} {}\n", n, n, 2 * n - 1);
  for (index_t i = n; i >= 1; --i) {
    text += formatted("{} {} {}\n", i, i, i);
    if (i > 1) text += formatted("{} {} {}.5{}\n", i, i - 1, -i, i % 7 == 0 ? "\n% remark" : "");
  }
  return text;
}

TEST(matrix_market, chunks_and_threads_make_no_difference) {
  const index_t n = 100000;
  const auto text = large_text(n);
  ASSERT_GT(text.size(), std::size_t{3} << 20);
  for (const int threads : {1, 2, 5}) {
    read_options how;
    how.threads = threads;
    const auto a = sparse_text(text, how);
    ASSERT_EQ(a.nnz(), 3 * n - 2);
    triplets<double> wanted;
    for (index_t i = 0; i < n; ++i) {
      const auto x = static_cast<double>(i);
      if (i > 0) wanted.emplace_back(i, i - 1, -(x + 1.5));
      wanted.emplace_back(i, i, x + 1);
      if (i + 1 < n) wanted.emplace_back(i, i + 1, -(x + 2.5));
    }
    EXPECT_TRUE(entries_of(a) == wanted) << threads << " threads";
  }
}

TEST(matrix_market, large_arrays_are_put_together_from_their_chunks) {
  const index_t n = 1500;
  for (const std::string kind : {"symmetric", "skew-symmetric"}) {
    const index_t skipped = kind == "symmetric" ? 0 : 1;
    std::string text = banner + formatted("array integer {}\n{} {}\n", kind, n, n);
    for (index_t j = 0; j < n; ++j)
      for (index_t i = j + skipped; i < n; ++i) text += formatted("{}\n", i * n + j);
    ASSERT_GT(text.size(), std::size_t{3} << 20);
    const auto a = dense_text(text);
    index_t wrong = 0;
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) {
        const auto listed = static_cast<double>(std::max(i, j) * n + std::min(i, j));
        const auto wanted = skipped == 0 ? listed : i == j ? 0 : i > j ? listed : -listed;
        wrong += a(i, j) != wanted;
      }
    EXPECT_EQ(wrong, 0) << kind;
  }
}

TEST(matrix_market, progress_comes_from_the_calling_thread_and_ends_at_one) {
  read_options how;
  how.threads = 4;
  std::vector<double> seen;
  bool elsewhere = false;
  const auto caller = ::pthread_self();
  how.progress = [&](std::string_view what, double done) {
    elsewhere = elsewhere || ::pthread_equal(caller, ::pthread_self()) == 0;
    if (what == "reading") seen.push_back(done);
  };
  static_cast<void>(sparse_text(large_text(100000), how));
  EXPECT_FALSE(elsewhere);
  ASSERT_FALSE(seen.empty());
  for (const double done : seen) EXPECT_TRUE(done > 0 && done <= 1);
  EXPECT_EQ(seen.back(), 1);
}

}  // namespace
}  // namespace gossamer::testing
