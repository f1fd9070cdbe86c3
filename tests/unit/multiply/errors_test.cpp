// Every way to call it wrong gets an error that names the operands, their sizes and the way out.
#include <gtest/gtest.h>

#include <vector>

#include "expect_error.hpp"
#include "small.hpp"

namespace gossamer {
namespace {

class Errors : public testing::Test {
 protected:
  small_matrix m;
  context cpu = context::openmp(2);
  std::vector<double> x = std::vector<double>(4, 1.0), y = std::vector<double>(3);
};

TEST_F(Errors, ShapesThatDoNotFit) {
  std::vector<double> wrong(7);
  expect_error([&] { multiply(cpu, m.view(), wrong, y); },
               {error_kind::bad_argument, {"A is 3 x 4", "7 x 1", "4 against 7"}});
  expect_error([&] { multiply(cpu, m.view(), x, wrong); },
               {error_kind::bad_argument, {"3 x 1", "y is 7 x 1"}});
  expect_error([&] { multiply(cpu, m.view(), wrong); },
               {error_kind::bad_argument, {"A is 3 x 4", "7 x 1", "4 against 7"}});
  expect_error([&] { multiply(cpu, m.view(), m.view()); },
               {error_kind::bad_argument, {"A is 3 x 4 and B is 3 x 4"}});
  expect_error([&] { multiply(cpu, m.view(), x, scaled(1.0, x), y); },
               {error_kind::bad_argument, {"4 x 1", "same shape"}});
}

TEST_F(Errors, TypesThatDoNotFit) {
  std::vector<float> narrow(4), out(3);
  expect_error([&] { multiply(cpu, m.view(), narrow); },
               {error_kind::bad_argument, {"A holds f64", "x holds f32", "convert"}});
  expect_error([&] { multiply(cpu, m.view(), narrow, out); },
               {error_kind::bad_argument, {"A holds f64", "x holds f32", "convert"}});
}

TEST_F(Errors, OverlappingOutput) {
  std::vector<double> both(7);
  const std::span<double> all(both);
  expect_error([&] { multiply(cpu, m.view(), all.subspan(0, 4), all.subspan(3, 3)); },
               {error_kind::bad_argument, {"overlaps x"}});
  expect_error(
      [&] { multiply(cpu, m.view(), x, scaled(1.0, all.subspan(0, 3)), all.subspan(1, 3)); },
      {error_kind::bad_argument, {"z overlaps"}});
  expect_error([&] { multiply(cpu, m.view(), x, std::span(m.values).subspan(0, 3)); },
               {error_kind::bad_argument, {"overlaps A"}});
}

TEST_F(Errors, OverlappingBlocks) {
  std::vector<double> both(64);
  const auto block = [&](index_t rows, index_t first) {
    return dense_view<double>{{rows, 2}, layout::row_major, 5, both.data() + first};
  };
  // Rows of B and C, five apart, take turns in one array: C begins before B ends.
  expect_error([&] { multiply(cpu, m.view(), block(4, 0), block(3, 2)); },
               {error_kind::bad_argument, {"overlaps x"}});
  expect_error([&] { multiply(cpu, m.view(), block(4, 7), block(3, 0)); },
               {error_kind::bad_argument, {"overlaps x"}});
  dense_matrix<double> b(4, 2);
  const dense_view<double> values{{3, 2}, layout::column_major, 3, std::data(m.values)};
  expect_error([&] { multiply(cpu, m.view(), b, values); },
               {error_kind::bad_argument, {"overlaps A"}});
  multiply(cpu, m.view(), block(4, 0), block(3, 20));  // behind each other
}

TEST_F(Errors, DenseTimesDenseIsNotOurs) {
  dense_matrix<double> a(3, 4), b(4, 2), c(3, 2);
  expect_error([&] { multiply(cpu, a, b, c); },
               {error_kind::bad_argument, {"must be sparse", "BLAS"}});
}

TEST_F(Errors, PlansForOtherOperands) {
  const plan prepared = multiply_inspect(cpu, m.view(), x, y);
  EXPECT_THROW(prepared.result_nnz(), error);
  const auto other = convert<coo_matrix<double>>(m.view());
  expect_error([&] { multiply(prepared, other, x, y); },
               {error_kind::bad_argument, {"the plan was made for", "csr", "coo"}});
  const plan sparse = multiply_compute(cpu, m.view(), transposed(m.view()));
  expect_error([&] { multiply(sparse, m.view(), x, y); },
               {error_kind::bad_argument, {"multiply_fill"}});
  csr_matrix<double> small({3, 3}, 1);
  expect_error([&] { multiply_fill(sparse, m.view(), transposed(m.view()), small); },
               {error_kind::bad_argument, {"2 entries", "with 1"}});
}

TEST_F(Errors, AStaleMergePlanIsNoticed) {
  // Two chunks of the merge path; then all nonzeros move to the last row.
  constexpr std::int32_t n = 20'000;
  std::vector<std::int32_t> offsets(n + 1), columns(n);
  std::vector<double> values(n, 1.0), in(n, 1.0), out(n);
  for (std::int32_t i = 0; i < n; ++i) offsets[i + 1] = i + 1, columns[i] = i;
  const csr_view<const double> a(values.data(), offsets.data(), columns.data(), {n, n});
  const plan prepared = multiply_inspect(cpu, a, in, out, {.algorithm = "merge"});
  multiply(prepared, a, in, out);
  std::fill(offsets.begin(), offsets.end() - 1, 0);
  expect_error([&] { multiply(prepared, a, in, out); },
               {error_kind::bad_argument, {"offsets of A changed"}});
}

TEST_F(Errors, TheMemoryLimitIsKept) {
  const auto big = generate::poisson2d<double>(cpu, 100, 100);
  expect_error([&] { multiply(cpu, big, big, {.memory_limit = 100'000}); },
               {error_kind::memory_limit, {"limit of 100 KB"}});
  const auto c = multiply(cpu, big, big, {.memory_limit = 100'000'000});
  EXPECT_GT(c.nnz(), 100'000);
}

TEST_F(Errors, CudaSaysWhyNot) {
  if (available(backend::cuda)) GTEST_SKIP() << "there is a GPU here";
  expect_error([] { context::cuda(); }, {error_kind::not_available, {"openmp"}});
}

}  // namespace
}  // namespace gossamer
