// Rows and columns are renumbered by the ranks that rows go to.
#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "distributed/exchange.hpp"
#include "distributed/rows_exchange.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/mpi/distributed_reorder.hpp"

namespace gossamer::mpi {
namespace {

/// New numbers of all rows, on every rank, and the new partition.
struct numbering {
  std::vector<index_t> number;
  partition rows;
};

/// Within a part rows keep their order, so that what arrives from ranks in order is in order.
numbering numbered(std::span<const int> parts, int ranks) {
  std::vector<index_t> starts(static_cast<std::size_t>(ranks) + 1, 0);
  for (const int part : parts) ++starts[static_cast<std::size_t>(part) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  auto next = starts;
  numbering result;
  result.rows = partition(std::move(starts));
  result.number.reserve(parts.size());
  for (const int part : parts) result.number.push_back(next[static_cast<std::size_t>(part)]++);
  return result;
}

/// The parts of all rows on every rank, of the parts of the local ones.
std::vector<int> all_parts(const communicator& ranks, const partition& rows,
                           std::span<const int> mine) {
  std::vector<int> all, counts, starts;
  agreed(ranks, [&] {
    if (rows.size() > std::numeric_limits<int>::max())
      throw fail(error_kind::overflow,
                 "{} rows are renumbered, but at most 2,147,483,647 can be; pass a partition",
                 count_text(rows.size()));
    all.resize(static_cast<std::size_t>(rows.size()));
    for (int r = 0; r < ranks.size(); ++r) {
      counts.push_back(static_cast<int>(rows.count(r)));
      starts.push_back(static_cast<int>(rows.first(r)));
    }
  });
  check(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT, all.data(),
                       counts.data(), starts.data(), MPI_INT, ranks.impl().comm),
        "MPI_Allgatherv");
  return all;
}

/// The local rows with new columns, those for rank 0 first, and what goes to whom.
template <real_scalar T>
struct leaving {
  csr_matrix<T> rows;
  std::vector<index_t> original, counts;
};

template <real_scalar T>
leaving<T> packed(const context& where, const distributed_csr<T>& a, std::span<const int> parts,
                  const std::vector<index_t>& number) {
  leaving<T> out;
  out.counts.assign(static_cast<std::size_t>(a.ranks().size()), 0);
  for (const int part : parts) ++out.counts[static_cast<std::size_t>(part)];
  std::vector<index_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](index_t i, index_t j) {
    return parts[static_cast<std::size_t>(i)] < parts[static_cast<std::size_t>(j)];
  });
  const auto from = local_rows(where, a);
  const auto view = from.view();
  csr_matrix<T> moved(view.shape, view.nnz(), {index_width::i64, index_width::i64}, where.memory());
  const auto to = moved.mutable_view();
  const auto offsets = to.offsets.template as<std::int64_t>();
  const auto columns = to.columns.template as<std::int64_t>();
  index_t at = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    out.original.push_back(a.first_row() + order[i]);
    offsets[i] = at;
    for (index_t k = view.offsets[order[i]]; k < view.offsets[order[i] + 1]; ++k) {
      columns[static_cast<std::size_t>(at)] = number[static_cast<std::size_t>(view.columns[k])];
      to.values[at++] = view.values[k];
    }
  }
  offsets[order.size()] = at;
  out.rows = sort_columns<T>(where, std::as_const(moved).view());
  return out;
}

}  // namespace

template <real_scalar T>
reordered<T> regroup(const context& where, const distributed_csr<T>& a,
                     std::span<const int> parts) {
  const auto& ranks = a.ranks();
  agreed(ranks, [&] {
    if (a.shape().rows != a.shape().cols)
      throw fail(error_kind::bad_argument,
                 "the matrix to be renumbered is {}; expected a square one", shape_text(a.shape()));
    if (static_cast<index_t>(parts.size()) != a.local_rows())
      throw fail(error_kind::bad_argument, "parts of {} rows are given; expected {}, those here",
                 parts.size(), count_text(a.local_rows()));
    for (const int part : parts)
      if (part < 0 || part >= ranks.size())
        throw fail(error_kind::bad_argument, "a row is of part {}; expected one of the {} ranks",
                   part, ranks.size());
  });
  const auto all = all_parts(ranks, a.row_partition(), parts);
  numbering names;
  leaving<T> out;
  agreed(ranks, [&] {
    names = numbered(all, ranks.size());
    out = packed(where, a, parts, names.number);
  });
  const auto arrived = exchange_rows<T>(where, ranks, out.rows.view(), out.counts);
  exchange of_numbers(ranks, out.counts);
  auto original = agreed(
      ranks, [&] { return std::vector<index_t>(static_cast<std::size_t>(of_numbers.received())); });
  of_numbers.run(out.original.data(), original.data());
  return {distributed_csr<T>(where, ranks, arrived.view()), std::move(original)};
}

template reordered<float> regroup(const context&, const distributed_csr<float>&,
                                  std::span<const int>);
template reordered<double> regroup(const context&, const distributed_csr<double>&,
                                   std::span<const int>);

}  // namespace gossamer::mpi
