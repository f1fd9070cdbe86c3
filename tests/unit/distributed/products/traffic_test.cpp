#include <numeric>

#include "unit/distributed/products/cases.hpp"

namespace gossamer::mpi {
namespace {

template <scalar T>
product_structure structure_of(const csr_matrix<T>& a, const csr_matrix<T>& b,
                               const partition& a_rows, const partition& b_rows) {
  return {pattern_of(a), pattern_of(b), a_rows, b_rows, value_type_of<T>};
}

/// Expects what ranks send to be what the model says, message by message.
template <scalar T>
void expect_model(const csr_matrix<T>& left, const csr_matrix<T>& right, bool blocks_grow) {
  const auto ranks = communicator::world();
  const auto split = [&](index_t rows) {
    return blocks_grow ? uneven(rows, ranks.size()) : partition::by_count(rows, ranks.size());
  };
  const auto of = structure_of(left, right, split(left.rows()), split(right.rows()));
  const auto a = spread(ranks, left, of.a_rows), b = spread(ranks, right, of.b_rows);
  const auto me = static_cast<std::size_t>(ranks.rank());
  spgemm_report why;
  multiply(cpu, a, b, {.algorithm = "1d"}, &why);
  EXPECT_EQ(why.sent, predict_traffic(of)[me]);
  for (int layers = 1; layers <= std::min(ranks.size(), 3); ++layers) {
    const auto grid = process_grid::near_square(ranks.size(), layers);
    const auto predicted = predict_traffic(of, grid);
    spgemm_options how{.algorithm = layers == 1 ? "2d" : "3d"};
    if (layers > 1) how.layers = layers;
    multiply(cpu, a, b, how, &why);
    EXPECT_EQ(why.grid, grid);
    EXPECT_EQ(why.sent, predicted[me]) << layers << " layers";
    const auto all = summary("", grid, predicted);
    EXPECT_EQ(why.sent_by_all, (traffic{all.messages, all.bytes}));
    EXPECT_EQ(why.most_bytes, all.most_bytes);
  }
}

TEST(Traffic, IsWhatTheModelSays) {
  const auto graph = generate::rmat<double>(cpu, 8, 8);
  const auto grid = generate::poisson2d<double>(cpu, 20, 17);
  expect_model(graph, graph, false);
  expect_model(graph, graph, true);
  expect_model(grid, grid, false);
  expect_model(generate::aspect<float>(cpu, 60, 300, 1500),
               generate::aspect<float>(cpu, 300, 45, 1200), true);
  const auto tiny = generate::poisson2d<double>(cpu, 2, 1);
  expect_model(tiny, tiny, false);
}

// A tridiagonal matrix of 4 rows on 2 ranks, by hand: each rank needs one row of the other, which
// has 3 nonzeros: 8 bytes to ask, 8 to answer, 3 columns of 4 bytes and 3 values of 8.
TEST(Traffic, OfALineOnTwoRanksIsCountedByHand) {
  const auto line = generate::poisson2d<double>(cpu, 4, 1);
  const auto halves = partition::by_count(4, 2);
  const auto of = structure_of(line, line, halves, halves);
  const auto by_rows = predict_traffic(of);
  ASSERT_EQ(by_rows.size(), 2u);
  EXPECT_EQ(by_rows[0], (traffic{4, 8 + 8 + 12 + 24}));
  EXPECT_EQ(by_rows[1], by_rows[0]);
  // On a grid of 2 x 1 rows of A stay; each rank sends its two rows of B, 5 nonzeros, to the other.
  const auto on_grid = predict_traffic(of, {2, 1, 1});
  EXPECT_EQ(on_grid[0], (traffic{3, 2 * 4 + 5 * 4 + 5 * 8}));
}

TEST(Traffic, OfThousandsOfRanksNeedsNoProcesses) {
  const auto graph = generate::rmat<double>(cpu, 12, 16);
  index_t before = 0;
  for (const int ranks : {64, 256, 1024, 4096}) {
    const auto rows = partition::by_count(graph.rows(), ranks);
    const auto of = structure_of(graph, graph, rows, rows);
    const auto one = summary("1d", {}, predict_traffic(of));
    const auto grid = process_grid::near_square(ranks);
    const auto two = summary("2d", grid, predict_traffic(of, grid));
    EXPECT_GT(one.bytes, before) << ranks;
    before = one.bytes;
    // Each rank of a row receives all of A's rows there: no more than columns x nnz, and C once.
    EXPECT_LT(two.most_messages, 3 * (3 * grid.columns + grid.rows));
  }
}

TEST(Traffic, DecidesTheAlgorithm) {
  const auto ranks = communicator::world();
  const auto a = spread(ranks, generate::poisson2d<double>(cpu, 40, 40));
  spgemm_report why;
  multiply(cpu, a, a, {}, &why);
  EXPECT_EQ(why.algorithm, "1d") << why.text();  // neighbours only
  if (ranks.size() == 1) return;
  ASSERT_GE(why.considered.size(), 2u);
  EXPECT_EQ(why.considered[0].bytes, why.sent_by_all.bytes);
  EXPECT_EQ(why.considered[0].most_bytes, why.most_bytes);
  for (const auto& way : why.considered) EXPECT_GE(way.most_bytes, why.considered[0].most_bytes);
  EXPECT_NE(why.text().find("fewest bytes"), std::string::npos) << why.text();
  // Rows of A that need all of B, which is larger: its blocks travel less on a grid.
  const auto wide = spread(ranks, generate::aspect<double>(cpu, 64, 2000, 60000));
  const auto long_rows = spread(ranks, generate::aspect<double>(cpu, 2000, 300, 300000));
  multiply(cpu, wide, long_rows, {}, &why);
  const auto& best =
      *std::min_element(why.considered.begin(), why.considered.end(),
                        [](const auto& x, const auto& y) { return x.most_bytes < y.most_bytes; });
  EXPECT_EQ(why.algorithm, best.algorithm);
  if (ranks.size() >= 4) {
    EXPECT_NE(why.algorithm, "1d") << why.text();
  }
}

TEST(Traffic, RefusesStructuresThatDoNotMultiply) {
  const auto a = generate::aspect<double>(cpu, 6, 5, 9);
  const auto two = partition::by_count(6, 2);
  refusal(error_kind::bad_argument, [&] { predict_traffic(structure_of(a, a, two, two)); });
  const auto square = generate::poisson2d<double>(cpu, 3, 2);
  refusal(error_kind::bad_argument, [&] {
    predict_traffic(structure_of(square, square, two, two), {2, 2, 1});
  });
}

}  // namespace
}  // namespace gossamer::mpi
