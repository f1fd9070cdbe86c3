// Matrices renumbered by the parts of a graph.
#include <algorithm>
#include <numeric>

#include "gossamer/distributed.hpp"
#include "gossamer/generate.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

/// The whole renumbered matrix, on rank 0, is P A P' of the original numbers.
void expect_renumbered(const reordered<double>& r, const csr_matrix<double>& whole) {
  const auto& ranks = r.matrix.ranks();
  ASSERT_EQ(static_cast<index_t>(r.original.size()), r.matrix.local_rows());
  std::vector<double> numbers(r.original.begin(), r.original.end());
  const auto order = gather(ranks, r.matrix.row_partition(), std::span<const double>(numbers));
  const auto found = gather(cpu, r.matrix);
  if (ranks.rank() != 0) return;
  const std::vector<index_t> all(order.begin(), order.end());
  auto sorted = all;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<index_t>(i));
  EXPECT_TRUE(same(found, permute(cpu, whole, all)));
}

TEST(Reorder, GivenPartsMoveRowsAndColumns) {
  const auto ranks = communicator::world();
  const auto whole = generate::rmat<double>(cpu, 6, 4);
  const auto a = distributed(ranks, whole);
  std::vector<int> parts(static_cast<std::size_t>(a.local_rows()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = static_cast<int>((static_cast<std::size_t>(a.first_row()) + i) * 7 %
                                static_cast<std::size_t>(ranks.size()));
  expect_renumbered(regroup(cpu, a, parts), whole);
  std::fill(parts.begin(), parts.end(), ranks.size() - 1);  // all to one rank
  expect_renumbered(regroup(cpu, a, parts), whole);
  std::fill(parts.begin(), parts.end(), ranks.size());
  refusal(error_kind::bad_argument, [&] { regroup(cpu, a, parts); });
  const auto wide = distributed(ranks, generate::aspect<double>(cpu, 10, 20, 40));
  refusal(error_kind::bad_argument, [&] { reorder(cpu, wide); });
}

TEST(Reorder, ToolsFindTheGridAgain) {
  const auto ranks = communicator::world();
  // A grid whose points were shuffled: nearly everything is exchanged.
  const auto grid = generate::poisson2d<double>(cpu, 24, 24);
  std::vector<index_t> order(static_cast<std::size_t>(grid.rows()));
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<index_t>(i * 385 % order.size());  // coprime to 576
  const auto whole = permute(cpu, grid, order);
  const auto a = distributed(ranks, whole);
  if (graph_tools().empty()) refusal(error_kind::not_available, [&] { reorder(cpu, a); });
  for (const auto tool : graph_tools()) {
    const auto better = reorder(cpu, a, tool);
    expect_renumbered(better, whole);
    const double halo[] = {static_cast<double>(better.matrix.halo().size()),
                           static_cast<double>(a.halo().size())};
    const std::vector<double> both(halo, halo + 2);
    std::vector<index_t> two(static_cast<std::size_t>(ranks.size()) + 1);
    std::iota(two.begin(), two.end(), 0);
    for (auto& t : two) t *= 2;
    const auto all = gather(ranks, partition(two), std::span<const double>(both));
    double after = 0, before = 0;
    for (std::size_t r = 0; r < all.size(); r += 2) after += all[r], before += all[r + 1];
    if (ranks.rank() == 0 && ranks.size() > 1) {
      EXPECT_LT(after, before / 2) << name(tool);
    }
  }
}

}  // namespace
}  // namespace gossamer::mpi
