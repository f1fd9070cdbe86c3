// Ordinary mistakes of callers: each is an error that says what is wrong, and none is a crash or a
// wrong product.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "expect_error.hpp"
#include "small.hpp"

namespace gossamer {
namespace {

using vec = std::vector<double>;
constexpr auto bad_argument = error_kind::bad_argument;

/// Everything that reads a CSR matrix of 3 x 4 refuses it with these words.
void expect_refused(const csr_view<const double>& a, const std::vector<std::string>& parts) {
  const auto cpu = context::openmp(2);
  const vec x(4, 1);
  vec y(3);
  dense_matrix<double> b(4, 2), c(3, 2);
  const small_matrix good;
  const plan prepared = multiply_inspect(cpu, good.view(), x, y);
  const std::function<void()> calls[] = {[&] { multiply(cpu, a, x, y); },
                                         [&] { multiply(cpu, transposed(a), y, vec(4)); },
                                         [&] { multiply(cpu, a, b, c); },
                                         [&] { multiply_inspect(cpu, a, x, y); },
                                         [&] { multiply(prepared, a, x, y); },
                                         [&] { multiply(cpu, a, transposed(good.view())); },
                                         [&] { multiply(cpu, transposed(good.view()), a); },
                                         [&] { multiply_compute(cpu, a, transposed(a)); },
                                         [&] { transpose(a); },
                                         [&] { add(a, good.view()); },
                                         [&] { convert<ell_matrix<double>>(a); },
                                         [&] { row_sums(a); },
                                         [&] { slice_rows(a, 0, 1); },
                                         [&] { spy(a); }};
  for (const auto& call : calls) expect_error(call, {bad_argument, parts});
}

TEST(Mistakes, OffsetsThatCountFromOne) {
  const std::int32_t offsets[] = {1, 3, 3, 5};
  const std::int32_t columns[] = {1, 3, 2, 4, 0};
  const double values[] = {1, 2, 3, 4, 0};
  expect_refused({values, offsets, columns, {3, 4}}, {"begin at 1", "expected 0", "count from 1"});
  const vec x(3, 1);
  vec y(4);
  expect_error(
      [&] {
        multiply(context::openmp(1), csc_view<const double>(values, offsets, columns, {4, 3}), x,
                 y);
      },
      {bad_argument, {"begin at 1"}});
}

TEST(Mistakes, OffsetsOfARangeOfRowsThatWereNotRebased) {
  // Rows 2 to 4 of a matrix of five rows.
  const std::int32_t offsets[] = {0, 2, 4, 6, 7, 8};
  const std::int32_t columns[] = {0, 1, 2, 3, 0, 2, 1, 3};
  const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  expect_refused({values, offsets + 2, columns, {3, 4}}, {"begin at 4", "slice_rows"});
}

TEST(Mistakes, OffsetsThatEndElsewhere) {
  const small_matrix m;
  expect_refused({{3, 4}, {m.offsets, 4}, {m.columns, 3}, m.values}, {"end at 4", "there are 3"});
}

TEST(Mistakes, SlicesThatEndElsewhere) {
  const small_matrix m;
  const auto s = convert<sellp_matrix<double>>(m.view(), {.slice = 2});
  auto view = s.view();
  const std::int32_t offsets[] = {0, 1, 2};
  view.slice_offsets = {offsets, 3};
  vec y(3);
  expect_error([&] { multiply(context::openmp(1), view, vec(4), y); },
               {bad_argument, {"offsets end at 2"}});
}

TEST(Mistakes, NullOffsetsOfAnEmptyRank) {
  const double* const values = nullptr;
  const std::int32_t* const nothing = nullptr;
  const csr_view<const double> empty(values, nothing, nothing, {0, 4});
  EXPECT_EQ(empty.nnz(), 0);
  vec y;
  multiply(context::openmp(2), empty, vec(4, 1), y);
  multiply(context::openmp(2), transposed(empty), y, vec(4));
  EXPECT_EQ(multiply(context::openmp(2), empty, identity<double>(4)).nnz(), 0);
  const csr_view<const double> broken(values, nothing, nothing, {3, 4});
  expect_refused(broken, {"null pointer"});
  const csc_view<const double> columns(values, nothing, nothing, {4, 0});
  vec z(4, 5);
  multiply(context::openmp(2), columns, vec{}, z);
  EXPECT_EQ(z, vec(4, 0));
}

TEST(Mistakes, TripletsOutOfRange) {
  for (const auto& [row, column, part] :
       {std::tuple{3, 0, "row 3"}, std::tuple{0, 4, "column 4"}, std::tuple{-1, 0, "row -1"}}) {
    coo_matrix<double> a({3, 4}, 2);
    const auto out = a.mutable_view();
    out.rows.as<std::int32_t>()[0] = row, out.rows.as<std::int32_t>()[1] = 1;
    out.columns.as<std::int32_t>()[0] = column, out.columns.as<std::int32_t>()[1] = 1;
    expect_error([&] { convert<csr_matrix<double>>(a); },
                 {bad_argument, {"position 0", part, "3 x 4"}});
    expect_error([&] { convert<csr_matrix<double>>(transposed(a)); },
                 {bad_argument, {"position 0"}});
    expect_error([&] { convert<sellp_matrix<double>>(a); }, {bad_argument, {"position 0"}});
  }
}

TEST(Mistakes, ExpressionsOfTemporariesKeepThem) {
  const auto cpu = context::openmp(2);
  const small_matrix m;
  const auto half = scaled(0.5, multiply(cpu, m.view(), transposed(m.view())));
  static_assert(!std::same_as<std::remove_cvref_t<decltype(half)>, expression<double>>);
  const auto turned = transposed(scaled(2.0, convert<csr_matrix<double>>(m.view())));
  const auto ones = scaled(3.0, vec(4, 1));
  std::vector<csr_matrix<double>> churn;  // takes the memory that a dangling expression would read
  for (int k = 0; k < 8; ++k) churn.push_back(identity<double>(4));
  EXPECT_EQ(multiply(cpu, half, vec{1, 1, 1}), (vec{2.5, 0, 12.5}));
  EXPECT_EQ(multiply(cpu, turned, vec{1, 1, 1}), (vec{2, 6, 4, 8}));
  vec y(3);
  multiply(cpu, m.view(), ones, y);
  EXPECT_EQ(y, (vec{9, 0, 21}));
  const auto twice = scaled(2.0, half);  // borrows from half
  EXPECT_EQ(multiply(cpu, twice, vec{1, 1, 1}), (vec{5, 0, 25}));
  EXPECT_EQ(add(cpu, scaled(1.0, identity<double>(3)), half)(2, 2), 13.5);
}

TEST(Mistakes, APlanForConstantValuesTakesNoOtherMatrix) {
  small_matrix m, other;
  other.values[0] = 100;
  const vec x(4, 1);
  vec y(3);
  for (const std::string kernel : {"", "spmv/csr/rows/openmp", "spmv/csr/sell/openmp"}) {
    const plan kept = multiply_inspect(context::openmp(2), m.view(), x, y,
                                       {.algorithm = kernel, .constant_values = true});
    multiply(kept, m.view(), x, y);
    EXPECT_EQ(y, (vec{3, 0, 7}));
    expect_error([&] { multiply(kept, other.view(), x, y); },
                 {bad_argument, {"constant_values", "another matrix", "make a new plan"}});
  }
  const plan free = multiply_inspect(context::openmp(2), m.view(), x, y);
  multiply(free, other.view(), x, y);  // promises nothing, keeps nothing
  EXPECT_EQ(y, (vec{102, 0, 7}));
  dense_matrix<double> b(4, 3), c(3, 3);
  const plan block =
      multiply_inspect(context::openmp(2), m.view(), b, c, {.constant_values = true});
  expect_error([&] { multiply(block, other.view(), b, c); }, {bad_argument, {"another matrix"}});
}

TEST(Mistakes, NumbersThatMeanNothing) {
  const auto cpu = context::openmp(2);
  const small_matrix m;
  const vec x(4, 1);
  vec y(3);
  const auto expect_refused_everywhere = [&](const options& how, const std::string& part) {
    expect_error([&] { multiply(cpu, m.view(), x, y, how); }, {bad_argument, {part}});
    expect_error([&] { multiply_inspect(cpu, m.view(), x, y, how); }, {bad_argument, {part}});
    expect_error([&] { multiply(cpu, m.view(), transposed(m.view()), how); },
                 {bad_argument, {part}});
    expect_error([&] { multiply_compute(cpu, m.view(), transposed(m.view()), how); },
                 {bad_argument, {part}});
  };
  expect_refused_everywhere({.expected_calls = 0}, "expected_calls is 0");
  expect_refused_everywhere({.expected_calls = -7}, "expected_calls is -7");
  expect_refused_everywhere({.threads = -1}, "-1 threads");
  expect_refused_everywhere({.memory_limit = -1}, "memory limit is -1");
  expect_error([&] { context::openmp(-1); }, {bad_argument, {"-1 threads"}});
  expect_error([&] { multiply(cpu, m.view(), x, y, {.drop_zeros = true}); },
               {bad_argument, {"drop_zeros", "dense"}});
}

TEST(Mistakes, ViewsOfVectorsWithMissingValues) {
  const std::vector<int> offsets{0, 1, 2}, columns{0, 1};
  const vec values{1};
  expect_error(
      [&] {
        csr_view<const double>(values, offsets, columns, {2, 2});
      },
      {bad_argument, {"2 indices", "1 values"}});
}

// Run once more with GOSSAMER_VALIDATE=1, see CMakeLists.txt.
TEST(Validating, EveryOperandOfEveryCall) {
  if (!validates_operands()) GTEST_SKIP() << "GOSSAMER_VALIDATE is not set";
  const auto cpu = context::openmp(2);
  small_matrix m;
  const vec x(4, 1);
  vec y(3);
  const plan prepared = multiply_inspect(cpu, m.view(), x, y);
  multiply(prepared, m.view(), x, y);
  EXPECT_EQ(y, (vec{3, 0, 7}));
  m.columns[3] = 4;
  const error_kind kind = error_kind::bad_input;
  const std::vector<std::string> parts{"row 2, entry 1: column 4 is not in [0, 4)"};
  expect_error([&] { multiply(cpu, m.view(), x, y); }, {kind, parts});
  expect_error([&] { multiply(prepared, m.view(), x, y); }, {kind, parts});
  expect_error([&] { multiply(cpu, m.view(), identity<double>(4)); }, {kind, parts});
  expect_error([&] { multiply(cpu, identity<double>(3), m.view()); }, {kind, parts});
  expect_error([&] { transpose(m.view()); }, {kind, parts});
  expect_error([&] { column_sums(m.view()); }, {kind, parts});
  expect_error([&] { same(m.view(), m.view()); }, {kind, parts});
  expect_error([&] { analyse(cpu, m.view()); }, {kind, parts});
}

}  // namespace
}  // namespace gossamer
