// A distributed matrix from the rows that each rank has.
#include <numeric>

#include "base/text.hpp"
#include "distributed/calls.hpp"
#include "distributed/partitions.hpp"
#include "distributed/split.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/validate.hpp"

namespace gossamer::mpi {
namespace {

void require_host(const context& where, memory rows) {
  if (where.backend() == backend::cuda || rows != memory::host)
    throw fail(error_kind::not_available,
               "distributed matrices are built on the host; pass context::openmp() and rows in "
               "host memory");
}

/// What is known of the rows before anything is exchanged.
template <real_scalar T>
structure_report checked(const context& where, const csr_view<const T>& rows) {
  require_host(where, rows.where);
  const auto found = inspect_structure(rows);
  if (!found.valid)
    throw fail(error_kind::bad_argument, "the {} block of rows with global columns: {}",
               shape_text(rows.shape), found.problem);
  return found;
}

partition partition_of_rows(const communicator& ranks, index_t mine) {
  std::vector<index_t> counts, offsets;
  agreed(ranks, [&] {
    counts.resize(static_cast<std::size_t>(ranks.size()));
    offsets.resize(counts.size() + 1);
  });
  gather_all(ranks, mine, counts);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  return partition(std::move(offsets));
}

}  // namespace

void require_alike(const communicator& ranks, index_t mine, const char* what) {
  const index_t least = least_of(ranks, mine), greatest = greatest_of(ranks, mine);
  if (least == greatest) return;
  const auto where = [&](index_t wanted) {
    return least_of(ranks, mine == wanted ? ranks.rank() : ranks.size());
  };
  const int low = where(least), high = where(greatest);
  throw agreed_error(
      error_kind::bad_argument,
      formatted("rank {} of {}: {} is {}, but {} on rank {}; expected the same on all ranks", low,
                ranks.size(), what, count_text(least), count_text(greatest), high),
      low);
}

void require_partition(const communicator& ranks, const partition& parts, index_t size,
                       const char* what) {
  agreed(ranks, [&] {
    if (parts.ranks() != ranks.size() || parts.size() != size)
      throw fail(error_kind::bad_argument,
                 "the partition of {} has {} elements on {} ranks; expected {} on {}", what,
                 count_text(parts.size()), parts.ranks(), count_text(size), ranks.size());
  });
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a: ranks compare one number, not all offsets
  for (const index_t offset : parts.offsets())
    hash = (hash ^ static_cast<std::uint64_t>(offset)) * 1099511628211u;
  if (least_of(ranks, hash) == greatest_of(ranks, hash)) return;
  throw agreed_error(
      error_kind::bad_argument,
      formatted("the partition of {} differs between ranks; expected the same offsets on all",
                what),
      0);
}

template <real_scalar T>
distributed_csr<T>::distributed_csr(const context& where, const communicator& ranks,
                                    const csr_view<const T>& rows,
                                    const std::optional<partition>& columns)
    : ranks_(ranks) {
  const auto found = agreed(ranks, [&] { return checked(where, rows); });
  require_alike(ranks, rows.shape.cols, "the number of columns");
  rows_ = partition_of_rows(ranks, rows.shape.rows);
  if (columns) require_partition(ranks, *columns, rows.shape.cols, "columns");
  columns_ = agreed(ranks, [&] {
    if (columns) return *columns;
    return rows_.size() == rows.shape.cols ? rows_
                                           : partition::by_count(rows.shape.cols, ranks.size());
  });
  auto parts = agreed(ranks, [&] {
    const index_t first = first_column(), last = first + local_columns();
    if (found.sorted && found.unique) return split<T>(where, rows, first, last);
    return split<T>(where, sum_duplicates<T>(where, rows).view(), first, last);
  });
  own_ = std::move(parts.own);
  off_ = std::move(parts.off);
  halo_ = std::move(parts.halo);
  nnz_ = sum_of(ranks, local_nnz());
}

namespace {

template <real_scalar T>
void require_part(const csr_view<const T>& part, extents wanted, const char* name) {
  if (part.where != memory::host)
    throw fail(error_kind::not_available, "the {} part is on a device; copy it to the host", name);
  if (part.shape != wanted)
    throw fail(error_kind::bad_argument, "the {} part is {}; expected {}", name,
               shape_text(part.shape), shape_text(wanted));
  validate(part, {.sorted = true, .unique = true}, formatted("the {} part", name));
}

void require_halo(std::span<const index_t> halo, const partition& columns, int rank) {
  for (std::size_t k = 0; k < halo.size(); ++k) {
    const bool ascends = k == 0 || halo[k - 1] < halo[k];
    const bool there = halo[k] >= 0 && halo[k] < columns.size() && columns.owner(halo[k]) != rank;
    if (!ascends || !there)
      throw fail(error_kind::bad_argument,
                 "column {} is number {} of the halo; expected columns of other ranks, ascending",
                 halo[k], k);
  }
}

}  // namespace

template <real_scalar T>
distributed_csr<T>::distributed_csr(const communicator& ranks, const partition& rows,
                                    const partition& columns, csr_matrix<T> own, csr_matrix<T> off,
                                    buffer<index_t> halo)
    : ranks_(ranks), rows_(rows), columns_(columns) {
  require_alike(ranks, rows.size(), "the number of rows");
  require_alike(ranks, columns.size(), "the number of columns");
  require_partition(ranks, rows, rows.size(), "rows");
  require_partition(ranks, columns, columns.size(), "columns");
  agreed(ranks, [&] {
    require_part<T>(own.view(), {local_rows(), local_columns()}, "own");
    require_part<T>(off.view(), {local_rows(), halo.size()}, "off");
    require_halo(halo.span(), columns, ranks.rank());
  });
  own_ = std::move(own);
  off_ = std::move(off);
  halo_ = std::move(halo);
  nnz_ = sum_of(ranks, local_nnz());
}

template class distributed_csr<float>;
template class distributed_csr<double>;

}  // namespace gossamer::mpi
