// The halo of a matrix: who needs which elements from whom.
#include "distributed/halo.hpp"

#include <algorithm>

#include "distributed/exchange.hpp"

namespace gossamer::mpi {
namespace {

constexpr int tag = 23;

/// Pieces of [0, end) by rank, without empty ones.
std::vector<halo_routes::piece> pieces_of(std::span<const index_t> offsets) {
  std::vector<halo_routes::piece> pieces;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    if (offsets[r] < offsets[r + 1])
      pieces.push_back({static_cast<int>(r), offsets[r], offsets[r + 1]});
  return pieces;
}

}  // namespace

halo_routes halo_routes::of(const communicator& ranks, const partition& owners,
                            std::span<const index_t> halo) {
  const auto counts = agreed(ranks, [&] {
    std::vector<index_t> each(static_cast<std::size_t>(ranks.size()), 0);
    for (int r = 0; r < ranks.size(); ++r) {
      const auto begin = std::lower_bound(halo.begin(), halo.end(), owners.first(r));
      each[static_cast<std::size_t>(r)] =
          std::lower_bound(begin, halo.end(), owners.last(r)) - begin;
    }
    return each;
  });
  exchange of_columns(ranks, counts);
  halo_routes routes;
  routes.halo = static_cast<index_t>(halo.size());
  agreed(ranks, [&] {
    routes.wanted.resize(static_cast<std::size_t>(of_columns.received()));
    routes.to = pieces_of(of_columns.received_offsets());
    routes.from = pieces_of(of_columns.sent_offsets());
  });
  of_columns.run(halo.data(), routes.wanted.data());
  for (auto& element : routes.wanted) element -= owners.first(ranks.rank());
  return routes;
}

halo_messages::halo_messages(const communicator& ranks, const halo_routes& routes, direction way,
                             std::byte* inside, std::byte* outside, index_t width)
    : ranks_(ranks) {
  const bool forward = way == direction::forward;
  try {
    // Receives come first, so that they are posted before anything arrives.
    for (const auto& piece : forward ? routes.from : routes.to)
      add(false, forward ? outside : inside, piece, width);
    for (const auto& piece : forward ? routes.to : routes.from)
      add(true, forward ? inside : outside, piece, width);
  } catch (...) {
    release();
    throw;
  }
}

void halo_messages::add(bool send, std::byte* data, const halo_routes::piece& piece,
                        index_t width) {
  const index_t end = piece.end * width;
  for (index_t at = piece.begin * width; at < end; at += exchange::longest_message) {
    const auto length = static_cast<int>(std::min(exchange::longest_message, end - at));
    requests_.push_back(MPI_REQUEST_NULL);
    const auto call = send ? MPI_Send_init(data + at, length, MPI_BYTE, piece.rank, tag,
                                           ranks_.impl().comm, &requests_.back())
                           : MPI_Recv_init(data + at, length, MPI_BYTE, piece.rank, tag,
                                           ranks_.impl().comm, &requests_.back());
    check(call, send ? "MPI_Send_init" : "MPI_Recv_init");
    if (send) per_call_ = per_call_ + traffic{1, length};
  }
}

halo_messages::~halo_messages() { release(); }

void halo_messages::release() noexcept {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) return;
  for (auto& request : requests_)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void halo_messages::start() {
  if (requests_.empty()) return;
  check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()), "MPI_Startall");
  ranks_.impl().sent = ranks_.impl().sent + per_call_;
}

void halo_messages::wait() {
  if (requests_.empty()) return;
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

}  // namespace gossamer::mpi
