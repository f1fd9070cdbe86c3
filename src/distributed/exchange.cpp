// Personalised exchange of pieces.
#include "distributed/exchange.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gossamer::mpi {
namespace {

constexpr int tag = 17;

/// Calls f(first byte, length) for every message of a piece.
template <class F>
void for_messages(index_t begin, index_t end, F&& f) {
  for (index_t at = begin; at < end; at += exchange::longest_message)
    f(at, static_cast<int>(std::min(exchange::longest_message, end - at)));
}

}  // namespace

index_t exchange::longest_message = index_t{1} << 30;

exchange::exchange(const communicator& ranks, std::span<const index_t> counts) : ranks_(ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<index_t> theirs;
  agreed(ranks, [&] {
    theirs.resize(size);
    send_.resize(size + 1);
    receive_.resize(size + 1);
    requests_.reserve(2 * size);  // enough unless a piece takes several messages
  });
  check(
      MPI_Alltoall(counts.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, ranks.impl().comm),
      "MPI_Alltoall");
  std::partial_sum(counts.begin(), counts.end(), send_.begin() + 1);
  std::partial_sum(theirs.begin(), theirs.end(), receive_.begin() + 1);
}

void exchange::run_bytes(const std::byte* send, std::byte* receive, index_t element) {
  auto& on = ranks_.impl();
  requests_.clear();
  const auto begin_with = [&](int code, const char* call, MPI_Request request) {
    check(code, call);
    requests_.push_back(request);
  };
  // Each rank starts with its neighbour, so that not all of them send to rank 0 first.
  for (int k = 1; k < on.size; ++k) {
    const int from = (on.rank + on.size - k) % on.size;
    for_messages(
        receive_[from] * element, receive_[from + 1] * element, [&](index_t at, int length) {
          MPI_Request request{};
          const int code = MPI_Irecv(receive + at, length, MPI_BYTE, from, tag, on.comm, &request);
          begin_with(code, "MPI_Irecv", request);
        });
  }
  for (int k = 1; k < on.size; ++k) {
    const int to = (on.rank + k) % on.size;
    for_messages(send_[to] * element, send_[to + 1] * element, [&](index_t at, int length) {
      MPI_Request request{};
      const int code = MPI_Isend(send + at, length, MPI_BYTE, to, tag, on.comm, &request);
      begin_with(code, "MPI_Isend", request);
      on.sent = on.sent + traffic{1, length};
    });
  }
  const auto own = static_cast<std::size_t>((send_[on.rank + 1] - send_[on.rank]) * element);
  if (own > 0)
    std::memcpy(receive + receive_[on.rank] * element, send + send_[on.rank] * element, own);
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

}  // namespace gossamer::mpi
