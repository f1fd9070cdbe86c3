// Large blocks of host memory. The first touch of fresh memory can cost more than the product that
// is written there, so blocks use huge pages where the system provides them, and freed ones are
// kept for the next call instead of being unmapped.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace gossamer {

/// What the kernel may do with the pages of a kept block. Reclaimable ones it takes back when
/// memory becomes scarce, instead of ending the process; that costs half a millisecond per gigabyte
/// when the block is freed.
enum class kept_pages { held, reclaimable };

class block_pool {
 public:
  /// Keeps at most `most_kept` bytes of freed blocks.
  explicit block_pool(std::size_t most_kept, kept_pages pages = kept_pages::held);
  ~block_pool() { release(); }
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;

  /// The pool does not handle smaller blocks, which the allocator reuses itself. Half a huge page;
  /// not measured.
  static constexpr std::size_t smallest = std::size_t{1} << 20;

  /// Aligned to a page at least; null when the system refuses.
  void* take(std::size_t bytes);
  void give(void* data, std::size_t bytes) noexcept;
  /// Returns all kept blocks to the system.
  void release() noexcept;
  std::size_t kept() const;

 private:
  struct block {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  void* take_kept(std::size_t bytes);

  mutable std::mutex guard_;
  std::vector<block> kept_;  // never more than its first capacity: freeing must not allocate
  std::size_t kept_bytes_ = 0, most_kept_;
  kept_pages pages_;
};

/// The pool behind host_memory().
block_pool& host_blocks();

}  // namespace gossamer
