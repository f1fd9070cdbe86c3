// The checksum of .gsm files: 64 bits, computed by blocks so that all threads can help, fast enough
// not to be seen beside the memory traffic. It finds damage; it does not resist forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gossamer::io {

/// Defined in docs/guide/formats.md, "Checksum". The same for any number of threads.
std::uint64_t checksum(std::string_view bytes, int threads);

/// The same in two steps, for processes that read a part each: the sums of blocks, and the checksum
/// of them all. Parts begin at multiples of a block.
inline constexpr std::size_t checksum_block = 1 << 20;
std::vector<std::uint64_t> block_checksums(std::string_view bytes, int threads);
std::uint64_t checksum_of_blocks(std::size_t bytes, std::span<const std::uint64_t> blocks);

}  // namespace gossamer::io
