// All variants of a row are bitwise the same: sorted, under a bitmap, by all threads; in one call
// and by a plan.
#include <gtest/gtest.h>

#include "gossamer/generate.hpp"
#include "gossamer/multiply.hpp"
#include "same_bits.hpp"

namespace gossamer {
namespace {

template <class T>
void expect_same(const csr_matrix<T>& found, const csr_matrix<T>& wanted, const std::string& what) {
  if (same_bits(found, wanted)) return;
  ASSERT_EQ(found.nnz(), wanted.nnz()) << what;
  const auto f = found.view(), w = wanted.view();
  for (index_t i = 0; i <= wanted.rows(); ++i) ASSERT_EQ(f.offsets[i], w.offsets[i]) << what;
  for (index_t k = 0; k < wanted.nnz(); ++k) {
    ASSERT_EQ(f.columns[k], w.columns[k]) << what;
    ASSERT_EQ(f.values[k], w.values[k]) << what << ", entry " << k;
  }
  FAIL() << what << ": equal numbers of other widths or with other bits";
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
      const auto prepared =
          multiply_compute(cpu, a, b, {.algorithm = "adaptive", .tuning = tuning});
      csr_matrix<T> filled(prepared.result_shape(), prepared.result_nnz());
      multiply_fill(prepared, a, b, filled);
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

/// Nonzeros of a matrix row by row, to be changed before the matrix is built.
struct entry_list {
  std::vector<std::vector<std::pair<index_t, double>>> rows;
  index_t cols = 0;

  explicit entry_list(const csr_matrix<double>& from)
      : rows(static_cast<std::size_t>(from.rows())), cols(from.cols()) {
    const auto view = from.view();
    for (index_t i = 0; i < from.rows(); ++i)
      for (index_t k = view.offsets[i]; k < view.offsets[i + 1]; ++k)
        rows[static_cast<std::size_t>(i)].emplace_back(view.columns[k],
                                                       1 + 0.1 * static_cast<double>(k % 17));
  }
  template <class I = std::int32_t>
  csr_matrix<double> matrix() const {
    index_t nnz = 0;
    for (const auto& row : rows) nnz += static_cast<index_t>(row.size());
    csr_matrix<double> to({static_cast<index_t>(rows.size()), cols}, nnz,
                          {width_of<I>, width_of<I>});
    const auto view = to.mutable_view();
    const auto offsets = view.offsets.template as<I>(), columns = view.columns.template as<I>();
    std::size_t at = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      offsets[i] = static_cast<I>(at);
      for (const auto& [column, value] : rows[i]) {
        columns[at] = static_cast<I>(column);
        view.values[at++] = value;
      }
    }
    offsets[rows.size()] = static_cast<I>(at);
    return to;
  }
};

TEST(adaptive, rows_that_repeat) {
  const auto cpu = context::openmp(2);
  const auto five = entry_list(generate::poisson2d<double>(cpu, 50, 40));
  expect_same_by_all_means(five.matrix(), five.matrix(), "5-point");
  expect_same_by_all_means(five.matrix<std::int64_t>(), five.matrix<std::int64_t>(), "64 bits");
  expect_same_by_all_means(transposed(five.matrix()), five.matrix(), "5-point transposed");
  expect_same_by_all_means(five.matrix(), transposed(five.matrix()), "5-point by its transposed");
  const auto seven = generate::poisson3d<float>(cpu, 14, 14, 14);
  expect_same_by_all_means(scaled(0.3F, seven), seven, "7-point, scaled, float");
  const auto band = generate::by_name<double>(cpu, "banded", {"rows=400", "block=1", "band=20"});
  expect_same_by_all_means(band, band, "band");
}

TEST(adaptive, rows_that_nearly_repeat) {
  const auto cpu = context::openmp(2);
  const auto mesh = entry_list(generate::poisson2d<double>(cpu, 50, 40));
  const auto expect = [&](const std::string& what, auto&& change) {
    auto changed = mesh;
    for (std::size_t i = 0; i < changed.rows.size(); i += 37) change(changed.rows[i], i);
    expect_same_by_all_means(changed.matrix(), changed.matrix(), what);
    expect_same_by_all_means(mesh.matrix(), changed.matrix(), what + " in B");
    expect_same_by_all_means(changed.matrix(), mesh.matrix(), what + " in A");
  };
  expect("other columns", [](auto& row, std::size_t i) {
    row.back().first = static_cast<index_t>((i * 31 + 1999) % 2000);
  });
  expect("empty rows", [](auto& row, std::size_t) { row.clear(); });
  expect("one entry less", [](auto& row, std::size_t) { row.pop_back(); });
  expect("duplicates", [](auto& row, std::size_t) { row.push_back(row.back()); });
  expect("out of order", [](auto& row, std::size_t) { std::swap(row.front(), row.back()); });
  auto broken = mesh;  // from the middle on
  for (std::size_t i = 1000; i < broken.rows.size(); ++i)
    broken.rows[i][0].first = static_cast<index_t>(i * i % 2000);
  expect_same_by_all_means(broken.matrix(), broken.matrix(), "random from the middle on");
  auto dense = mesh;
  for (index_t column = 0; column < 2000; ++column) dense.rows[777].emplace_back(column, 0.5);
  expect_same_by_all_means(dense.matrix(), mesh.matrix(), "one dense row");
}

TEST(adaptive, repeated_rows_with_infinite_values_and_filters) {
  const auto cpu = context::openmp(2);
  auto list = entry_list(generate::poisson2d<double>(cpu, 50, 40));
  list.rows[500][1].second = std::numeric_limits<double>::infinity();
  const auto a = list.matrix();
  const auto b = entry_list(generate::poisson2d<double>(cpu, 50, 40)).matrix();
  expect_same_by_all_means(a, b, "an infinite value");
  const options keep{.keep = {.largest = 3}};
  auto by_adaptive = keep;
  by_adaptive.algorithm = "adaptive";
  expect_same(multiply(cpu, b, b, by_adaptive), multiply(context::reference(), b, b, keep),
              "three of each row");
}

}  // namespace
}  // namespace gossamer
