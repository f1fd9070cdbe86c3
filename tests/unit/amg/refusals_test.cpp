// Bad input: a clear error, or a solve that ends and says why.
#include "../refusal.hpp"

#include <limits>

#include "problems.hpp"

namespace gossamer::amg {
namespace {

const auto cpu = context::openmp(2);

std::string refused(const csr_matrix<double>& a, const setup_options& how = {}) {
  return refusal(error_kind::bad_input, [&] { hierarchy<double>(cpu, a, how); });
}
bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AmgRefusals, NameTheRowAndTheWayOut) {
  EXPECT_TRUE(says(refused(csr_matrix<double>({2, 3}, 0)), "2 x 3"));
  EXPECT_TRUE(says(refused(csr_matrix<double>({0, 0}, 0)), "at least one row"));
  auto a = generate::poisson2d<double>(cpu, 30, 30);
  const auto with = [&](index_t row, double value) {
    auto changed = a;
    for (index_t p = a.row_offsets()[row]; p < a.row_offsets()[row + 1]; ++p)
      if (a.column_indices()[p] == row) changed.values()[static_cast<std::size_t>(p)] = value;
    return changed;
  };
  EXPECT_TRUE(says(refused(with(437, 0)), "row 437 has no nonzero on the diagonal"));
  EXPECT_TRUE(says(refused(with(5, -4)), "row 5 has -4 on the diagonal"));
  EXPECT_TRUE(says(refused(with(800, std::nan(""))), "row 800 has the value nan"));
  EXPECT_TRUE(
      says(refused(with(1, std::numeric_limits<double>::infinity())), "row 1 has the value inf"));
}

TEST(AmgRefusals, ChecksOptionsAndVectors) {
  const auto a = generate::poisson2d<double>(cpu, 10, 10);
  const auto bad = [&](auto&& work) { return refusal(error_kind::bad_argument, work); };
  EXPECT_TRUE(says(bad([&] { hierarchy<double>(cpu, a, {.block_size = 3}); }), "block_size is 3"));
  EXPECT_TRUE(says(bad([&] { hierarchy<double>(cpu, a, {.strength = 2}); }), "strength"));
  const dense_matrix<double> few(7, 2);
  EXPECT_TRUE(says(bad([&] { hierarchy<double>(cpu, a, {}, few.view()); }), "7 x 2"));
  const hierarchy<double> levels(cpu, a);
  std::vector<double> b(99), x(100);
  EXPECT_TRUE(says(bad([&] { solve(levels, b, x); }), "99 x 1"));
  b.assign(100, std::nan(""));
  EXPECT_TRUE(says(refusal(error_kind::bad_input, [&] { solve(levels, b, x); }), "not finite"));
  EXPECT_TRUE(says(bad([&] { levels.matrix(9); }), "no level 9"));
}

TEST(AmgRefusals, IndefiniteSystemsEnd) {
  auto a = generate::poisson2d<double>(cpu, 40, 40);
  for (index_t i = 0; i < a.rows(); ++i)  // eigenvalues between -2 and 6
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
      if (a.column_indices()[p] == i) a.values()[static_cast<std::size_t>(p)] -= 2;
  EXPECT_TRUE(says(refused(a), "so A is not positive definite"));
  const hierarchy<double> levels(cpu, a, {.symmetric = false});
  EXPECT_LE(solve_known(levels, a, {.method = method::gmres, .iterations = 40}).iterations, 40);
  EXPECT_LE(solve_known(levels, a, {.method = method::bicgstab, .iterations = 40}).iterations, 40);

  const auto small = from_triplets<double>({2, 2}, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 2, 2, 1});
  std::vector<double> b{1, -1}, x(2);
  const auto done = solve(hierarchy<double>(cpu, small), b, x);
  EXPECT_EQ(done.outcome, outcome::indefinite) << done.because;
  EXPECT_TRUE(says(done.because, "GMRES"));
}

TEST(AmgRefusals, ARightHandSideOutsideTheRangeStagnates) {
  triplets t;
  for (index_t i = 0; i < 999; ++i) t.connect(i, i + 1, 1);
  const auto a = t.matrix(1000);
  const hierarchy<double> levels(cpu, a);
  std::vector<double> b(1000, 1.0), x(1000);  // orthogonal to the range
  const auto done = solve(levels, b, x, {.iterations = 100});
  EXPECT_FALSE(done.converged());
  EXPECT_FALSE(done.because.empty());
  EXPECT_LE(done.iterations, 100);
}

TEST(AmgRefusals, TinyAndTrivialSystemsWork) {
  const auto one = from_triplets<double>({1, 1}, {0}, {0}, {4});
  const hierarchy<double> levels(cpu, one);
  std::vector<double> b{8}, x{0};
  const auto done = solve(levels, b, x);
  EXPECT_TRUE(done.converged()) << done.because;
  EXPECT_DOUBLE_EQ(x[0], 2);
  EXPECT_EQ(levels.stats().coarsest, "direct");
  x = {5};
  b = {0};
  EXPECT_TRUE(solve(levels, b, x).converged());
  EXPECT_EQ(x[0], 0);
  const auto zero_allowed = solve(levels, std::vector<double>{3}, x, {.iterations = 0});
  EXPECT_EQ(zero_allowed.outcome, outcome::iteration_limit);
}

TEST(AmgRefusals, UnsortedColumnsAndDuplicatesAreSummed) {
  const csr_matrix<double> a(
      {2, 2}, index_buffer(std::span<const std::int32_t>(std::vector{0, 3, 5})),
      index_buffer(std::span<const std::int32_t>(std::vector{1, 0, 0, 1, 0})),
      buffer<double>(std::span<const double>(std::vector<double>{1, 2, 2, 3, 1})));
  const hierarchy<double> levels(cpu, a);  // [4 1; 1 3]
  std::vector<double> b{6, 7}, x(2);
  EXPECT_TRUE(solve(levels, b, x).converged());
  EXPECT_NEAR(x[0], 1, 1e-7);
  EXPECT_NEAR(x[1], 2, 1e-7);
}

}  // namespace
}  // namespace gossamer::amg
