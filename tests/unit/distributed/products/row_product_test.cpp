#include "unit/distributed/products/cases.hpp"

namespace gossamer::mpi {
namespace {

const spgemm_options by_rows{.algorithm = "1d"};

TEST(RowProduct, IsThatOfOneProcess) {
  const auto ranks = communicator::world();
  const auto square = with_integers(generate::rmat<double>(cpu, 8, 6));
  const auto a = spread(ranks, square);
  const auto c = multiply(cpu, a, a, by_rows);
  expect_rows(c, gossamer::multiply(cpu, square, square));
  EXPECT_EQ(c.row_partition(), a.row_partition());
  EXPECT_EQ(c.column_partition(), a.column_partition());
  const auto wide = with_integers(generate::aspect<float>(cpu, 60, 300, 1500));
  const auto tall = with_integers(generate::aspect<float>(cpu, 300, 45, 1200));
  expect_rows(multiply(cpu, spread(ranks, wide), spread(ranks, tall), by_rows),
              gossamer::multiply(cpu, wide, tall));
}

TEST(RowProduct, HasTheBitsOfOneProcess) {
  const auto ranks = communicator::world();
  const auto square = generate::rmat<double>(cpu, 9, 8);
  for (const std::string kernel : {"hash", "adaptive"}) {
    const options local{.algorithm = kernel, .deterministic = true};
    const auto a = spread(ranks, square, uneven(square.rows(), ranks.size()));
    expect_rows(multiply(cpu, a, a, {.algorithm = "1d", .alpha = 0.3, .local = local}),
                gossamer::multiply(cpu, scaled(0.3, square), square, local));
  }
}

TEST(RowProduct, TakesAnyPartitionsAndEmptyRanks) {
  const auto ranks = communicator::world();
  const auto left = with_integers(generate::aspect<double>(cpu, 70, 90, 600));
  const auto right = with_integers(generate::aspect<double>(cpu, 90, 50, 500));
  const auto expected = gossamer::multiply(cpu, left, right);
  for (const auto& rows : {uneven(70, ranks.size()), partition::by_count(70, ranks.size())})
    for (const auto& inner : {uneven(90, ranks.size()), partition::by_count(90, ranks.size())})
      expect_rows(multiply(cpu, spread(ranks, left, rows), spread(ranks, right, inner), by_rows),
                  expected);
  const csr_matrix<double> none({5, 4}, 0), nothing({4, 0}, 0);
  expect_rows(multiply(cpu, spread(ranks, none), spread(ranks, nothing), by_rows),
              csr_matrix<double>({5, 0}, 0));
}

TEST(RowProduct, HasSemiringsMasksAndFilters) {
  const auto ranks = communicator::world();
  const auto square = with_integers(generate::rmat<double>(cpu, 7, 7));
  const auto mask = generate::aspect<double>(cpu, square.rows(), square.rows(), 3000);
  const auto a = spread(ranks, square, uneven(square.rows(), ranks.size()));
  const int me = ranks.rank();
  const auto my_mask =
      slice_rows(cpu, mask, a.row_partition().first(me), a.row_partition().last(me));
  const auto compare = [&](options how, bool masked, bool complemented) {
    options mine = how;
    if (masked) {
      how.mask = pattern_of(mask);
      mine.mask = pattern_of(my_mask.view());
      how.mask->complemented = mine.mask->complemented = complemented;
    }
    expect_rows(multiply(cpu, a, a, {.algorithm = "1d", .local = mine}),
                gossamer::multiply(cpu, square, square, how));
  };
  for (const auto over : {semiring::plus_times, semiring::min_plus, semiring::or_and,
                          semiring::plus_pair, semiring::max_second}) {
    compare({.semiring = over}, false, false);
    compare({.semiring = over}, true, false);
    compare({.semiring = over}, true, true);
  }
  compare({.drop_zeros = true}, false, false);
  compare({.keep = {.magnitude = 4}}, false, false);
  compare({.keep = {.magnitude = 2, .largest = 3}}, true, false);
}

TEST(RowProduct, NumbersColumnsOfAHugeMatrixAnew) {
  const auto ranks = communicator::world();
  const index_t columns = index_t{1} << 40;
  const auto left = with_integers(generate::aspect<double>(cpu, 40, 30, 200));
  const std::vector<index_t> where = {5, columns - 1, 77, index_t{1} << 33};
  std::vector<index_t> offsets{0}, places;
  std::vector<double> values;
  for (index_t i = 0; i < 30; ++i) {
    for (index_t k = 0; k < 4; ++k) {
      places.push_back(where[static_cast<std::size_t>((i + k) % 4)] - i % 3);
      values.push_back(static_cast<double>(i + k));
    }
    offsets.push_back(static_cast<index_t>(places.size()));
  }
  const csr_view<const double> right(values, offsets, places, {30, columns});
  const auto sorted = sum_duplicates<double>(cpu, right);
  const partition rows = partition::by_count(30, ranks.size());
  const auto b = spread(ranks, sorted, rows);
  const auto c = multiply(cpu, spread(ranks, left), b, by_rows);
  const auto found = local_rows(cpu, c);
  for (index_t i = 0; i < found.rows(); ++i)
    for (const index_t j : {columns - 1, columns - 2, index_t{5}, index_t{76}}) {
      double sum = 0;
      for (index_t k = 0; k < 30; ++k) sum += left(c.first_row() + i, k) * sorted(k, j);
      EXPECT_EQ(found(i, j), sum);
    }
}

TEST(RowProduct, KeepsAMemoryLimitInRounds) {
  const auto ranks = communicator::world();
  const auto square = generate::rmat<double>(cpu, 11, 12);
  const auto tall = generate::aspect<double>(cpu, square.rows(), 40, 20000);
  const options free{.algorithm = "hash", .deterministic = true};
  const auto expected = gossamer::multiply(cpu, square, tall, free);
  const auto a = spread(ranks, square), b = spread(ranks, tall);
  spgemm_report why;
  multiply(cpu, a, b, {.algorithm = "1d", .local = free}, &why);
  EXPECT_EQ(why.rounds, 1);
  options tight = free;
  tight.memory_limit = 1500000 / ranks.size() + 700000;
  expect_rows(multiply(cpu, a, b, {.algorithm = "1d", .local = tight}, &why), expected);
  tight.memory_limit = 20000;
  const auto text = refusal(error_kind::memory_limit,
                            [&] { multiply(cpu, a, b, {.algorithm = "1d", .local = tight}); });
  EXPECT_NE(text.find("limit of 20 KB"), std::string::npos) << text;
}

TEST(RowProduct, FetchesInRoundsWhenAllRowsDoNotFit) {
  const auto ranks = communicator::world();
  // Rows of A need few rows of B each: rounds divide what is fetched.
  const index_t n = 3000 * ranks.size();
  const auto sparse = generate::aspect<double>(cpu, n, n, n);
  const auto b = generate::aspect<double>(cpu, n, 2000, 40 * n);
  const options keep{.algorithm = "hash", .deterministic = true, .keep = {.largest = 1}};
  const auto left = spread(ranks, sparse);
  const auto right = spread(ranks, b);
  options tight = keep;
  tight.memory_limit = 2000000;  // the rows of B alone are 1.4 MB, received and sent
  spgemm_report why;
  expect_rows(multiply(cpu, left, right, {.algorithm = "1d", .local = tight}, &why),
              gossamer::multiply(cpu, sparse, b, keep));
  EXPECT_GT(why.rounds, 1);
}

TEST(RowProduct, RefusesWhatDoesNotFitOnAllRanks) {
  const auto ranks = communicator::world();
  const auto a = spread(ranks, generate::aspect<double>(cpu, 20, 30, 50));
  const auto shapes = refusal(error_kind::bad_argument, [&] { multiply(cpu, a, a); });
  EXPECT_NE(shapes.find("20 x 30"), std::string::npos) << shapes;
  const auto b = spread(ranks, generate::aspect<double>(cpu, 30, 10, 50));
  refusal(error_kind::bad_argument, [&] { multiply(cpu, a, b, {.algorithm = "4d"}); });
  refusal(error_kind::bad_argument,
          [&] { multiply(cpu, a, b, {.alpha = 2, .local = {.semiring = semiring::min_plus}}); });
  const auto wrong = generate::aspect<double>(cpu, 3, 3, 4);
  const bool guilty = ranks.rank() == ranks.size() - 1;
  refusal(error_kind::bad_argument, [&] {
    options how;
    if (guilty) how.mask = pattern_of(wrong);
    multiply(cpu, a, b, {.local = how});
  });
  refusal(error_kind::bad_argument, [&] {
    multiply(cpu, a, b,
             {.algorithm = "1d", .local = {.algorithm = guilty ? "no such kernel" : ""}});
  });
}

}  // namespace
}  // namespace gossamer::mpi
