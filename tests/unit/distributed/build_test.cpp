// Matrices built of what ranks bring, moved and brought back.
#include <numeric>

#include "gossamer/elements.hpp"
#include "gossamer/generate.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

template <class I>
struct triplets {
  std::vector<I> rows, columns;
  std::vector<double> values;
};

/// Every rank takes each size-th nonzero of a matrix that all ranks have, last ones first.
template <class I>
triplets<I> share_of(const communicator& ranks, const csr_matrix<double>& whole) {
  triplets<I> mine;
  index_t k = 0;
  for (const auto& [i, j, v] : whole)
    if (k++ % ranks.size() == ranks.rank()) {
      mine.rows.push_back(static_cast<I>(i));
      mine.columns.push_back(static_cast<I>(j));
      mine.values.push_back(v);
    }
  std::reverse(mine.rows.begin(), mine.rows.end());
  std::reverse(mine.columns.begin(), mine.columns.end());
  std::reverse(mine.values.begin(), mine.values.end());
  return mine;
}

TEST(Build, TripletsThatArriveAnywhere) {
  const auto ranks = communicator::world();
  for (const auto& whole :
       {generate::rmat<double>(cpu, 7, 5), generate::aspect<double>(cpu, 3, 90, 120),
        generate::aspect<double>(cpu, 90, 2, 100)}) {
    const auto mine = share_of<int>(ranks, whole);
    expect_rows_of(from_triplets(cpu, ranks, whole.shape(), mine.rows, mine.columns, mine.values),
                   whole);
    const auto wide = share_of<long long>(ranks, whole);
    const auto a = from_triplets(cpu, ranks, whole.shape(), mine.rows, wide.columns, mine.values,
                                 {.balance = balance::nonzeros});
    expect_rows_of(a, whole);
    EXPECT_EQ(a.row_partition(), balanced_rows(a));
  }
}

TEST(Build, DuplicatesOfSeveralRanksAreAddedAndZerosKept) {
  const auto ranks = communicator::world();
  const std::vector<int> rows = {0, 4, 0}, columns = {1, 4, 1};
  const std::vector<double> values = {1, 0, 2};
  const auto a = from_triplets(cpu, ranks, {5, 5}, rows, columns, values);
  EXPECT_EQ(a.nnz(), 2);
  const auto whole = gather(cpu, a);
  if (ranks.rank() == 0) {
    EXPECT_EQ(whole(0, 1), 3 * ranks.size());
    EXPECT_EQ(whole.nnz(), 2);
    EXPECT_EQ(whole(4, 4), 0);
  } else {
    EXPECT_EQ(whole.rows(), 0);
  }
}

TEST(Build, TripletsAreCheckedOnAllRanks) {
  const auto ranks = communicator::world();
  const bool guilty = ranks.rank() == ranks.size() - 1;
  const std::vector<int> rows = {0, guilty ? 5 : 4}, columns = {0, 0}, few = {0};
  const std::vector<double> values = {1, 2};
  const auto range = refusal_of_last(ranks, error_kind::bad_argument, [&] {
    from_triplets(cpu, ranks, {5, 5}, rows, columns, values);
  });
  EXPECT_NE(range.find("row 5 of triplet 1 is out of range: the matrix is 5 x 5"),
            std::string::npos)
      << range;
  refusal_of_last(ranks, error_kind::bad_argument, [&] {
    from_triplets(cpu, ranks, {9, 9}, rows, guilty ? few : columns, values);
  });
  if (ranks.size() > 1) {
    refusal(error_kind::bad_argument, [&] {
      from_triplets(cpu, ranks, {guilty ? 9 : 8, 9}, rows, columns, values);
    });
  }
  refusal(error_kind::bad_argument, [&] {
    from_triplets(cpu, ranks, {9, 9}, rows, columns, values,
                  {.rows = partition::by_count(8, ranks.size())});
  });
}

TEST(Build, ScattersAndGathers) {
  const auto ranks = communicator::world();
  const int root = ranks.size() - 1;
  const auto whole = generate::power_law<float>(cpu, {200, 130}, 6, 60);
  const auto view = ranks.rank() == root ? whole.view() : csr_view<const float>{};
  for (const auto how : {balance::rows, balance::nonzeros}) {
    const auto a = scatter<float>(cpu, ranks, view, {.balance = how}, root);
    expect_rows_of(a, whole);
    const auto back = gather(cpu, a, 0);
    EXPECT_EQ(back.rows(), ranks.rank() == 0 ? 200 : 0);
    if (ranks.rank() == 0) {
      EXPECT_TRUE(same(back, whole));
    }
  }
  const auto alone = scatter<float>(cpu, ranks, view, {.rows = all_on(ranks, 0, 200)}, root);
  EXPECT_EQ(alone.local_rows(), ranks.rank() == 0 ? 200 : 0);
  expect_rows_of(alone, whole);
  refusal(error_kind::bad_argument, [&] { scatter<float>(cpu, ranks, view, {}, ranks.size()); });
}

TEST(Build, RedistributesByNonzerosAndByAGivenPartition) {
  const auto ranks = communicator::world();
  const auto whole = generate::one_dense_row<double>(cpu, {101, 101}, 3, 90);
  const auto a = distributed(ranks, whole);
  const auto b = redistribute(cpu, a, {.balance = balance::nonzeros});
  expect_rows_of(b, whole);
  // No rank has more than its share and one more row: the dense one is the longest.
  EXPECT_LE(b.local_nnz(), whole.nnz() / ranks.size() + 90 + 1);
  const auto c = redistribute(cpu, b, {.rows = all_on(ranks, ranks.size() - 1, 101)});
  expect_rows_of(c, whole);
  EXPECT_TRUE(c.halo().empty());
  refusal(error_kind::bad_argument,
          [&] { redistribute(cpu, a, {.rows = partition::by_count(100, ranks.size())}); });
}

TEST(Build, TransposesWithSwappedPartitions) {
  const auto ranks = communicator::world();
  const auto whole = generate::aspect<double>(cpu, 40, 75, 300);
  const auto a = distributed(ranks, whole);
  const auto t = transpose(cpu, a);
  EXPECT_EQ(t.row_partition(), a.column_partition());
  EXPECT_EQ(t.column_partition(), a.row_partition());
  expect_rows_of(t, gossamer::transpose(cpu, whole));
  expect_rows_of(transpose(cpu, t), whole);
}

TEST(Build, GathersVectors) {
  const auto ranks = communicator::world();
  const auto blocks = partition::by_count(10, ranks.size());
  std::vector<double> mine(static_cast<std::size_t>(blocks.count(ranks.rank())));
  std::iota(mine.begin(), mine.end(), static_cast<double>(blocks.first(ranks.rank())));
  const auto all = gather(ranks, blocks, std::span<const double>(mine));
  EXPECT_EQ(all.size(), ranks.rank() == 0 ? 10u : 0u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<double>(i));
  if (ranks.rank() == ranks.size() - 1) mine.push_back(1);
  refusal_of_last(ranks, error_kind::bad_argument,
                  [&] { gather(ranks, blocks, std::span<const double>(mine)); });
}

}  // namespace
}  // namespace gossamer::mpi
