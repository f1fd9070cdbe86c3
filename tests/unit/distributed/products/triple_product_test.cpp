#include "unit/distributed/products/cases.hpp"

namespace gossamer::mpi {
namespace {

TEST(TripleProduct, IsThatOfOneProcess) {
  const auto ranks = communicator::world();
  const auto a = with_integers(generate::poisson3d<double>(cpu, 9, 8, 7));
  const auto p = with_integers(generate::aggregation<double>(cpu, 9, 8, 7));
  const auto expected = gossamer::triple_product(cpu, transposed(p), a, p);
  for (const std::string way : {"1d", "2d", "auto"}) {
    const auto rows = uneven(a.rows(), ranks.size());
    const auto prolong = spread(ranks, p, rows);
    const auto coarse = galerkin_product(cpu, spread(ranks, a, rows), prolong, {.algorithm = way});
    expect_rows(coarse, expected);
    EXPECT_EQ(coarse.row_partition(), prolong.column_partition());
    EXPECT_EQ(coarse.column_partition(), prolong.column_partition());
  }
}

TEST(TripleProduct, FiltersTheResultOnly) {
  const auto ranks = communicator::world();
  const auto r = with_integers(generate::aspect<double>(cpu, 30, 50, 300));
  const auto a = with_integers(generate::aspect<double>(cpu, 50, 60, 400));
  const auto p = with_integers(generate::aspect<double>(cpu, 60, 20, 300));
  const options local{.drop_zeros = true, .keep = {.magnitude = 3, .largest = 4}};
  expect_rows(triple_product(cpu, spread(ranks, r), spread(ranks, a), spread(ranks, p),
                             {.alpha = -1, .local = local}),
              gossamer::multiply(cpu, scaled(-1.0, r), gossamer::multiply(cpu, a, p), local));
  const auto text = refusal(error_kind::bad_argument, [&] {
    triple_product(cpu, spread(ranks, r), spread(ranks, p), spread(ranks, a));
  });
  EXPECT_NE(text.find("R is 30 x 50"), std::string::npos) << text;
}

}  // namespace
}  // namespace gossamer::mpi
