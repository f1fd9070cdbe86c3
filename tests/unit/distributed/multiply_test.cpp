// Products in blocks against the product of one process.
#include "gossamer/multiply.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "distributed/exchange.hpp"
#include "gossamer/generate.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

/// The block of this rank of a dense matrix that all ranks have.
template <scalar T>
dense_matrix<T> block_of(const dense_matrix<T>& whole, const partition& rows, int rank,
                         layout order) {
  dense_matrix<T> block(rows.count(rank), whole.cols(), order);
  for (index_t i = 0; i < block.rows(); ++i)
    for (index_t j = 0; j < block.cols(); ++j) block(i, j) = whole(rows.first(rank) + i, j);
  return block;
}

template <scalar T>
dense_matrix<T> random_dense(index_t rows, index_t columns, std::uint64_t seed) {
  dense_matrix<T> m(rows, columns);
  generate::fill_random(cpu, m.values(), seed);
  return m;
}

/// |y - expected| <= c eps sum |a| |x|, row by row; all terms of these tests are below 1 in
/// magnitude.
template <scalar T>
void expect_close(const dense_matrix<T>& found, const dense_matrix<T>& expected, index_t terms) {
  ASSERT_EQ(found.shape(), expected.shape());
  const double tolerance = 4.0 * static_cast<double>(terms + 2) * std::numeric_limits<T>::epsilon();
  for (index_t i = 0; i < found.rows(); ++i)
    for (index_t j = 0; j < found.cols(); ++j)
      ASSERT_NEAR(found(i, j), expected(i, j), tolerance * 30) << i << ", " << j;
}

template <scalar T>
struct product_case {
  T alpha = 1, beta = 0;
  index_t columns = 1;
  bool transposed = false;
  layout order = layout::row_major;
};

/// One product in blocks against the same product on this process alone.
template <scalar T>
void check_product(const communicator& ranks, const distributed_csr<T>& a,
                   const csr_matrix<T>& whole, const product_case<T>& p) {
  const auto& in = p.transposed ? a.row_partition() : a.column_partition();
  const auto& out = p.transposed ? a.column_partition() : a.row_partition();
  const auto x = random_dense<T>(in.size(), p.columns, 5),
             y = random_dense<T>(out.size(), p.columns, 6);
  auto expected = y;
  const auto operand =
      p.transposed ? scaled(p.alpha, gossamer::transposed(whole)) : scaled(p.alpha, whole);
  gossamer::multiply(cpu, operand, x, scaled(p.beta, y), expected);
  product_plan<T> plan(cpu, a, {.transposed = p.transposed, .columns = p.columns});
  const auto my_x = block_of(x, in, ranks.rank(), p.order);
  for (int repeat = 0; repeat < 2; ++repeat) {
    auto my_y = block_of(y, out, ranks.rank(), p.order);
    const auto before = ranks.sent();
    multiply<T>(plan, p.alpha, my_x.view(), p.beta, my_y.mutable_view());
    EXPECT_EQ(ranks.sent() - before, plan.sent_per_call());
    expect_close(my_y, block_of(expected, out, ranks.rank(), p.order), whole.rows() + whole.cols());
  }
}

template <scalar T>
void check_all_products(const communicator& ranks, const csr_matrix<T>& whole,
                        const distribution& how = {}) {
  const auto a =
      scatter<T>(cpu, ranks, ranks.rank() == 0 ? whole.view() : csr_view<const T>{}, how);
  // Traffic is counted on the communicator of the matrix.
  for (const bool transposed : {false, true})
    for (const index_t columns : {1, 5})
      for (const auto order : {layout::row_major, layout::column_major}) {
        check_product<T>(a.ranks(), a, whole, {1, 0, columns, transposed, order});
        check_product<T>(a.ranks(), a, whole, {T(0.5), T(-2), columns, transposed, order});
      }
  check_product<T>(a.ranks(), a, whole, {0, 2, 1, false, layout::row_major});
}

TEST(Multiply, AgreesWithOneProcess) {
  const auto ranks = communicator::world();
  check_all_products(ranks, generate::poisson2d<double>(cpu, 13, 9));
  check_all_products(ranks, generate::rmat<float>(cpu, 7, 6));
  check_all_products(ranks, generate::aspect<double>(cpu, 31, 200, 700));
  check_all_products(ranks, generate::aspect<double>(cpu, 200, 31, 700),
                     {.balance = balance::nonzeros});
}

TEST(Multiply, HandlesLongRowsAndDenseColumns) {
  const auto ranks = communicator::world();
  check_all_products(ranks, generate::one_dense_row<double>(cpu, {90, 90}, 2, 90));
  check_all_products(ranks, generate::one_dense_column<double>(cpu, {90, 90}, 2, 90),
                     {.balance = balance::nonzeros});
}

TEST(Multiply, HandlesEmptyRanksAndEmptyMatrices) {
  const auto ranks = communicator::world();
  check_all_products(ranks, generate::poisson2d<double>(cpu, 3, 1));
  check_all_products(ranks, csr_matrix<double>({7, 4}, 0));
  check_all_products(ranks, csr_matrix<double>({0, 0}, 0));
  check_all_products(
      ranks, generate::poisson2d<double>(cpu, 5, 5),
      {.rows = all_on(ranks, ranks.size() - 1, 25), .columns = all_on(ranks, 0, 25)});
}

TEST(Multiply, SplitsLongMessages) {
  const auto ranks = communicator::world();
  const index_t usual = std::exchange(exchange::longest_message, 24);
  check_all_products(ranks, generate::rmat<double>(cpu, 6, 6));
  exchange::longest_message = usual;
}

TEST(Multiply, SendsWhatTheModelSays) {
  const auto ranks = communicator::world();
  const auto whole = generate::rmat<double>(cpu, 7, 4);
  const auto a = distributed(ranks, whole);
  const auto& blocks = a.row_partition();
  // By brute force: who needs which of my elements.
  traffic expected, backward;
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    const auto between = [&](int needs, int has) {
      std::set<index_t> columns;
      for (index_t i = blocks.first(needs); i < blocks.last(needs); ++i)
        for (index_t k = whole.row_offsets()[i]; k < whole.row_offsets()[i + 1]; ++k)
          if (blocks.owner(whole.column_indices()[k]) == has)
            columns.insert(whole.column_indices()[k]);
      const auto bytes = static_cast<index_t>(columns.size() * sizeof(double)) * 3;
      return traffic{bytes > 0 ? 1 : 0, bytes};
    };
    expected = expected + between(r, ranks.rank());
    backward = backward + between(ranks.rank(), r);
  }
  product_plan<double> plan(cpu, a, {.columns = 3});
  EXPECT_EQ(plan.sent_per_call(), expected);
  EXPECT_EQ(plan.sends_to(), expected.messages);
  product_plan<double> turned(cpu, a, {.transposed = true, .columns = 3});
  EXPECT_EQ(turned.sent_per_call(), backward);
  EXPECT_EQ(turned.receives_from(), expected.messages);
}

TEST(Multiply, TakesVectorsAndNewValues) {
  const auto ranks = communicator::world();
  const auto whole = generate::poisson2d<double>(cpu, 10, 10);
  auto a = distributed(ranks, whole);
  const std::vector<double> x(static_cast<std::size_t>(a.local_columns()), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.local_rows())), sums = y;
  multiply(cpu, a, x, y);
  const std::vector<double> ones(100, 1.0);
  const auto all = gossamer::multiply(cpu, whole, ones);
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_EQ(y[i], all[static_cast<std::size_t>(a.first_row()) + i]);
  product_plan<double> plan(cpu, a);
  for (auto& v : a.own_values()) v *= 2;
  for (auto& v : a.off_values()) v *= 2;
  multiply(plan, x, sums);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(sums[i], 2 * y[i]);
  multiply(plan, 1.0, x, 3.0, sums);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(sums[i], 8 * y[i]);
}

TEST(Multiply, BetaZeroNeverReadsAndInfPropagates) {
  const auto ranks = communicator::world();
  const auto whole = generate::poisson2d<double>(cpu, 9, 1);
  const auto a = distributed(ranks, whole);
  std::vector<double> x(static_cast<std::size_t>(a.local_columns()), 0.0);
  if (a.column_partition().owner(4) == ranks.rank())
    x[static_cast<std::size_t>(4 - a.first_column())] = std::numeric_limits<double>::infinity();
  std::vector<double> y(static_cast<std::size_t>(a.local_rows()), std::nan(""));
  multiply(cpu, a, x, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const index_t row = a.first_row() + static_cast<index_t>(i);
    EXPECT_EQ(std::isinf(y[i]), row >= 3 && row <= 5) << row;
    EXPECT_FALSE(std::isnan(y[i])) << row;
  }
}

TEST(Multiply, RefusesOnAllRanksABlockOfTheWrongSize) {
  const auto ranks = communicator::world();
  const auto whole = generate::poisson2d<double>(cpu, 8, 8);
  const auto a = distributed(ranks, whole);
  product_plan<double> plan(cpu, a);
  const bool guilty = ranks.rank() == ranks.size() - 1;
  std::vector<double> x(static_cast<std::size_t>(a.local_columns()) + (guilty ? 1 : 0), 1.0);
  std::vector<double> y(static_cast<std::size_t>(a.local_rows()));
  for (int repeat = 0; repeat < 2; ++repeat) {  // a plan survives an error
    const auto text =
        refusal_of_last(ranks, error_kind::bad_argument, [&] { multiply(plan, x, y); });
    EXPECT_NE(text.find("the block of x on this rank is"), std::string::npos) << text;
  }
  if (guilty) x.pop_back();
  multiply(plan, x, y);
  EXPECT_THROW(multiply(plan, x, x), error);  // in place: refused, on all ranks
  refusal(error_kind::bad_argument, [&] { product_plan<double>(cpu, a, {.columns = 0}); });
  if (ranks.size() > 1) {
    refusal(error_kind::bad_argument,
            [&] { product_plan<double>(cpu, a, {.columns = guilty ? 2 : 1}); });
  }
}

}  // namespace
}  // namespace gossamer::mpi
