#include "base/block_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "base/container.hpp"
#include "gossamer/machine.hpp"

namespace gossamer {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t slots = 256;  // blocks kept at most: the list is searched; not measured

/// Size classes, an eighth apart, so that blocks of about equal size replace each other. Bytes
/// beyond the size asked for are never touched.
std::size_t rounded(std::size_t bytes) {
  const std::size_t grain = std::max(std::bit_floor(bytes) / 8, std::size_t{1} << 12);
  return (bytes + grain - 1) / grain * grain;
}

/// Aligned to huge pages when large enough: mapped with a margin that is unmapped again.
void* map(std::size_t bytes) {
  const std::size_t margin = bytes >= huge_page ? huge_page : 0;
  void* found =
      mmap(nullptr, bytes + margin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  if (margin == 0) return found;
  auto* begin = static_cast<char*>(found);
  const std::size_t skip =
      (huge_page - reinterpret_cast<std::size_t>(begin) % huge_page) % huge_page;
  if (skip > 0) munmap(begin, skip);
  if (margin > skip) munmap(begin + skip + bytes, margin - skip);
  madvise(begin + skip, bytes, MADV_HUGEPAGE);
  return begin + skip;
}

}  // namespace

block_pool::block_pool(std::size_t most_kept, kept_pages pages)
    : most_kept_(most_kept), pages_(pages) {
  kept_.reserve(slots);
}

void* block_pool::take_kept(std::size_t bytes) {
  const std::lock_guard lock(guard_);
  // The most recently freed first: it is the likeliest to be in a cache.
  const auto fitting = std::find_if(kept_.rbegin(), kept_.rend(),
                                    [&](const block& one) { return one.bytes == bytes; });
  if (fitting == kept_.rend()) return nullptr;
  void* found = fitting->data;
  kept_bytes_ -= bytes;
  kept_.erase(std::prev(fitting.base()));
  return found;
}

void* block_pool::take(std::size_t bytes) {
  bytes = rounded(bytes);
  if (void* found = take_kept(bytes)) return found;
  if (void* fresh = map(bytes)) return fresh;
  release();
  return map(bytes);
}

void block_pool::give(void* data, std::size_t bytes) noexcept {
  bytes = rounded(bytes);
  {
    const std::lock_guard lock(guard_);
    if (kept_.size() < kept_.capacity() && kept_bytes_ + bytes <= most_kept_) {
      // Before the block can be found again: what is written to it afterwards stays.
      if (pages_ == kept_pages::reclaimable) madvise(data, bytes, MADV_FREE);
      kept_.push_back({data, bytes});
      kept_bytes_ += bytes;
      return;
    }
  }
  munmap(data, bytes);
}

void block_pool::release() noexcept {
  const std::lock_guard lock(guard_);
  for (const auto& one : kept_) munmap(one.data, one.bytes);
  kept_.clear();
  kept_bytes_ = 0;
}

std::size_t block_pool::kept() const {
  const std::lock_guard lock(guard_);
  return kept_bytes_;
}

block_pool& host_blocks() {
  // Never destroyed: arrays may be freed after static objects are.
  static auto* const pool =
      new block_pool(static_cast<std::size_t>(std::max<index_t>(this_machine().memory / 4, 0)),
                     container_memory() ? kept_pages::reclaimable : kept_pages::held);
  return *pool;
}

}  // namespace gossamer
