// Readers of one file by all ranks. Each gets the mapped file, of which it touches its part.
#pragma once

#include "gossamer/mpi/distributed_files.hpp"
#include "io/common.hpp"

namespace gossamer::mpi {

/// What all readers need to know.
struct reading_of {
  const context& where;
  const communicator& ranks;
  const distribution& how;
  const read_options& options;
};

/// A coordinate file, by ranges of bytes. Collective.
template <real_scalar T>
distributed_csr<T> read_coordinates(const reading_of& job, const io::named_bytes& text);
/// A sparse .gsm file, by rows. Collective.
template <real_scalar T>
distributed_csr<T> read_binary(const reading_of& job, const io::named_bytes& file);

/// The checksum of bytes that all ranks see, each computing the sums of some blocks. Collective.
std::uint64_t shared_checksum(const communicator& ranks, std::string_view bytes, int threads);

}  // namespace gossamer::mpi
