// Rows by different means have the same bits: sorted, under a bitmap, by a whole team; in one go
// and by a plan.
#include <gtest/gtest.h>

#include "gossamer/generate.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer {
namespace {

template <class T>
void expect_same(const csr_matrix<T>& found, const csr_matrix<T>& wanted, const std::string& what) {
  ASSERT_EQ(found.nnz(), wanted.nnz()) << what;
  const auto f = found.view(), w = wanted.view();
  for (index_t i = 0; i <= wanted.rows(); ++i) ASSERT_EQ(f.offsets[i], w.offsets[i]) << what;
  for (index_t k = 0; k < wanted.nnz(); ++k) {
    ASSERT_EQ(f.columns[k], w.columns[k]) << what;
    ASSERT_EQ(f.values[k], w.values[k]) << what << ", entry " << k;
  }
}

template <class A, class B>
void expect_same_by_all_means(const A& a, const B& b, const std::string& what) {
  using T = value_of<A>;
  const auto reference = multiply(context::reference(), a, b);
  for (const int threads : {1, 3}) {
    const auto cpu = context::openmp(threads);
    for (const auto* tuning : {"sorted=0", "sorted=16", "sorted=300", "sorted=512", "long=100",
                               "long=100,sorted=0", "long=40000"}) {
      const auto how = what + ", " + tuning + ", " + std::to_string(threads) + " threads";
      expect_same<T>(multiply(cpu, a, b, {.algorithm = "adaptive", .tuning = tuning}), reference,
                     how);
      const auto made = multiply_compute(cpu, a, b, {.algorithm = "adaptive", .tuning = tuning});
      csr_matrix<T> filled(made.result_shape(), made.result_nnz());
      multiply_fill(made, a, b, filled);
      expect_same<T>(filled, reference, how + ", by a plan");
    }
  }
}

/// team_for_products starts a second thread at 40,000 products: these matrices have more.
TEST(adaptive, scattered_columns) {
  const auto cpu = context::openmp(2);
  for (const index_t edges : {10, 20})
    expect_same_by_all_means(generate::erdos_renyi<double>(cpu, 9, edges),
                             generate::erdos_renyi<double>(cpu, 9, edges, 2),
                             "er " + std::to_string(edges));
}

TEST(adaptive, columns_in_runs) {
  const auto cpu = context::openmp(2);
  const auto a = generate::by_name<float>(cpu, "banded", {"rows=150", "block=4", "band=34"});
  expect_same_by_all_means(a, a, "banded, float");
  expect_same_by_all_means(transposed(a), a, "banded transposed, float");
  const auto mesh = generate::poisson3d<double>(cpu, 7, 7, 7, generate::stencil::finite_element);
  expect_same_by_all_means(mesh, mesh, "27-point");
}

TEST(adaptive, very_long_rows) {
  const auto cpu = context::openmp(2);
  const auto a =
      generate::by_name<double>(cpu, "dense-row", {"rows=3000", "per-row=4", "dense=2500"});
  expect_same_by_all_means(a, a, "dense row");
  expect_same_by_all_means(a, transposed(a), "dense row and column");
  const auto graph = generate::by_name<double>(cpu, "rmat", {"scale=9", "edge-factor=8"});
  expect_same_by_all_means(graph, graph, "rmat");
}

TEST(adaptive, right_factors_with_one_entry_in_each_row) {
  const auto cpu = context::openmp(2);
  const auto a = generate::poisson2d<double>(cpu, 120, 120);
  const auto p =
      generate::by_name<double>(cpu, "aggregation", {"nx=120", "ny=120", "nz=1", "block=3"});
  expect_same_by_all_means(a, p, "A P");
}

}  // namespace
}  // namespace gossamer
