// Rows of a distributed matrix that a rank needs.
#include "distributed/products/row_requests.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "formats/typed.hpp"

namespace gossamer::mpi {
namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

/// How many of the ascending rows belong to each rank.
std::vector<index_t> counts_by_owner(const partition& rows, std::span<const index_t> wanted) {
  std::vector<index_t> counts(at(rows.ranks()), 0);
  auto begin = wanted.begin();
  for (int r = 0; r < rows.ranks(); ++r) {
    const auto end = std::lower_bound(begin, wanted.end(), rows.last(r));
    counts[at(r)] = end - begin;
    begin = end;
  }
  return counts;
}

/// A row in one piece, columns global and ascending: the halo before this rank's columns, those,
/// and the halo after them.
template <real_scalar T, class Own, class Off, class I>
void pack_row(const distributed_csr<T>& a, const Own& own, const Off& off, index_t row, I* columns,
              T* values) {
  const auto halo = a.halo();
  const index_t first = a.first_column();
  index_t to = 0, k = off.offsets[row];
  const index_t end = off.offsets[row + 1];
  const auto take = [&](index_t column, T value) {
    columns[to] = static_cast<I>(column);
    values[to++] = value;
  };
  for (; k < end && halo[at(off.columns[k])] < first; ++k)
    take(halo[at(off.columns[k])], off.values[k]);
  for (index_t m = own.offsets[row]; m < own.offsets[row + 1]; ++m)
    take(first + own.columns[m], own.values[m]);
  for (; k < end; ++k) take(halo[at(off.columns[k])], off.values[k]);
}

/// The rows that others asked for, packed one after another from `places` on.
template <real_scalar T, class I>
void pack_rows(const context& where, const distributed_csr<T>& a, std::span<const index_t> rows,
               const buffer<index_t>& places, I* columns, T* values) {
  typed(a.own(), [&](const auto& own) {
    typed(a.off(), [&](const auto& off) {
      parallel_ranges(where.threads(), static_cast<index_t>(rows.size()), 1024,
                      [&](index_t begin, index_t end) {
                        for (index_t i = begin; i < end; ++i)
                          pack_row(a, own, off, rows[at(i)], columns + places[i],
                                   values + places[i]);
                      });
    });
  });
}

/// The rows of one fetch: all that were asked for, or those chosen, which owners have to be told.
struct fetch_lists {
  std::vector<index_t> rows;         // local rows to send, in order of ranks
  std::vector<index_t> send_nnz;     // to each rank
  std::vector<index_t> row_offsets;  // of `rows`, by rank
  std::span<const index_t> sent() const { return rows; }
};

fetch_lists all_asked(const row_requests& of) {
  return {{of.asked().begin(), of.asked().end()},
          {},
          {of.asked_offsets().begin(), of.asked_offsets().end()}};
}

/// Tells the owners which of the wanted rows are chosen.
fetch_lists chosen_of(const communicator& ranks, const partition& rows, const row_requests& of,
                      const std::vector<index_t>& chosen) {
  std::vector<index_t> ids, counts;
  agreed(ranks, [&] {
    ids.reserve(chosen.size());
    for (const index_t c : chosen) ids.push_back(of.wanted()[at(c)]);
    counts = counts_by_owner(rows, ids);
  });
  exchange told(ranks, counts);
  fetch_lists lists;
  agreed(ranks, [&] {
    lists.rows.resize(at(told.received()));
    lists.row_offsets.assign(told.received_offsets().begin(), told.received_offsets().end());
  });
  told.run(ids.data(), lists.rows.data());
  for (auto& row : lists.rows) row -= rows.first(ranks.rank());
  return lists;
}

template <real_scalar T>
void fill_offsets(csr_matrix<T>& rows, const row_requests& of,
                  const std::optional<std::vector<index_t>>& chosen) {
  const auto to = rows.mutable_view().offsets;
  std::vector<char> is_chosen;
  if (chosen) {
    is_chosen.assign(of.wanted().size(), 0);
    for (const index_t c : *chosen) is_chosen[at(c)] = 1;
  }
  gossamer::detail::with_widths(rows.index_widths().indices, to.width(), [&]<class I, class O>() {
    O* const offsets = static_cast<O*>(to.data());
    offsets[0] = 0;
    for (index_t i = 0; i < rows.rows(); ++i) {
      const bool here = !chosen || is_chosen[at(i)] != 0;
      offsets[i + 1] =
          static_cast<O>(static_cast<index_t>(offsets[i]) + (here ? of.lengths()[at(i)] : 0));
    }
  });
}

}  // namespace

template <real_scalar T>
buffer<index_t> row_lengths(const context& where, const distributed_csr<T>& a) {
  buffer<index_t> lengths(a.local_rows(), where.memory());
  const auto own = a.own(), off = a.off();
  for (index_t i = 0; i < a.local_rows(); ++i)
    lengths[i] = own.offsets[i + 1] - own.offsets[i] + off.offsets[i + 1] - off.offsets[i];
  return lengths;
}

row_requests::row_requests(const context& where, const communicator& ranks, const partition& rows,
                           std::span<const index_t> wanted, const buffer<index_t>& lengths)
    : ranks_(ranks), wanted_(wanted) {
  const auto counts = agreed(ranks, [&] { return counts_by_owner(rows, wanted); });
  ids_.emplace(ranks, counts);
  buffer<index_t> answers;
  agreed(ranks, [&] {
    asked_ = buffer<index_t>(ids_->received(), where.memory());
    answers = buffer<index_t>(ids_->received(), where.memory());
    lengths_ = buffer<index_t>(static_cast<index_t>(wanted.size()), where.memory());
  });
  ids_->run(wanted.data(), asked_.data());
  const index_t first = rows.first(ranks.rank());
  for (index_t i = 0; i < asked_.size(); ++i) {
    asked_[i] -= first;
    answers[i] = lengths[asked_[i]];
    asked_nnz_ += answers[i];
  }
  ids_->run_back(answers.data(), lengths_.data());
  for (const index_t length : lengths_.span()) wanted_nnz_ += length;
}

template <real_scalar T>
csr_matrix<T> fetch_rows(const context& where, const distributed_csr<T>& from,
                         const row_requests& of,
                         const std::optional<std::vector<index_t>>& chosen) {
  const auto& ranks = of.ranks();
  fetch_lists lists;
  if (chosen)
    lists = chosen_of(ranks, from.row_partition(), of, *chosen);
  else
    lists = agreed(ranks, [&] { return all_asked(of); });
  buffer<index_t> places;
  agreed(ranks, [&] {
    const auto lengths = row_lengths(where, from);
    places = buffer<index_t>(static_cast<index_t>(lists.rows.size()) + 1, where.memory());
    places[0] = 0;
    for (std::size_t i = 0; i < lists.rows.size(); ++i)
      places[static_cast<index_t>(i) + 1] =
          places[static_cast<index_t>(i)] + lengths[lists.rows[i]];
    for (int r = 0; r < ranks.size(); ++r)
      lists.send_nnz.push_back(places[lists.row_offsets[at(r) + 1]] -
                               places[lists.row_offsets[at(r)]]);
  });
  exchange nonzeros(ranks, lists.send_nnz);
  const extents shape{static_cast<index_t>(of.wanted().size()), from.shape().cols};
  // The width depends on what all ranks know alike: the number of columns.
  const index_width width = narrowest(shape.cols);
  csr_matrix<T> rows;
  buffer<T> values;
  index_buffer columns;
  agreed(ranks, [&] {
    const index_t nnz = nonzeros.received();
    rows = csr_matrix<T>(shape, nnz,
                         {width, width == index_width::i64 ? index_width::i64 : narrowest(nnz)},
                         where.memory());
    fill_offsets(rows, of, chosen);
    values = buffer<T>(nonzeros.sent(), where.memory());
    columns = index_buffer(nonzeros.sent(), width, where.memory());
    gossamer::detail::with_widths(width, index_width::i64, [&]<class I, class O>() {
      pack_rows(where, from, lists.sent(), places, static_cast<I*>(columns.view().data()),
                values.data());
    });
  });
  const auto out = rows.mutable_view();
  gossamer::detail::with_widths(width, index_width::i64, [&]<class I, class O>() {
    nonzeros.run(static_cast<const I*>(columns.view().data()), static_cast<I*>(out.columns.data()));
  });
  nonzeros.run(static_cast<const T*>(values.data()), out.values);
  return rows;
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                                \
  template buffer<index_t> row_lengths(const context&, const distributed_csr<T>&); \
  template csr_matrix<T> fetch_rows(const context&, const distributed_csr<T>&,     \
                                    const row_requests&,                           \
                                    const std::optional<std::vector<index_t>>&);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
