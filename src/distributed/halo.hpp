// The halo of a matrix: elements of x that other ranks have, brought here in one message from each,
// or sums for elements that others have, sent there. Messages are set up once (MPI's persistent
// requests) and started for each product.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "distributed/calls.hpp"

namespace gossamer::mpi {

/// Which elements travel, found out once for a matrix. Own elements that others need: `wanted`,
/// grouped by rank; elements of others: the halo, in ascending order, which groups it by rank too.
struct halo_routes {
  struct piece {
    int rank = 0;
    index_t begin = 0, end = 0;
  };
  std::vector<piece> to, from;  ///< pieces of `wanted`, and of the halo
  std::vector<index_t> wanted;  ///< local numbers of own elements
  index_t halo = 0;             ///< elements of others

  /// Tells owners which of their elements are needed here. Collective; throws on all ranks alike.
  static halo_routes of(const communicator& ranks, const partition& owners,
                        std::span<const index_t> halo);
};

/// Messages between two arrays of the caller, which stay where they are.
class halo_messages {
 public:
  /// `inside` has `width` bytes for each wanted element, `outside` for each of the halo. Forward:
  /// inside is sent, outside received; backward the other way round.
  enum class direction { forward, backward };
  halo_messages(const communicator& ranks, const halo_routes& routes, direction way,
                std::byte* inside, std::byte* outside, index_t width);
  halo_messages(const halo_messages&) = delete;
  halo_messages& operator=(const halo_messages&) = delete;
  ~halo_messages();

  void start();
  void wait();
  const traffic& per_call() const noexcept { return per_call_; }

 private:
  void add(bool send, std::byte* data, const halo_routes::piece& piece, index_t width);
  void release() noexcept;

  communicator ranks_;
  std::vector<MPI_Request> requests_;
  traffic per_call_;
};

}  // namespace gossamer::mpi
