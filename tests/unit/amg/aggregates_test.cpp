// Independent sets of distance two, aggregates and tentative prolongators: their definitions.
#include <gtest/gtest.h>

#include <set>

#include "amg/prolongator.hpp"
#include "problems.hpp"

namespace gossamer::amg {
namespace {

graph_view graph_of(const csr_matrix<double>& a) {
  return {a.rows(), a.row_offsets(), a.column_indices().as<std::int32_t>().data()};
}

/// Nodes within two edges of `from`.
std::set<index_t> within_two(const csr_matrix<double>& a, index_t from) {
  std::set<index_t> found{from};
  for (int step = 0; step < 2; ++step) {
    const auto before = found;
    for (const index_t v : before)
      for (index_t p = a.row_offsets()[v]; p < a.row_offsets()[v + 1]; ++p)
        found.insert(a.column_indices()[p]);
  }
  return found;
}

csr_matrix<double> some_graph() {
  const auto cpu = context::openmp(1);
  auto a = symmetrise<double>(cpu, generate::rmat<double>(cpu, 9, 4));
  return add(cpu, a, identity<double>(a.rows()));
}

TEST(AmgSets, AreIndependentAndMaximal) {
  const auto cpu = context::openmp(1);
  for (const auto& a : {some_graph(), generate::poisson2d<double>(cpu, 30, 20),
                        generate::poisson3d<double>(cpu, 9, 8, 7)}) {
    for (const std::uint64_t seed : {1, 2, 77}) {
      const auto set = distance_two_set(1, graph_of(a), seed);
      for (index_t v = 0; v < a.rows(); ++v) {
        if (set[v] == mis_state::isolated) continue;
        index_t members = 0;
        for (const index_t w : within_two(a, v)) members += set[w] == mis_state::in;
        if (set[v] == mis_state::in) {
          EXPECT_EQ(members, 1) << "node " << v << " has another member nearby";
        } else {
          EXPECT_GE(members, 1) << "node " << v << " could be a member";
        }
      }
    }
  }
}

TEST(AmgSets, DependOnTheSeedAndNotOnThreads) {
  const auto a = generate::poisson3d<double>(context::openmp(1), 20, 20, 20);
  const auto one = aggregate<double>(1, a.view(), 5);
  for (const int threads : {2, 3, 8}) {
    const auto many = aggregate<double>(threads, a.view(), 5);
    EXPECT_EQ(many.count, one.count);
    EXPECT_TRUE(std::equal(one.of.span().begin(), one.of.span().end(), many.of.span().begin()));
  }
  const auto other = aggregate<double>(1, a.view(), 6);
  EXPECT_FALSE(std::equal(one.of.span().begin(), one.of.span().end(), other.of.span().begin()));
}

TEST(AmgAggregates, HoldEveryNodeThatHasANeighbour) {
  triplets t;
  for (index_t i = 0; i < 12; ++i) t.add(i, i, 1);
  for (index_t i = 0; i < 10; ++i)
    if (i != 4) t.connect(i, i + 1 == 10 ? 0 : i + 1, 1);  // a path; 10 and 11 are alone
  const auto a = t.matrix(12);
  const auto found = aggregate<double>(1, a.view(), 1);
  for (index_t i = 0; i < 10; ++i) EXPECT_GE(found.of[i], 0) << i;
  EXPECT_EQ(found.of[10], -1);
  EXPECT_EQ(found.of[11], -1);
  std::set<std::int32_t> numbers(found.of.span().begin(), found.of.span().end());
  numbers.erase(-1);
  EXPECT_EQ(static_cast<index_t>(numbers.size()), found.count);
  EXPECT_EQ(*numbers.rbegin(), found.count - 1);
}

TEST(AmgTentative, IsOrthonormalAndReproducesItsVectors) {
  const auto plate = make_plate(6);
  const index_t n = plate.a.rows(), k = 3;
  buffer<double> vectors(n * k);
  for (index_t i = 0; i < n; ++i)
    for (index_t c = 0; c < k; ++c) vectors[i * k + c] = plate.motions(i, c);
  const aggregation nodes = [&] {
    aggregation made{buffer<std::int32_t>(n / 2), 4};
    for (index_t v = 0; v < n / 2; ++v) made.of[v] = static_cast<std::int32_t>(v % 4);
    return made;
  }();
  const auto t = make_tentative<double>(1, nodes, 2, k, vectors);
  EXPECT_EQ(t.dependent, 0);
  const auto matrix = tentative_matrix<double>(1, nodes, 2, t);
  const auto cpu = context::openmp(1);
  const auto square = multiply(cpu, transposed(matrix), matrix);
  EXPECT_TRUE(allclose(square, identity<double>(12), 1e-12, 1e-12));
  for (index_t c = 0; c < k; ++c) {
    std::vector<double> x(12);
    for (index_t i = 0; i < 12; ++i) x[static_cast<std::size_t>(i)] = t.coarse[i * k + c];
    const auto y = multiply(cpu, matrix, x);
    for (index_t i = 0; i < n; ++i)
      EXPECT_NEAR(y[static_cast<std::size_t>(i)], vectors[i * k + c], 1e-10) << i << ", " << c;
  }
}

TEST(AmgTentative, CountsDirectionsThatAnAggregateLacks) {
  // One node of two rows cannot represent three vectors.
  const buffer<double> vectors(std::span<const double>(std::vector<double>{1, 0, 5, 0, 1, 7}));
  const aggregation one{buffer<std::int32_t>(std::span<const std::int32_t>(std::vector{0})), 1};
  const auto t = make_tentative<double>(1, one, 2, 3, vectors);
  EXPECT_EQ(t.dependent, 1);
  EXPECT_EQ(t.values[2], 0);
  EXPECT_EQ(t.values[5], 0);
}

TEST(AmgProlongator, InOnePassIsTheProductOfTwoMatrices) {
  const auto cpu = context::openmp(2);
  const auto plate = make_plate(8);
  const auto* a = &plate.a;
  {
    for (const index_t block : {index_t{1}, index_t{2}}) {
      const index_t n = a->rows(), k = block;
      buffer<double> vectors(n * k);
      for (index_t i = 0; i < n; ++i)
        for (index_t c = 0; c < k; ++c)
          vectors[i * k + c] = 1 + 0.1 * static_cast<double>((i * 7 + c * 3) % 5);
      const auto strong =
          connect<double>(1, a->view(), look_at_rows<double>(1, a->view(), {}, 0), {}, 0.25, block);
      const auto nodes = aggregate<double>(1, strong.graph, 1);
      const auto t = make_tentative<double>(1, nodes, block, k, vectors);
      const smoothing_step<double> by{strong.smoothing, strong.facts.diagonal.data(), 0.6, block};
      const auto p = smooth_prolongator<double>(2, by, nodes, t);
      std::vector<double> scale(static_cast<std::size_t>(n));
      for (index_t i = 0; i < n; ++i)
        scale[static_cast<std::size_t>(i)] = 0.6 / strong.facts.diagonal[i];
      const auto scaled_a = multiply(cpu, diagonal(scale), strong.smoothing);
      const auto smoother = add(cpu, identity<double>(n), scaled(-1.0, scaled_a));
      const auto wanted = multiply(cpu, smoother, tentative_matrix<double>(1, nodes, block, t));
      EXPECT_EQ(p.nnz(), wanted.nnz());
      EXPECT_TRUE(allclose(p, wanted, 1e-12, 1e-14));
      auto again = smooth_prolongator<double>(1, by, nodes, t);
      for (auto& v : again.values()) v = 0;
      resmooth_prolongator<double>(3, by, nodes, t, again);
      EXPECT_TRUE(same(again, p));
    }
  }
}

TEST(AmgStrength, WeakConnectionsGoToTheDiagonal) {
  const auto a = diffusion(
      8, [](auto, auto) { return 1.0; }, [](auto, auto) { return 0.01; });
  const auto strong =
      connect<double>(2, a.view(), look_at_rows<double>(2, a.view(), {}, 0), {}, 0.25, 1);
  EXPECT_EQ(strong.weak, 2 * 8 * 7);
  const std::vector<double> ones(64, 1.0);
  const auto cpu = context::openmp(1);
  const auto whole = multiply(cpu, a, ones), kept = multiply(cpu, strong.smoothing, ones);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_NEAR(whole[i], kept[i], 1e-14);
  auto changed = a;
  for (auto& v : changed.values()) v *= 3;
  auto refiltered = strong.filtered;
  refilter<double>(1, changed.view(), refiltered);
  EXPECT_TRUE(allclose(refiltered, scaled(3.0, strong.filtered), 1e-14, 0));
}

}  // namespace
}  // namespace gossamer::amg
