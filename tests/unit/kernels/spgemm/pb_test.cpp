// Propagation blocking: every parameter gives bitwise the same result, keys of 4 and of 8 bytes,
// skewed products, memory limits that force slices.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gossamer/gossamer.hpp"
#include "kernels/spgemm/pb/pb_bins.hpp"
#include "same_bits.hpp"

namespace gossamer {

namespace {

/// Rows of given lengths with random columns (duplicates happen) and values.
csr_matrix<double> random_rows(extents shape, const std::vector<index_t>& lengths, unsigned seed) {
  std::mt19937_64 random(seed);
  index_t nnz = 0;
  for (const index_t n : lengths) nnz += n;
  csr_matrix<double> a(shape, nnz, {index_width::i64, index_width::i64});
  const auto view = a.mutable_view();
  auto offsets = view.offsets.as<std::int64_t>(), columns = view.columns.as<std::int64_t>();
  index_t at = 0;
  for (index_t i = 0; i < shape.rows; ++i) {
    for (index_t k = 0; k < lengths[static_cast<std::size_t>(i)]; ++k, ++at) {
      columns[static_cast<std::size_t>(at)] =
          static_cast<index_t>(random() % static_cast<std::uint64_t>(shape.cols));
      view.values[at] = static_cast<double>(random() % 1000) / 64.0 - 7;
    }
    offsets[static_cast<std::size_t>(i + 1)] = at;
  }
  return a;
}

csr_matrix<double> square(index_t n, index_t per_row, unsigned seed) {
  return random_rows({n, n}, std::vector<index_t>(static_cast<std::size_t>(n), per_row), seed);
}

csr_matrix<double> product(const csr_matrix<double>& a, const csr_matrix<double>& b,
                           options how = {}, int threads = 2) {
  how.algorithm = "pb";
  return multiply(context::openmp(threads), a, b, how);
}

/// Sums in the order of the inner index, as the stable sort has them. Rows of A ascend only when
/// sorted, so the reference gets A with sorted rows: its own order is that of the entries.
void expect_right(const csr_matrix<double>& found, const csr_matrix<double>& a,
                  const csr_matrix<double>& b) {
  const auto wanted = multiply(context::reference(), a, b);
  ASSERT_EQ(found.shape(), wanted.shape());
  ASSERT_TRUE(same_indices(found.row_offsets(), wanted.row_offsets()));
  ASSERT_TRUE(same_indices(found.column_indices(), wanted.column_indices()));
  const double* f = found.values().data();
  const double* w = wanted.values().data();
  for (index_t p = 0; p < found.nnz(); ++p)
    if (!(std::abs(f[p] - w[p]) <= 1e-9)) FAIL() << "entry " << p << ": " << f[p] << ", " << w[p];
}

TEST(PropagationBlocking, ParametersChangeNoBit) {
  const auto a = square(700, 12, 1), b = square(700, 9, 2);
  const auto wanted = product(a, b);
  expect_right(wanted, a, b);
  for (const char* tuning :
       {"bins=1", "bins=7", "bins=3000", "bins=100000", "local_bytes=1", "local_bytes=4096",
        "balance=even", "balance=even,bins=13", "sockets=3", "sockets=3000", "sockets=5000",
        "sockets=2,bins=40,local_bytes=200,balance=flop"})
    for (const int threads : {1, 2, 5})
      EXPECT_TRUE(same_bits(product(a, b, {.tuning = tuning}, threads), wanted))
          << tuning << ", " << threads << " threads";
}

TEST(PropagationBlocking, FlagSortIsTheSameForEveryTeam) {
  const auto a = square(2000, 12, 3);
  const auto wanted = product(a, a, {.tuning = "sort=flag,bins=9"}, 1);
  expect_right(wanted, a, a);
  for (const int threads : {2, 3, 8})
    EXPECT_TRUE(same_bits(product(a, a, {.tuning = "sort=flag,bins=9"}, threads), wanted));
}

TEST(PropagationBlocking, WideColumns) {
  const index_t inner = 500;
  const auto a = square(inner, 20, 4);
  for (const index_t columns :
       {index_t{1} << 24, (index_t{1} << 24) + 1, index_t{1} << 31, (index_t{1} << 31) + 1,
        index_t{1} << 32, (index_t{1} << 40) + 3, (index_t{1} << 61) + 1}) {
    const auto b = random_rows({inner, columns}, std::vector<index_t>(inner, 30), 5);
    const auto c = product(a, b);
    expect_right(c, a, b);
    EXPECT_TRUE(same_bits(product(a, b, {.tuning = "bins=3"}), c)) << columns;
    EXPECT_TRUE(same_bits(product(a, b, {.tuning = "sockets=2,balance=even"}), c)) << columns;
  }
}

TEST(PropagationBlocking, SkewedProducts) {
  // A dense row, a dense column that meets a dense row of B, and rows without products.
  const index_t n = 700;
  std::vector<index_t> lengths(static_cast<std::size_t>(n), 1);
  lengths[17] = 1000;
  for (std::size_t i = 200; i < 400; ++i) lengths[i] = 0;
  auto a = random_rows({n, n}, lengths, 6);
  const auto view = a.mutable_view();
  for (index_t p = 0; p < a.nnz(); p += 2)
    view.columns.as<std::int64_t>()[static_cast<std::size_t>(p)] = 17;
  const auto wanted = product(a, a, {}, 1);
  expect_right(wanted, a, a);
  for (const char* tuning : {"balance=even", "balance=flop", "bins=50", "bins=50,balance=even"})
    for (const int threads : {1, 2, 7})
      EXPECT_TRUE(same_bits(product(a, a, {.tuning = tuning}, threads), wanted)) << tuning;
}

TEST(PropagationBlocking, SkewedProductsGetBinsOfDifferentRows) {
  std::vector<index_t> products(1001);
  for (std::size_t i = 0; i < 1000; ++i) products[i + 1] = products[i] + (i < 10 ? 10'000 : 1);
  problem p;
  p.result = {1000, 1000};
  const auto layout = lay_out_bins(p, products, pb_settings("bins=10"), products.back());
  ASSERT_EQ(layout.slices.size(), 1u);
  const auto& slice = layout.slices[0];
  EXPECT_EQ(slice.first_row[1], 2);  // a heavy row is less than a tenth of all products
  EXPECT_LE(slice.largest_bin, 20'000);
  EXPECT_EQ(slice.first_row.back(), 1000);
  EXPECT_FALSE(layout.wide);
  const auto even = lay_out_bins(p, products, pb_settings("bins=10,balance=even"), products.back());
  EXPECT_EQ(even.slices[0].first_row[1], 100);
}

TEST(PropagationBlocking, MemoryLimitsMakeSlices) {
  const auto a = square(2000, 30, 7);
  const auto wanted = product(a, a);
  const index_t result = wanted.nnz() * 12 + 2001 * 4;
  int kept = 0, refused = 0;
  for (const index_t extra : {28'000'000, 8'400'000, 2'800'000, 2'200'000, 1'700'000, 0}) {
    try {
      EXPECT_TRUE(same_bits(product(a, a, {.memory_limit = result + extra}), wanted)) << extra;
      ++kept;
    } catch (const error& e) {
      EXPECT_EQ(e.kind(), error_kind::memory_limit) << e.what();
      ++refused;
    }
  }
  EXPECT_GE(kept, 4);
  EXPECT_GE(refused, 1);
}

TEST(PropagationBlocking, RefillsFollowTheValues) {
  auto a = square(1000, 10, 8);
  const auto cpu = context::openmp(2);
  const auto prepared = multiply_compute(cpu, a, a, {.algorithm = "pb"});
  EXPECT_EQ(prepared.explain().phases.size(), 4u);  // all but the conversion
  csr_matrix<double> c(prepared.result_shape(), prepared.result_nnz());
  for (int round = 0; round < 2; ++round) {
    multiply_fill(prepared, a, a, c);
    EXPECT_TRUE(same_bits(c, product(a, a)));
    for (double& v : a.values()) v += 1.5;
  }
}

std::vector<std::string> names(const std::vector<phase>& phases) {
  std::vector<std::string> all;
  for (const auto& one : phases) all.push_back(one.name);
  return all;
}

TEST(PropagationBlocking, AProductTellsItsPhases) {
  const auto a = square(2000, 10, 11);
  const std::vector<std::string> all{"symbolic", "expand", "sort", "compress", "convert"};
  explanation why;
  why.phases = {{"of another product", 1, 1}};
  const auto c = multiply(context::openmp(2), a, a, {.algorithm = "pb"}, why);
  EXPECT_TRUE(same_bits(c, product(a, a)));
  EXPECT_EQ(why.chosen, "spgemm/csr/pb/openmp");
  EXPECT_EQ(why.all.size(), 1u);
  ASSERT_EQ(names(why.phases), all);
  const double tuple = 12, entries = tuple * static_cast<double>(c.nnz());
  EXPECT_EQ(why.phases[3].bytes, entries);
  EXPECT_EQ(why.phases[4].bytes, 2 * entries);
  for (const auto& one : why.phases) EXPECT_GT(one.seconds, 0) << one.name;

  // A plan prepares and a run fills: together they are the product, in several slices here.
  explanation limited;
  const index_t room = c.nnz() * 12 + 2001 * 4 + 2'000'000;
  multiply(context::openmp(2), a, a, {.algorithm = "pb", .memory_limit = room}, limited);
  ASSERT_EQ(names(limited.phases), all);
  EXPECT_EQ(limited.memory_limit, room);
  EXPECT_GT(limited.phases[1].bytes, why.phases[1].bytes);  // B once per slice
  EXPECT_EQ(limited.phases[2].bytes, why.phases[2].bytes);
  EXPECT_EQ(limited.phases[4].bytes, why.phases[4].bytes);
}

TEST(PropagationBlocking, UnknownParametersAreRefused) {
  const auto a = square(10, 2, 9);
  EXPECT_THROW(product(a, a, {.tuning = "bin=3"}), error);
  EXPECT_THROW(multiply(context::openmp(1), a, a, {.algorithm = "hash", .tuning = "bins=3"}),
               error);
}

}  // namespace

}  // namespace gossamer
