// Every rank has a piece for every other: the personalised exchange that building, redistributing
// and fetching rows rest on. Pieces may be empty and may be larger than MPI's counts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "distributed/calls.hpp"

namespace gossamer::mpi {

/// Sizes of an exchange: agreed on once, used for arrays of any element type. Elements for rank r
/// are [sent_offsets()[r], sent_offsets()[r + 1]) of what is sent; likewise for what is received.
class exchange {
 public:
  /// Tells every rank how many elements are for it. Collective; throws on all ranks alike.
  exchange(const communicator& ranks, std::span<const index_t> counts);

  index_t sent() const noexcept { return send_.back(); }
  index_t received() const noexcept { return receive_.back(); }
  std::span<const index_t> sent_offsets() const noexcept { return send_; }
  std::span<const index_t> received_offsets() const noexcept { return receive_; }

  /// Sends and receives; both arrays are the caller's and as long as said above. `width` elements
  /// of E belong to one counted element. Collective; it allocates nothing and fails only if MPI
  /// does.
  template <class E>
  void run(const E* send, E* receive, index_t width = 1) {
    static_assert(std::is_trivially_copyable_v<E>);
    run_bytes(reinterpret_cast<const std::byte*>(send), reinterpret_cast<std::byte*>(receive),
              static_cast<index_t>(sizeof(E)) * width);
  }
  /// The same in the other direction: what was received goes back to where it came from.
  template <class E>
  void run_back(const E* send, E* receive, index_t width = 1) {
    send_.swap(receive_);
    run(send, receive, width);
    send_.swap(receive_);
  }

  /// Longer pieces travel as several messages. Tests make it small.
  static index_t longest_message;

 private:
  void run_bytes(const std::byte* send, std::byte* receive, index_t element);

  communicator ranks_;
  std::vector<index_t> send_, receive_;
  std::vector<MPI_Request> requests_;
};

}  // namespace gossamer::mpi
