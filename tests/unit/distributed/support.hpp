// What tests of distributed matrices share.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/limited_memory.hpp"
#include "gossamer/compare.hpp"
#include "gossamer/distributed.hpp"
#include "gossamer/structure.hpp"
#include "unit/refusal.hpp"

namespace gossamer::mpi {

inline const context cpu = context::openmp(1);

/// The rows of this rank of a matrix that all ranks have.
template <scalar T>
distributed_csr<T> distributed(const communicator& ranks, const csr_matrix<T>& whole,
                               const partition& rows,
                               const std::optional<partition>& columns = {}) {
  const auto mine = slice_rows(cpu, whole, rows.first(ranks.rank()), rows.last(ranks.rank()));
  return {cpu, ranks, mine.view(), columns};
}
template <scalar T>
distributed_csr<T> distributed(const communicator& ranks, const csr_matrix<T>& whole) {
  return distributed(ranks, whole, partition::by_count(whole.rows(), ranks.size()));
}

/// Every rank has its rows of `whole`, bit by bit.
template <scalar T>
void expect_rows_of(const distributed_csr<T>& a, const csr_matrix<T>& whole) {
  ASSERT_EQ(a.shape(), whole.shape());
  EXPECT_EQ(a.nnz(), whole.nnz());
  const auto mine = slice_rows(cpu, whole, a.first_row(), a.first_row() + a.local_rows());
  EXPECT_TRUE(same(local_rows(cpu, a).view(), mine.view()));
}

/// A partition in which only one rank has rows.
inline partition all_on(const communicator& ranks, int rank, index_t rows) {
  std::vector<index_t> offsets(static_cast<std::size_t>(ranks.size()) + 1, 0);
  for (int r = rank; r < ranks.size(); ++r) offsets[static_cast<std::size_t>(r) + 1] = rows;
  return partition(std::move(offsets));
}

/// A context that allocates at most `limit` bytes on the last rank, and any number on others.
inline context short_of_memory(const communicator& ranks, index_t limit) {
  if (ranks.rank() != ranks.size() - 1) return cpu;
  return cpu.with_memory(std::make_shared<limited_memory>(host_memory(), limit));
}

/// work() fails on all ranks, with an error that names the last one.
template <class Work>
std::string refusal_of_last(const communicator& ranks, error_kind kind, Work&& work) {
  const auto text = refusal(kind, work);
  if (ranks.size() > 1) {
    EXPECT_EQ(text.find(formatted("rank {} of {}: ", ranks.size() - 1, ranks.size())), 0u) << text;
  }
  return text;
}

}  // namespace gossamer::mpi
