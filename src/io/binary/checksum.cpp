#include "io/binary/checksum.hpp"

#include <bit>
#include <vector>

#include "io/common.hpp"

namespace gossamer::io {

namespace {

constexpr std::size_t stripe = 32;
// Odd, without pattern: the fractional parts of the golden ratio and of the square root of 2.
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15, root = 0x6a09e667f3bcc909;

std::uint64_t stir(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * root, 31) * golden;
}

std::uint64_t settle(std::uint64_t x) {
  x = (x ^ (x >> 32)) * golden;
  x = (x ^ (x >> 29)) * root;
  return x ^ (x >> 32);
}

/// Four lanes, so that the processor can work on four products at once.
std::uint64_t block_checksum(std::string_view block) {
  std::uint64_t a = golden, b = root, c = ~golden, d = ~root;
  const auto take = [&](const char* at) {
    a = stir(a, load<std::uint64_t>(at));
    b = stir(b, load<std::uint64_t>(at + 8));
    c = stir(c, load<std::uint64_t>(at + 16));
    d = stir(d, load<std::uint64_t>(at + 24));
  };
  const std::size_t whole = block.size() / stripe * stripe;
  for (std::size_t at = 0; at < whole; at += stripe) take(block.data() + at);
  if (whole < block.size()) {
    char last[stripe] = {};
    std::memcpy(last, block.data() + whole, block.size() - whole);
    take(last);
  }
  auto sum = stir(stir(stir(stir(block.size(), a), b), c), d);
  return settle(sum);
}

}  // namespace

std::vector<std::uint64_t> block_checksums(std::string_view bytes, int threads) {
  const auto blocks = (bytes.size() + checksum_block - 1) / checksum_block;
  std::vector<std::uint64_t> sums(blocks);
  parallel_chunks(threads, static_cast<index_t>(blocks), [&](index_t k) {
    const auto block = static_cast<std::size_t>(k);
    sums[block] = block_checksum(bytes.substr(block * checksum_block, checksum_block));
  });
  return sums;
}

std::uint64_t checksum_of_blocks(std::size_t bytes, std::span<const std::uint64_t> blocks) {
  std::uint64_t sum = bytes;
  for (const auto each : blocks) sum = stir(sum, each);
  return settle(sum);
}

std::uint64_t checksum(std::string_view bytes, int threads) {
  return checksum_of_blocks(bytes.size(), block_checksums(bytes, threads));
}

}  // namespace gossamer::io
