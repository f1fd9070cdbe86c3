// Triplets travel to the ranks that have their rows.
#include "distributed/triplets.hpp"

#include <numeric>

#include "base/text.hpp"
#include "distributed/exchange.hpp"
#include "distributed/partitions.hpp"

namespace gossamer::mpi {
namespace {

/// One triplet on its way.
template <real_scalar T>
struct triplet {
  index_t row, column;
  T value;
};

void require_range(index_view indices, index_t end, const char* what, extents shape) {
  for (index_t k = 0; k < indices.size(); ++k)
    if (indices[k] < 0 || indices[k] >= end)
      throw fail(error_kind::bad_argument, "{} {} of triplet {} is out of range: the matrix is {}",
                 what, indices[k], k, shape_text(shape));
}

void require_triplets(extents shape, index_view rows, index_view columns, std::size_t values) {
  require_valid(shape);
  if (rows.size() != columns.size() || rows.size() != static_cast<index_t>(values))
    throw fail(error_kind::bad_argument,
               "triplets have {} rows, {} columns and {} values; expected as many of each",
               count_text(rows.size()), count_text(columns.size()),
               count_text(static_cast<index_t>(values)));
  require_range(rows, shape.rows, "row", shape);
  require_range(columns, shape.cols, "column", shape);
}

template <real_scalar T>
std::vector<index_t> counts_for(const partition& rows, const coo_view<const T>& triplets) {
  std::vector<index_t> counts(static_cast<std::size_t>(rows.ranks()), 0);
  for (index_t k = 0; k < triplets.nnz(); ++k)
    ++counts[static_cast<std::size_t>(rows.owner(triplets.rows[k]))];
  return counts;
}

/// All triplets, those for rank 0 first, in their order of input.
template <real_scalar T>
buffer<triplet<T>> packed(const context& where, const partition& rows,
                          const coo_view<const T>& triplets, std::span<const index_t> starts) {
  buffer<triplet<T>> sorted(triplets.nnz(), where.memory());
  std::vector<index_t> next(starts.begin(), starts.end());
  for (index_t k = 0; k < triplets.nnz(); ++k) {
    const index_t row = triplets.rows[k];
    sorted[next[static_cast<std::size_t>(rows.owner(row))]++] = {row, triplets.columns[k],
                                                                 triplets.values[k]};
  }
  return sorted;
}

template <real_scalar T>
csr_matrix<T> rows_from(const context& where, extents shape, index_t first,
                        const buffer<triplet<T>>& arrived) {
  buffer<index_t> rows(arrived.size(), where.memory()), columns(arrived.size(), where.memory());
  buffer<T> values(arrived.size(), where.memory());
  for (index_t k = 0; k < arrived.size(); ++k) {
    rows[k] = arrived[k].row - first;
    columns[k] = arrived[k].column;
    values[k] = arrived[k].value;
  }
  return from_triplets(where, shape, std::as_const(rows).span(), std::as_const(columns).span(),
                       std::as_const(values).span());
}

}  // namespace

template <real_scalar T>
csr_matrix<T> rows_of_triplets(const context& where, const communicator& ranks,
                               const coo_view<const T>& triplets, const partition& rows) {
  const auto counts = agreed(ranks, [&] { return counts_for(rows, triplets); });
  exchange of_triplets(ranks, counts);
  buffer<triplet<T>> sent, arrived;
  agreed(ranks, [&] {
    sent = packed(where, rows, triplets, of_triplets.sent_offsets());
    arrived = buffer<triplet<T>>(of_triplets.received(), where.memory());
  });
  of_triplets.run(sent.data(), arrived.data());
  sent = {};
  return agreed(ranks, [&] {
    const extents shape{rows.count(ranks.rank()), triplets.shape.cols};
    return rows_from<T>(where, shape, rows.first(ranks.rank()), arrived);
  });
}

template <real_scalar T>
distributed_csr<T> matrix_of_triplets(const context& where, const communicator& ranks,
                                      const coo_view<const T>& triplets, const distribution& how) {
  const index_t all = triplets.shape.rows;
  if (how.rows) require_partition(ranks, *how.rows, all, "rows");
  const auto parts =
      agreed(ranks, [&] { return how.rows ? *how.rows : partition::by_count(all, ranks.size()); });
  const auto mine = rows_of_triplets<T>(where, ranks, triplets, parts);
  const bool again = !how.rows && how.balance == balance::nonzeros;
  distributed_csr<T> first(where, ranks, mine.view(), again ? std::nullopt : how.columns);
  return again ? redistribute(where, first, how) : std::move(first);
}

namespace detail {

template <real_scalar T>
distributed_csr<T> assembled(const context& where, const communicator& ranks, extents shape,
                             index_view rows, index_view columns, std::span<const T> values,
                             const distribution& how) {
  agreed(ranks, [&] { require_triplets(shape, rows, columns, values.size()); });
  require_alike(ranks, shape.rows, "the number of rows");
  require_alike(ranks, shape.cols, "the number of columns");
  // A coo_view has one width; the two arrays of the caller may differ.
  index_buffer wide_rows, wide_columns;
  const auto triplets = agreed(ranks, [&] {
    const auto widened = [&](index_view from, index_buffer& to) {
      to = index_buffer(from.size(), index_width::i64, where.memory());
      const auto into = to.view().template as<std::int64_t>();
      for (index_t k = 0; k < from.size(); ++k) into[static_cast<std::size_t>(k)] = from[k];
      return index_view(std::as_const(to).view());
    };
    if (rows.width() == columns.width())
      return coo_view<const T>(shape, rows, columns, values.data());
    return coo_view<const T>(shape, widened(rows, wide_rows), widened(columns, wide_columns),
                             values.data());
  });
  return matrix_of_triplets<T>(where, ranks, triplets, how);
}

template distributed_csr<float> assembled(const context&, const communicator&, extents, index_view,
                                          index_view, std::span<const float>, const distribution&);
template distributed_csr<double> assembled(const context&, const communicator&, extents, index_view,
                                           index_view, std::span<const double>,
                                           const distribution&);

}  // namespace detail

template distributed_csr<float> matrix_of_triplets(const context&, const communicator&,
                                                   const coo_view<const float>&,
                                                   const distribution&);
template distributed_csr<double> matrix_of_triplets(const context&, const communicator&,
                                                    const coo_view<const double>&,
                                                    const distribution&);
template csr_matrix<float> rows_of_triplets(const context&, const communicator&,
                                            const coo_view<const float>&, const partition&);
template csr_matrix<double> rows_of_triplets(const context&, const communicator&,
                                             const coo_view<const double>&, const partition&);

}  // namespace gossamer::mpi
