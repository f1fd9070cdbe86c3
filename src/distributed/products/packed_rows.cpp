// Rows that travel between ranks as three arrays.
#include "distributed/products/packed_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "distributed/exchange.hpp"
#include "formats/typed.hpp"

namespace gossamer::mpi {
namespace {

constexpr int tag = 19;
std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

/// A run of bytes to or from a rank.
struct bytes_out {
  int to;
  const void* data;
  index_t bytes;
};
struct bytes_in {
  int from;
  void* data;
  index_t bytes;
};

index_t messages_of(index_t bytes) {
  return (bytes + exchange::longest_message - 1) / exchange::longest_message;
}
/// Calls f(first byte, length) for every message of a run.
template <class F>
void for_messages(index_t bytes, F&& f) {
  for (index_t from = 0; from < bytes; from += exchange::longest_message)
    f(from, static_cast<int>(std::min(exchange::longest_message, bytes - from)));
}

/// What a rank sends to itself is copied, in the order of both lists.
void copy_own(int me, std::span<const bytes_out> out, std::span<const bytes_in> in) {
  auto to = in.begin();
  for (const auto& run : out) {
    if (run.to != me || run.bytes == 0) continue;
    while (to->from != me || to->bytes == 0) ++to;
    std::memcpy(to->data, run.data, at(run.bytes));
    ++to;
  }
}

void exchange_bytes(const communicator& ranks, std::span<const bytes_out> out,
                    std::span<const bytes_in> in) {
  auto& on = ranks.impl();
  std::vector<MPI_Request> requests;
  agreed(ranks, [&] {
    index_t count = 0;
    for (const auto& run : out) count += messages_of(run.bytes);
    for (const auto& run : in) count += messages_of(run.bytes);
    requests.reserve(at(count));
  });
  for (const auto& run : in)
    if (run.from != on.rank)
      for_messages(run.bytes, [&](index_t from, int length) {
        requests.emplace_back();
        check(MPI_Irecv(static_cast<std::byte*>(run.data) + from, length, MPI_BYTE, run.from, tag,
                        on.comm, &requests.back()),
              "MPI_Irecv");
      });
  for (const auto& run : out)
    if (run.to != on.rank)
      for_messages(run.bytes, [&](index_t from, int length) {
        requests.emplace_back();
        check(MPI_Isend(static_cast<const std::byte*>(run.data) + from, length, MPI_BYTE, run.to,
                        tag, on.comm, &requests.back()),
              "MPI_Isend");
        on.sent = on.sent + traffic{1, length};
      });
  copy_own(on.rank, out, in);
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

/// The runs of one of the arrays.
template <class Out, class In, class DataOut, class DataIn>
void exchange_arrays(const communicator& ranks, const Out& out, const In& in, DataOut&& sent,
                     DataIn&& received) {
  std::vector<bytes_out> runs_out;
  std::vector<bytes_in> runs_in;
  agreed(ranks, [&] {
    for (const auto& piece : out) runs_out.push_back(sent(piece));
    for (std::size_t p = 0; p < in.size(); ++p) runs_in.push_back(received(p));
  });
  exchange_bytes(ranks, runs_out, runs_in);
}

template <class E>
index_t byte_count(index_t elements) {
  return elements * static_cast<index_t>(sizeof(E));
}

}  // namespace

template <real_scalar T, stored_index I>
packed_view<T, I> arrived_rows<T, I>::piece(std::size_t p) const {
  const auto* const all = static_cast<const I*>(columns.view().data());
  return {lengths.span().subspan(at(rows_before[p]), at(rows_before[p + 1] - rows_before[p])),
          {all + nnz_before[p], at(nnz_before[p + 1] - nnz_before[p])},
          values.size() > 0 ? values.data() + nnz_before[p] : nullptr};
}

template <real_scalar T, stored_index I>
index_buffer arrived_rows<T, I>::offsets(const context& where) const {
  const index_width width = sizeof(I) == 8 ? index_width::i64 : narrowest(nnz());
  index_buffer made(rows() + 1, width, where.memory());
  gossamer::detail::with_widths(width_of<I>, width, [&]<class, class O>() {
    O* const to = static_cast<O*>(made.view().data());
    to[0] = 0;
    for (index_t i = 0; i < rows(); ++i) to[i + 1] = static_cast<O>(to[i] + lengths[i]);
  });
  return made;
}

template <real_scalar T, stored_index I>
csr_matrix<T> arrived_rows<T, I>::matrix(const context& where, index_t cols) && {
  return {{rows(), cols}, offsets(where), std::move(columns), std::move(values)};
}

template <real_scalar T, stored_index I>
arrived_rows<T, I> exchange_packed(const context& where, const communicator& ranks,
                                   std::span<const rows_out<T, I>> out, std::span<const rows_in> in,
                                   payload what) {
  arrived_rows<T, I> all;
  agreed(ranks, [&] {
    all.rows_before.assign(1, 0);
    for (const auto& piece : in) all.rows_before.push_back(all.rows_before.back() + piece.rows);
    all.lengths = buffer<I>(all.rows_before.back(), where.memory());
    all.nnz_before.reserve(in.size() + 1);
  });
  exchange_arrays(
      ranks, out, in,
      [](const auto& piece) {
        return bytes_out{piece.to, piece.rows.lengths.data(),
                         static_cast<index_t>(piece.rows.lengths.size_bytes())};
      },
      [&](std::size_t p) {
        return bytes_in{in[p].from, all.lengths.data() + all.rows_before[p],
                        byte_count<I>(in[p].rows)};
      });
  agreed(ranks, [&] {
    all.nnz_before.assign(1, 0);
    for (std::size_t p = 0; p < in.size(); ++p)
      all.nnz_before.push_back(std::accumulate(all.lengths.data() + all.rows_before[p],
                                               all.lengths.data() + all.rows_before[p + 1],
                                               all.nnz_before.back()));
    all.columns = index_buffer(all.nnz(), width_of<I>, where.memory());
    if (what == payload::values) all.values = buffer<T>(all.nnz(), where.memory());
  });
  const auto nnz_of = [&](std::size_t p) { return all.nnz_before[p + 1] - all.nnz_before[p]; };
  exchange_arrays(
      ranks, out, in,
      [](const auto& piece) {
        return bytes_out{piece.to, piece.rows.columns.data(),
                         static_cast<index_t>(piece.rows.columns.size_bytes())};
      },
      [&](std::size_t p) {
        return bytes_in{in[p].from, static_cast<I*>(all.columns.view().data()) + all.nnz_before[p],
                        byte_count<I>(nnz_of(p))};
      });
  if (what == payload::structure) return all;
  exchange_arrays(
      ranks, out, in,
      [](const auto& piece) {
        return bytes_out{piece.to, piece.rows.values,
                         byte_count<T>(static_cast<index_t>(piece.rows.columns.size()))};
      },
      [&](std::size_t p) {
        return bytes_in{in[p].from, all.values.data() + all.nnz_before[p],
                        byte_count<T>(nnz_of(p))};
      });
  return all;
}

template <real_scalar T, stored_index I>
std::vector<packed_rows<T, I>> cut_columns(const context& where, const csr_view<const T>& a,
                                           index_t first, index_t last,
                                           std::span<const column_place> places, int parts) {
  std::vector<packed_rows<T, I>> cut(at(parts));
  typed(a, [&](const auto& rows) {
    std::vector<index_t> nnz(at(parts), 0);
    for (auto& part : cut) {
      part.lengths = buffer<I>(last - first, where.memory());
      part.lengths.set(0);
    }
    for (index_t i = first; i < last; ++i)
      for (auto k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
        if (const auto part = places[at(rows.columns[k])].part; part >= 0) {
          ++cut[at(part)].lengths[i - first];
          ++nnz[at(part)];
        }
    for (std::size_t p = 0; p < cut.size(); ++p) {
      cut[p].columns = buffer<I>(nnz[p], where.memory());
      if (rows.values != nullptr) cut[p].values = buffer<T>(nnz[p], where.memory());
      nnz[p] = 0;
    }
    for (auto k = rows.offsets[first]; k < rows.offsets[last]; ++k) {
      const auto place = places[at(rows.columns[k])];
      if (place.part < 0) continue;
      const index_t to = nnz[at(place.part)]++;
      cut[at(place.part)].columns[to] = static_cast<I>(place.index);
      if (rows.values != nullptr) cut[at(place.part)].values[to] = rows.values[k];
    }
  });
  return cut;
}

#define GOSSAMER_MPI_INSTANTIATE(T, I)                                                          \
  template struct arrived_rows<T, I>;                                                           \
  template arrived_rows<T, I> exchange_packed(const context&, const communicator&,              \
                                              std::span<const rows_out<T, I>>,                  \
                                              std::span<const rows_in>, payload);               \
  template std::vector<packed_rows<T, I>> cut_columns(const context&, const csr_view<const T>&, \
                                                      index_t, index_t,                         \
                                                      std::span<const column_place>, int);
GOSSAMER_MPI_INSTANTIATE(float, std::int32_t)
GOSSAMER_MPI_INSTANTIATE(float, std::int64_t)
GOSSAMER_MPI_INSTANTIATE(double, std::int32_t)
GOSSAMER_MPI_INSTANTIATE(double, std::int64_t)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
