// A memory source that refuses what would exceed a limit: the last guard of options::memory_limit.
#pragma once

#include <atomic>
#include <memory>

#include "base/text.hpp"
#include "gossamer/memory.hpp"

namespace gossamer {

/// Passes on to another source and counts what is held. An allocation that would make it more than
/// the limit throws error(memory_limit) and allocates nothing. Arrays keep it alive, like any
/// source.
class limited_memory final : public memory_resource {
 public:
  limited_memory(std::shared_ptr<memory_resource> source, index_t limit)
      : source_(std::move(source)), limit_(limit) {}

  void* allocate(std::size_t bytes) override {
    const auto size = static_cast<index_t>(bytes);
    if (const index_t now = held_ += size; now > limit_) {
      held_ -= size;
      throw fail(error_kind::memory_limit,
                 "{} more were needed with {} in use, which is beyond the limit of {}; raise the "
                 "limit to more than {} bytes",
                 bytes_text(size), bytes_text(now - size), bytes_text(limit_), now);
    }
    try {
      return source_->allocate(bytes);
    } catch (...) {
      held_ -= size;
      throw;
    }
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    source_->deallocate(data, bytes);
    held_ -= static_cast<index_t>(bytes);
  }
  memory where() const noexcept override { return source_->where(); }
  void set(void* data, unsigned char byte, std::size_t bytes) override {
    source_->set(data, byte, bytes);
  }

  index_t held() const { return held_; }
  index_t limit() const { return limit_; }

 private:
  std::shared_ptr<memory_resource> source_;
  index_t limit_;
  std::atomic<index_t> held_{0};
};

}  // namespace gossamer
