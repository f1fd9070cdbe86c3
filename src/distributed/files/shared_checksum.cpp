// Checksums of .gsm sections, each rank a range of blocks.
#include <algorithm>

#include "base/parallel.hpp"
#include "distributed/calls.hpp"
#include "distributed/files/readers.hpp"
#include "io/binary/checksum.hpp"

namespace gossamer::mpi {

std::uint64_t shared_checksum(const communicator& ranks, std::string_view bytes, int threads) {
  const auto blocks =
      static_cast<index_t>((bytes.size() + io::checksum_block - 1) / io::checksum_block);
  std::vector<std::uint64_t> mine, all;
  std::vector<int> counts, starts;
  agreed(ranks, [&] {
    all.resize(static_cast<std::size_t>(blocks));
    for (int r = 0; r < ranks.size(); ++r) {
      const auto part = part_of(blocks, r, ranks.size());
      counts.push_back(static_cast<int>(part.end - part.begin));
      starts.push_back(static_cast<int>(part.begin));
    }
    const auto own = part_of(blocks, ranks.rank(), ranks.size());
    const auto begin = static_cast<std::size_t>(own.begin) * io::checksum_block;
    const auto size = static_cast<std::size_t>(own.end - own.begin) * io::checksum_block;
    if (own.begin < own.end) mine = io::block_checksums(bytes.substr(begin, size), threads);
  });
  check(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_UINT64_T, all.data(),
                       counts.data(), starts.data(), MPI_UINT64_T, ranks.impl().comm),
        "MPI_Allgatherv");
  return io::checksum_of_blocks(bytes.size(), all);
}

}  // namespace gossamer::mpi
