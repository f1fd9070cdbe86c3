// Broken Matrix Market files: each error names the file, the line, what was found and expected.
#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

const std::string real = "%%MatrixMarket matrix coordinate real general\n";

struct broken {
  std::string text;
  std::string line;      ///< "line 3", or empty when there is none to name
  std::string expected;  ///< a piece of the message
};

class broken_matrix_market : public ::testing::TestWithParam<broken> {};

TEST_P(broken_matrix_market, is_refused_with_its_line) {
  const auto& given = GetParam();
  const auto found = error_text([&] { static_cast<void>(parse_text(given.text)); });
  EXPECT_TRUE(found.starts_with("bad input: test.mtx")) << found;
  EXPECT_NE(found.find(given.line), found.npos) << found;
  EXPECT_NE(found.find(given.expected), found.npos) << found;
}

INSTANTIATE_TEST_SUITE_P(
    headers, broken_matrix_market,
    ::testing::Values(
        broken{"", "", "is empty"}, broken{" \n\r\n", "", "is empty"},
        broken{"hello\n", "line 1", "begins with '%%MatrixMarket"},
        broken{"%%MatrixMarket vector coordinate real general\n", "line 1", "'vector'"},
        broken{"%%MatrixMarket matrix list real general\n1 1 1\n", "line 1", "coordinate, array"},
        broken{"%%MatrixMarket matrix array quaternion general\n", "line 1", "'quaternion'"},
        broken{"%%MatrixMarket matrix coordinate real\n1 1 1\n", "line 1", "too few words"},
        broken{"%%MatrixMarket matrix coordinate real general more\n", "line 1", "'more'"},
        broken{"%%MatrixMarket matrix array pattern general\n1 1\n", "line 1",
               "cannot be a pattern"},
        broken{"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n2 2 1\n",
               "line 4", "diagonal element (2, 2)"},
        broken{"%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 0\n", "line 3",
               "not listed"},
        broken{real, "line 2", "ends before the size line"},
        broken{real + "% only a comment\n", "line 3", "ends before the size line"},
        broken{real + "3 3\n", "line 2", "rows, columns, entries"},
        broken{real + "3 3 1 1\n", "line 2", "rows, columns, entries"},
        broken{real + "3 x 1\n", "line 2", "number of columns is 'x'"},
        broken{real + "-3 3 1\n", "line 2", "0 or more"},
        broken{real + "99999999999999999999 3 1\n", "line 2", "does not fit 64 bits"},
        broken{real + "9223372036854775807 3 1\n", "line 2", "64-bit indices"},
        broken{"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "line 2", "is square"},
        broken{"%%MatrixMarket matrix array real general\n4611686018427387904 4\n1\n", "line 2",
               "more values than any file"}));

INSTANTIATE_TEST_SUITE_P(
    bodies, broken_matrix_market,
    ::testing::Values(
        broken{real + "3 3 1\n0 1 1\n", "line 3", "indices count from 1"},
        broken{real + "3 3 1\n4 1 1\n", "line 3", "the row is '4'; expected 1 to 3"},
        broken{real + "3 3 2\n1 1 1\n\n% c\n1 -2 1\n", "line 6", "the column is '-2'"},
        broken{real + "3 3 1\n1.5 1 1\n", "line 3", "the row is '1.5'"},
        broken{real + "3 3 1\n1 1\n", "line 3", "expected row, column and value"},
        broken{real + "3 3 1\n1 1 1 1\n", "line 3", "found '1' after the value"},
        broken{real + "3 3 1\n1 1 one\n", "line 3", "the value is 'one'; expected a number"},
        broken{real + "3 3 1\n1 1 +-1\n", "line 3", "'+-1'"},
        broken{real + "3 3 1\n1 1 1e\n", "line 3", "'1e'"},
        broken{"%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 -1\n",
               "line 3", "expected 0 or more"},
        broken{"%%MatrixMarket matrix array unsigned-integer general\n1 1\n -0 % zero\n", "line 3",
               "expected 0 or more"},
        broken{"%%MatrixMarket matrix array unsigned-integer general\n1 1\n1.5\n", "line 3",
               "expected a whole number"},
        broken{real + "3 3 1\n1 99999999999999999999999 1\n", "line 3", "expected 1 to 3"},
        broken{real + "3 3 1\n1 1 1\x01\n", "line 3", "\\x01"},
        broken{real + "3 3 1\n1 1 1\r2 2 2\n", "line 3", "found '2' after the value"},
        broken{real + "3 3 1\n1 1 1\n2 2 2\n", "line 4", "one of the entries too many"},
        broken{real + "3 3 1\n1 1 1\n% c\n2 2", "line 5", "expected row, column and value"},
        broken{real + "3 3 3\n1 1 1\n2 2 2\n", "line 5",
               "ends after 2 entries; the header announces 3"},
        broken{real + "3 3 1000000000000\n1 1 1\n", "line 4", "announces 1,000,000,000,000"},
        broken{real + "0 3 1\n1 1 1\n", "line 3", "the row is '1'"},
        broken{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", "line 3",
               "a pattern has no values"},
        broken{"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", "line 3",
               "expected a whole number"},
        broken{"%%MatrixMarket matrix array real general\n2 1\n1 2\n", "line 3",
               "one value a line"},
        broken{"%%MatrixMarket matrix array real general\n2 1\n1\n", "line 4",
               "ends after 1 values"},
        broken{"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n", "line 6",
               "one of the values too many"}));

TEST(broken_matrix_market, complex_values_do_not_become_real_ones) {
  const auto found = error_text([] {
    static_cast<void>(
        parse_text("%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n"));
  });
  EXPECT_TRUE(found.starts_with("not available: test.mtx")) << found;
}

TEST(matrix_market, unsigned_values_are_read) {
  const auto a = dense_text("%%MatrixMarket matrix array unsigned-integer general\n2 1\n7\n+8\n");
  EXPECT_EQ(a(0, 0), 7);
  EXPECT_EQ(a(1, 0), 8);
}

TEST(broken_matrix_market, rows_nobody_has_seen_are_not_allocated) {
  const std::string text = real + "900000000000 3 1\n1 1 1\n";
  const auto found = error_text([&] { static_cast<void>(parse_text(text)); });
  EXPECT_TRUE(found.starts_with("bad input: test.mtx: its header asks for")) << found;
  EXPECT_NE(found.find("unbacked_limit"), found.npos);
  read_options small;
  small.unbacked_limit = 1000;
  EXPECT_FALSE(error_text([&] { parse_text(real + "100000 1 1\n1 1 1\n", small); }).empty());
  EXPECT_EQ(sparse_text(real + "100000 1 1\n1 1 1\n").rows(), 100000);
}

TEST(broken_matrix_market, the_first_broken_line_is_named_whichever_thread_finds_it) {
  std::string text = real + "9 9 400000\n";
  for (int k = 0; k < 400000; ++k) text += k == 150000 || k > 300000 ? "1 1 x\n" : "1 1 1.25\n";
  ASSERT_GT(text.size(), std::size_t{2} << 20);
  for (const int threads : {1, 3}) {
    read_options how;
    how.threads = threads;
    EXPECT_NE(error_text([&] { parse_text(text, how); }).find("line 150003:"), std::string::npos);
  }
}

}  // namespace
}  // namespace gossamer::testing
