// Matrices assembled from triplets, vectors, diagonals and dense matrices, by hand.
#include "gossamer/assemble.hpp"

#include <gtest/gtest.h>

#include "gossamer/validate.hpp"
#include "triplets.hpp"
#include "unit/refusal.hpp"

namespace gossamer::test {
namespace {

using list = std::vector<triplet>;

TEST(FromTriplets, SortsAndAddsDuplicates) {
  const std::vector<int> rows{2, 0, 2, 0, 2}, columns{3, 1, 0, 1, 3};
  const std::vector<double> values{5, 1, 4, 2, -5};
  const auto a = from_triplets({3, 4}, rows, columns, values);
  EXPECT_EQ(a.shape(), (extents{3, 4}));
  EXPECT_EQ(entries_of(a.view()), (list{{0, 1, 3}, {2, 0, 4}, {2, 3, 0}}));  // what cancels stays
  EXPECT_EQ(a.index_widths(), widths{});
}

TEST(FromTriplets, AddsInTheOrderOfInput) {
  // 1e16 + 1 is 1e16 again: the sum depends on the order.
  const std::vector<int> zeros(3, 0);
  const auto up = from_triplets({1, 1}, zeros, zeros, std::vector<double>{1e16, 1, -1e16});
  const auto down = from_triplets({1, 1}, zeros, zeros, std::vector<double>{1e16, -1e16, 1});
  EXPECT_EQ(up.values()[0], 0);
  EXPECT_EQ(down.values()[0], 1);
}

TEST(FromTriplets, AnySignedIntegerOfFourOrEightBytes) {
  const list expected{{0, 2, 7}, {1, 0, 8}};
  const std::vector<float> values{7, 8};
  const std::vector<long long> rows{0, 1};
  const std::vector<std::ptrdiff_t> columns{2, 0};
  const std::int32_t narrow[] = {2, 0};
  EXPECT_EQ(entries_of(from_triplets({2, 3}, rows, columns, values).view()), expected);
  EXPECT_EQ(entries_of(from_triplets({2, 3}, rows, std::span(narrow), values).view()), expected);
  EXPECT_EQ(entries_of(from_triplets<float>({2, 3}, rows, narrow, values).view()), expected);
  EXPECT_EQ(entries_of(from_triplets<double>({2, 3}, {0, 1}, {2, 0}, {7, 8}).view()), expected);
}

TEST(FromTriplets, WideIndicesWhereTheShapeNeedsThem) {
  const index_t far = index_t{1} << 33;
  const auto a = from_triplets<double>({2, far + 1}, {1}, {far}, {3.0});
  EXPECT_EQ(a.index_widths().indices, index_width::i64);
  EXPECT_EQ(entries_of(a.view()), (list{{1, far, 3}}));
}

TEST(FromTriplets, TheSameForAnyNumberOfThreads) {
  auto entries = random_entries({500, 300}, 40000, 7);
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (std::size_t k = 0; k < entries.size(); ++k) {  // rows far from sorted
    const auto& t = entries[k * 7919 % entries.size()];
    rows.push_back(static_cast<int>(t.row));
    columns.push_back(static_cast<int>(t.column));
    values.push_back(t.value / 3);
  }
  const extents shape{500, 300};
  const auto serial = from_triplets(context::reference(), shape, rows, columns, values);
  std::vector<triplet> listed;
  for (std::size_t k = 0; k < rows.size(); ++k) listed.push_back({rows[k], columns[k], values[k]});
  auto stored = entries_of(serial.view());
  std::erase_if(stored, [](const triplet& t) { return t.value == 0; });
  EXPECT_EQ(stored, summed(listed));
  for (const int threads : {2, 3, 5}) {
    const auto a = from_triplets(context::openmp(threads), shape, rows, columns, values);
    EXPECT_EQ(entries_of(a.view()), entries_of(serial.view())) << threads;
  }
}

TEST(FromTriplets, NothingAtAll) {
  const std::vector<int> none;
  const std::vector<double> no_values;
  for (const extents shape : {extents{0, 0}, extents{3, 0}, extents{0, 3}, extents{2, 2}}) {
    const auto a = from_triplets(shape, none, none, no_values);
    EXPECT_EQ(a.shape(), shape);
    EXPECT_EQ(a.nnz(), 0);
  }
}

TEST(FromTriplets, NamesWhatIsOutOfRange) {
  const std::vector<double> values{1, 2, 3};
  const auto text = [&](std::vector<int> rows, std::vector<int> columns, extents shape) {
    return refusal(error_kind::bad_argument, [&] { from_triplets(shape, rows, columns, values); });
  };
  EXPECT_EQ(text({0, 1, 3}, {0, 0, 0}, {3, 4}),
            "the triplet at position 2 has row 3, but the matrix is 3 x 4: rows are 0 to 2");
  EXPECT_EQ(text({0, -1, 3}, {0, 0, 0}, {3, 4}),
            "the triplet at position 1 has row -1, but the matrix is 3 x 4: rows are 0 to 2");
  EXPECT_EQ(text({0, 1, 2}, {0, 4, -1}, {3, 4}),
            "the triplet at position 1 has column 4, but the matrix is 3 x 4: columns are 0 to 3");
  EXPECT_EQ(text({0, 1, 2}, {0, 0, 0}, {3, 0}),
            "the triplet at position 0 has column 0, but the matrix is 3 x 0: it has no columns");
  EXPECT_EQ(text({0, 1}, {0, 1, 2}, {3, 4}),
            "a matrix of 3 x 4 was to be assembled from 2 rows, 3 columns and 3 values; expected "
            "as many of each");
  text({0, 0, 0}, {0, 0, 0}, {-1, 4});
}

TEST(FromCsr, TakesVectorsOverWithoutACopy) {
  std::vector<std::int64_t> offsets{0, 1, 3};
  std::vector<std::int32_t> columns{2, 0, 1};
  std::vector<double> values{1, 2, 3};
  const void *const starts = offsets.data(), *const where = columns.data();
  const double* const first = values.data();
  auto a = from_csr({2, 3}, std::move(offsets), std::move(columns), std::move(values));
  EXPECT_EQ(a.row_offsets().data(), starts);
  EXPECT_EQ(a.column_indices().data(), where);
  EXPECT_EQ(std::as_const(a).values().data(), first);
  EXPECT_EQ(a.index_widths(), (widths{index_width::i32, index_width::i64}));
  validate(a);

  auto copy = a;  // has memory of its own
  EXPECT_NE(std::as_const(copy).values().data(), first);
  a.values()[0] = 10;
  EXPECT_EQ(entries_of(copy.view()), (list{{0, 2, 1}, {1, 0, 2}, {1, 1, 3}}));
  a = csr_matrix<double>();  // frees the vectors; the copy stays
  auto second = copy;
  copy = csr_matrix<double>();
  EXPECT_EQ(entries_of(second.view()), (list{{0, 2, 1}, {1, 0, 2}, {1, 1, 3}}));
  const auto moved = std::move(second);
  EXPECT_EQ(moved.nnz(), 3);
}

TEST(FromCsr, EmptyMatrices) {
  const auto none = from_csr<int, int, float>({0, 5}, {0}, {}, {});
  EXPECT_EQ(none.shape(), (extents{0, 5}));
  const auto rows = from_csr<int, int, float>({2, 0}, {0, 0, 0}, {}, {});
  EXPECT_EQ(rows.nnz(), 0);
}

TEST(FromCsr, RefusesOffsetsThatDoNotFit) {
  using ints = std::vector<std::int32_t>;
  using wide = std::vector<std::int64_t>;
  using doubles = std::vector<double>;
  const auto bad = error_kind::bad_argument;
  EXPECT_EQ(refusal(bad,
                    [] {
                      from_csr({1, 3}, ints{1, 3}, ints{1, 2}, doubles{1, 2});
                    }),
            "the row offsets of a 1 x 3 matrix go from 1 to 3; expected 0 to 2, the number of its "
            "values (offsets that count from 1 must be rebased)");
  refusal(bad, [] { from_csr({1, 3}, ints{0, 1}, ints{1, 2}, doubles{1, 2}); });
  refusal(bad, [] { from_csr({2, 3}, ints{0, 2}, ints{1, 2}, doubles{1, 2}); });
  refusal(bad, [] { from_csr({1, 3}, ints{0, 2}, ints{1}, doubles{1, 2}); });
  refusal(bad, [] { from_csr({1, 3}, ints{0, 2}, wide{1, 2}, doubles{1, 2}); });
}

TEST(Diagonal, ByHand) {
  EXPECT_EQ(entries_of(identity<float>(3).view()), (list{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}}));
  EXPECT_EQ(identity<double>(0).shape(), extents{});
  const auto d = diagonal(std::vector<double>{2, 0, -3});
  EXPECT_EQ(d.shape(), (extents{3, 3}));
  EXPECT_EQ(entries_of(d.view()), (list{{0, 0, 2}, {1, 1, 0}, {2, 2, -3}}));
  refusal(error_kind::bad_argument, [] { identity<double>(-1); });
}

TEST(Diagonal, LargeOnesInParallel) {
  const auto a = identity<double>(context::openmp(3), 20000);
  validate(a);
  EXPECT_EQ(a.nnz(), 20000);
  EXPECT_EQ(a.column_indices()[19999], 19999);
}

TEST(Dense, LeavesZerosOutAndBack) {
  dense_matrix<double> d(2, 3, layout::column_major);
  d(0, 2) = 4;
  d(1, 0) = -0.0;
  d(1, 1) = 5;
  const auto a = from_dense(d);
  EXPECT_EQ(entries_of(a.view()), (list{{0, 2, 4}, {1, 1, 5}}));
  EXPECT_EQ(entries_of(from_dense(d.mutable_view()).view()), (list{{0, 2, 4}, {1, 1, 5}}));
  const auto back = to_dense(a);
  EXPECT_EQ(back.order(), layout::row_major);
  EXPECT_EQ(entries_of(back.view()), (list{{0, 2, 4}, {1, 1, 5}}));
  EXPECT_EQ(to_dense(transposed(a))(2, 0), 4);
}

TEST(Dense, DuplicatesAreAdded) {
  const coo_matrix<double> a = make_coo<double>({"", {1, 2}, {{0, 1, 2}, {0, 1, 3}}});
  EXPECT_EQ(to_dense(a)(0, 1), 5);
}

}  // namespace
}  // namespace gossamer::test
