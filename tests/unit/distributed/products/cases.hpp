// What tests of distributed products share: matrices that every rank has whole, distributed, and
// the product of one process to compare with.
#pragma once

#include <gtest/gtest.h>

#include "gossamer/compare.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/mpi/distributed_products.hpp"
#include "gossamer/multiply.hpp"
#include "gossamer/structure.hpp"
#include "gossamer/validate.hpp"
#include "unit/refusal.hpp"

namespace gossamer::mpi {

inline const context cpu = context::openmp(1);

/// The rows of this rank of a matrix that all ranks have.
template <scalar T>
distributed_csr<T> spread(const communicator& ranks, const csr_matrix<T>& whole,
                          const partition& rows) {
  const auto mine = slice_rows(cpu, whole, rows.first(ranks.rank()), rows.last(ranks.rank()));
  return {cpu, ranks, mine.view()};
}
template <scalar T>
distributed_csr<T> spread(const communicator& ranks, const csr_matrix<T>& whole) {
  return spread(ranks, whole, partition::by_count(whole.rows(), ranks.size()));
}
/// Blocks that grow with the rank; the first is empty where there are several.
inline partition uneven(index_t rows, int ranks) {
  std::vector<index_t> offsets{0};
  for (index_t r = 1; r <= ranks; ++r)
    offsets.push_back(ranks == 1 ? rows : rows * (r - 1) * r / (index_t{ranks} * (ranks - 1)));
  offsets.back() = rows;
  return partition(std::move(offsets));
}

/// A copy whose values are small integers: sums are exact in any order.
template <scalar T>
csr_matrix<T> with_integers(csr_matrix<T> a) {
  index_t k = 0;
  for (auto& value : a.values()) value = static_cast<T>(k++ % 7 - 3);
  return a;
}

/// Expects the rows of this rank to be those of `whole`, bit for bit.
template <scalar T>
void expect_rows(const distributed_csr<T>& c, const csr_matrix<T>& whole) {
  EXPECT_EQ(c.shape(), whole.shape());
  EXPECT_EQ(c.nnz(), whole.nnz());
  const int me = c.ranks().rank();
  const auto mine = slice_rows(cpu, whole, c.row_partition().first(me), c.row_partition().last(me));
  const auto found = local_rows(cpu, c);
  validate(found.view(), {true, true});
  EXPECT_TRUE(same(found.view(), mine.view()));
}

}  // namespace gossamer::mpi
