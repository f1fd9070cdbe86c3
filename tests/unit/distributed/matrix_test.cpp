#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/generate.hpp"
#include "gossamer/validate.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

template <scalar T>
void expect_parts(const distributed_csr<T>& a, const csr_matrix<T>& whole) {
  const int me = a.ranks().rank();
  EXPECT_EQ(a.shape(), whole.shape());
  EXPECT_EQ(a.nnz(), whole.nnz());
  const auto& rows = a.row_partition();
  const auto mine = slice_rows(cpu, whole, rows.first(me), rows.last(me));
  EXPECT_TRUE(same(local_rows(cpu, a).view(), mine.view()));
  validate(a.own(), {true, true});
  validate(a.off(), {true, true});
  const auto halo = a.halo();
  EXPECT_TRUE(std::is_sorted(halo.begin(), halo.end()));
  for (const index_t column : halo) EXPECT_NE(a.column_partition().owner(column), me);
  const auto joint = compact(cpu, a);
  validate(joint.rows.view(), {true, true});
  EXPECT_EQ(joint.rows.nnz(), mine.nnz());
  for (index_t i = 0; i < mine.rows(); ++i)
    for (index_t k = mine.view().offsets[i]; k < mine.view().offsets[i + 1]; ++k) {
      EXPECT_EQ(joint.columns.at(static_cast<std::size_t>(joint.rows.column_indices()[k])),
                mine.view().columns[k]);
      EXPECT_EQ(joint.rows.values()[static_cast<std::size_t>(k)], mine.view().values[k]);
    }
}

TEST(DistributedCsr, HasTheRowsItWasGiven) {
  const auto ranks = communicator::world();
  const auto square = generate::rmat<double>(cpu, 8, 6);
  expect_parts(distributed(ranks, square, partition::by_count(square.rows(), ranks.size())),
               square);
  const auto wide = generate::aspect<float>(cpu, 50, 400, 1500);
  expect_parts(distributed(ranks, wide, partition::by_count(wide.rows(), ranks.size())), wide);
}

TEST(DistributedCsr, HasRanksWithoutRowsOrColumns) {
  const auto ranks = communicator::world();
  const auto tiny = generate::poisson2d<double>(cpu, 2, 1);  // fewer rows than ranks
  expect_parts(distributed(ranks, tiny, partition::by_count(2, ranks.size())), tiny);
  const auto a = distributed(ranks, tiny, all_on(ranks, ranks.size() - 1, tiny.rows()),
                             all_on(ranks, 0, tiny.rows()));
  expect_parts(a, tiny);
  if (ranks.size() > 1) {
    EXPECT_EQ(a.own().nnz(), 0);
  }
  const csr_matrix<double> nothing({0, 0}, 0);
  expect_parts(distributed(ranks, nothing, partition::by_count(0, ranks.size())), nothing);
}

TEST(DistributedCsr, SortsAndAddsDuplicates) {
  const auto ranks = communicator::world();
  const index_t n = 2 * ranks.size();
  const std::vector<index_t> offsets = {0, 3, 4}, columns = {n - 1, 0, n - 1, 1};
  const std::vector<double> values = {1, 2, 4, 8};
  const distributed_csr<double> a(cpu, ranks,
                                  csr_view<const double>(values, offsets, columns, {2, n}));
  EXPECT_EQ(a.nnz(), 3 * ranks.size());
  const auto rows = local_rows(cpu, a);
  EXPECT_EQ(rows(0, n - 1), 5);
  EXPECT_EQ(rows(0, 0), 2);
  EXPECT_EQ(rows(1, 1), 8);
}

TEST(DistributedCsr, RefusesOnAllRanksWhatOneBringsWrong) {
  const auto ranks = communicator::world();
  const bool guilty = ranks.rank() == ranks.size() - 1;
  const std::vector<index_t> offsets = {0, 1};
  const std::vector<double> values = {1};
  const std::vector<index_t> columns = {guilty ? 9 : 0};
  const auto text = refusal(error_kind::bad_argument, [&] {
    distributed_csr<double>(cpu, ranks, csr_view<const double>(values, offsets, columns, {1, 5}));
  });
  EXPECT_NE(text.find("9"), std::string::npos) << text;
  if (ranks.size() > 1) {
    const std::vector<index_t> fine = {0};
    const auto shapes = refusal(error_kind::bad_argument, [&] {
      distributed_csr<double>(cpu, ranks,
                              csr_view<const double>(values, offsets, fine, {1, guilty ? 6 : 5}));
    });
    EXPECT_NE(shapes.find("the number of columns is 5"), std::string::npos) << shapes;
  }
  const std::vector<index_t> fine = {0};
  refusal(error_kind::bad_argument, [&] {
    distributed_csr<double>(cpu, ranks, csr_view<const double>(values, offsets, fine, {1, 5}),
                            partition::by_count(guilty ? 4 : 5, ranks.size()));
  });
}

}  // namespace
}  // namespace gossamer::mpi
