// The API as users write it, with numbers done by hand.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "small.hpp"

namespace gossamer {
namespace {

using vec = std::vector<double>;

TEST(Multiply, VectorsByHand) {
  const small_matrix m;
  const vec x{1, 10, 100, 1000};
  vec y(3, -1);
  for (const auto& where : {context::reference(), context::openmp(2), context::best()}) {
    multiply(where, m.view(), x, y);
    EXPECT_EQ(y, (vec{201, 0, 4030}));
  }
}

TEST(Multiply, ReturnsAVector) {
  const small_matrix m;
  const vec x{1, 10, 100, 1000};
  for (const auto& where : {context::reference(), context::openmp(2)}) {
    EXPECT_EQ(multiply(where, m.view(), x), (vec{201, 0, 4030}));
    EXPECT_EQ(multiply(where, scaled(2.0, transposed(m.view())), vec{1, 5, 10}),
              (vec{2, 60, 4, 80}));
    EXPECT_EQ(multiply(where, m.view(), std::span(x), {.deterministic = true})[2], 4030);
    const auto y = multiply(where, m.view(), copy_to(where, x));
    static_assert(std::same_as<decltype(y), const vector<double>>);
    EXPECT_EQ(copy_to_host(where, y), (vec{201, 0, 4030}));
  }
  EXPECT_EQ(multiply(context::best(), csr_matrix<float>({0, 2}, 0), std::vector<float>(2)).size(),
            0u);
}

TEST(Multiply, ScaledTransposedAndAdded) {
  const small_matrix m;
  const vec y{1, 5, 10};
  vec x{1, 1, 1, 1};
  multiply(context::openmp(2), scaled(2.0, transposed(m.view())), y, scaled(-1.0, x), x);
  EXPECT_EQ(x, (vec{1, 59, 3, 79}));  // 2 (1, 30, 2, 40) - 1
}

TEST(Multiply, TheAddendMayBeAnotherVector) {
  const small_matrix m;
  const vec x{1, 1, 1, 1}, z{10, 20, 30};
  vec y(3, std::numeric_limits<double>::quiet_NaN());
  multiply(context::openmp(1), m.view(), x, scaled(3.0, z), y);
  EXPECT_EQ(y, (vec{33, 60, 97}));
  EXPECT_EQ(z, (vec{10, 20, 30}));
}

TEST(Multiply, TheScaleOfTheVectorCountsToo) {
  const small_matrix m;
  const vec x{1, 1, 1, 1};
  vec y(3);
  multiply(context::openmp(1), scaled(2.0, m.view()), scaled(5.0, x), y);
  EXPECT_EQ(y, (vec{30, 0, 70}));
}

TEST(Multiply, SpansAndDenseBlocks) {
  const small_matrix m;
  double x[] = {1, 10, 100, 1000}, y[3];
  multiply(context::best(), m.view(), std::span(x), std::span(y));
  EXPECT_EQ(y[2], 4030);

  dense_matrix<double> b(4, 2), c(3, 2);
  for (index_t i = 0; i < 4; ++i) b(i, 0) = x[i], b(i, 1) = -x[i];
  multiply(context::best(), m.view(), b, c);
  EXPECT_EQ(c(0, 0), 201);
  EXPECT_EQ(c(2, 1), -4030);
  // The transposed block of a column-major one is the same memory, read the other way.
  dense_matrix<double> bt(2, 4, layout::column_major), ct(3, 2, layout::column_major);
  for (index_t i = 0; i < 4; ++i) bt(0, i) = x[i], bt(1, i) = 2 * x[i];
  multiply(context::best(), m.view(), transposed(bt), ct);
  EXPECT_EQ(ct(2, 0), 4030);
  EXPECT_EQ(ct(0, 1), 402);
}

TEST(Multiply, SparseTimesSparse) {
  const small_matrix m;
  const auto c = multiply(context::openmp(2), m.view(), transposed(m.view()));  // A A^T
  ASSERT_EQ(c.shape(), (extents{3, 3}));
  ASSERT_EQ(c.nnz(), 2);
  EXPECT_EQ(c.values()[0], 5);
  EXPECT_EQ(c.values()[1], 25);
  EXPECT_EQ(c.column_indices()[1], 2);
  EXPECT_EQ(c.index_widths(), (widths{index_width::i32, index_width::i32}));
}

TEST(Multiply, EntriesThatCancelStay) {
  const double values[] = {1, 1, 1, -1};
  const std::int32_t offsets[] = {0, 2, 3, 4}, columns[] = {1, 2, 0, 0};
  const csr_view<const double> a(values, offsets, columns, {3, 3});
  const auto c = multiply(context::openmp(1), a, a);
  ASSERT_EQ(c.row_offsets()[1], 1);
  EXPECT_EQ(c.values()[0], 0);  // 1*1 + 1*(-1)
}

TEST(Multiply, EntriesThatCancelGoWhenAskedFor) {
  // [1 -1] [1 2; 1 0] = [0 2]
  const double row[2] = {1, -1}, block[3] = {1, 2, 1};
  const std::int32_t row_offsets[2] = {0, 2}, row_columns[2] = {0, 1};
  const std::int32_t block_offsets[3] = {0, 2, 3}, block_columns[3] = {0, 1, 0};
  const csr_view<const double> a(row, row_offsets, row_columns, {1, 2});
  const csr_view<const double> b(block, block_offsets, block_columns, {2, 2});
  const auto cpu = context::openmp();
  EXPECT_EQ(multiply(cpu, a, b).nnz(), 2);
  const auto c = multiply(cpu, a, b, {.drop_zeros = true});
  ASSERT_EQ(c.nnz(), 1);
  EXPECT_EQ(c.column_indices()[0], 1);
  EXPECT_EQ(c.values()[0], 2);
  EXPECT_THROW(multiply_compute(cpu, a, b, {.drop_zeros = true}), error);
}

TEST(Multiply, PlansAreReusedAndCopied) {
  small_matrix m;
  const vec x{1, 1, 1, 1};
  vec y(3);
  const plan prepared =
      multiply_inspect(context::openmp(2), m.view(), x, y, {.expected_calls = 10});
  const plan copy = prepared;
  multiply(copy, m.view(), x, y);
  EXPECT_EQ(y, (vec{3, 0, 7}));
  m.values[0] = 11;  // values may change under a plan
  multiply(prepared, m.view(), x, scaled(1.0, y), y);
  EXPECT_EQ(y, (vec{16, 0, 14}));
  EXPECT_EQ(prepared.result_shape(), (extents{3, 1}));
}

TEST(Multiply, OnlyAPromiseLetsAPlanKeepValues) {
  small_matrix m;
  const vec x{1, 1, 1, 1};
  vec y(3);
  const auto cpu = context::openmp(2);
  for (const std::string kernel : {"spmv/csr/sell/openmp", "spmv/csr/bins/openmp"}) {
    EXPECT_THROW(multiply_inspect(cpu, m.view(), x, y, {.algorithm = kernel}), error);
    const plan prepared =
        multiply_inspect(cpu, m.view(), x, y, {.algorithm = kernel, .constant_values = true});
    const double kept = std::exchange(m.values[0], 11);
    multiply(prepared, m.view(), x, y);
    EXPECT_EQ(y, (vec{3, 0, 7})) << kernel;  // values when the plan was prepared
    m.values[0] = kept;
    multiply(cpu, m.view(), x, y, {.algorithm = kernel});  // one call needs no promise
    EXPECT_EQ(y, (vec{3, 0, 7})) << kernel;
  }
}

TEST(Multiply, TwoPhases) {
  small_matrix m;
  const plan prepared = multiply_compute(context::openmp(2), m.view(), transposed(m.view()));
  EXPECT_EQ(prepared.result_nnz(), 2);
  csr_matrix<double> c(prepared.result_shape(), prepared.result_nnz());
  multiply_fill(prepared, m.view(), transposed(m.view()), c);
  EXPECT_EQ(c.values()[1], 25);
  m.values[3] = 0;
  multiply_fill(prepared, m.view(), transposed(m.view()), c);
  EXPECT_EQ(c.values()[1], 9);
}

TEST(Multiply, FloatHasItsOwnArithmetic) {
  const float values[] = {16777216.0f, 1.0f};
  const std::int64_t offsets[] = {0, 2}, columns[] = {0, 1};
  const csr_view<const float> a(values, offsets, columns, {1, 2});
  std::vector<float> x{1, 1}, y(1);
  multiply(context::best(), a, x, y);
  EXPECT_EQ(y[0], 16777216.0f);
}

TEST(Explanations, OfProductsInOneCall) {
  const auto cpu = context::openmp(2);
  const auto a = generate::erdos_renyi<double>(cpu, 8, 4);
  for (const char* algorithm : {"", "hash", "spa", "pb", "spgemm/csr/adaptive/openmp"})
    for (const index_t limit : {0, 1'000'000'000})
      for (const filter& keep : {filter{}, filter{.largest = 2}}) {
        const options how{.algorithm = algorithm, .memory_limit = limit, .keep = keep};
        explanation why, sum_why;
        const auto c = multiply(cpu, a, a, how, why);
        EXPECT_EQ(c.nnz(), multiply(cpu, a, a, how).nnz());
        EXPECT_EQ(why.operation, "spgemm");
        EXPECT_EQ(why.memory_limit, limit);
        EXPECT_NE(why.chosen.find(algorithm), std::string::npos) << why;
        EXPECT_FALSE(why.because.empty());
        const auto sum = multiply(cpu, a, a, a, how, sum_why);
        EXPECT_EQ(sum.nnz(), multiply(cpu, a, a, a, how).nnz());
        EXPECT_NE(sum_why.chosen.find(algorithm), std::string::npos) << sum_why;
      }
}

TEST(ThePapersRule, TakesPbOrHashAndSaysWhy) {
  const auto cpu = context::openmp(2);
  // Random products hardly ever meet; of the 26 that make an entry of this mesh's square most do.
  const auto random = generate::erdos_renyi<double>(cpu, 14, 8);
  const auto mesh = generate::banded_blocks<double>(cpu, 6000, 3, 9, 20);
  const auto loose = multiply_compute(cpu, random, random, {.algorithm = "paper"});
  EXPECT_EQ(loose.kernel(), "spgemm/csr/pb/openmp");
  const auto tight = multiply_compute(cpu, mesh, mesh, {.algorithm = "paper"});
  EXPECT_EQ(tight.kernel(), "spgemm/csr/hash/openmp");
  EXPECT_NE(tight.explain().text().find("sampled"), std::string::npos) << tight.explain();
  EXPECT_EQ(tight.result_nnz(), multiply(cpu, mesh, mesh, {.algorithm = "paper"}).nnz());
  const auto limited =
      multiply_compute(cpu, mesh, mesh, {.algorithm = "paper", .memory_limit = 1'000'000'000});
  EXPECT_EQ(limited.kernel(), "spgemm/csr/hash/openmp");
  EXPECT_NE(limited.explain().because.find("counted"), std::string::npos) << limited.explain();
}

}  // namespace
}  // namespace gossamer
