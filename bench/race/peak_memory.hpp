// A memory source that remembers the most that was held at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>

#include "gossamer/memory.hpp"

namespace gossamer::bench {

class peak_memory final : public memory_resource {
 public:
  explicit peak_memory(std::shared_ptr<memory_resource> from) : from_(std::move(from)) {}

  void* allocate(std::size_t bytes) override {
    void* const data = from_->allocate(bytes);
    const index_t now = held_ += static_cast<index_t>(bytes);
    index_t seen = peak_.load();
    while (seen < now && !peak_.compare_exchange_weak(seen, now)) {
    }
    return data;
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    from_->deallocate(data, bytes);
    held_ -= static_cast<index_t>(bytes);
  }
  memory where() const noexcept override { return from_->where(); }
  void set(void* data, unsigned char byte, std::size_t bytes) override {
    from_->set(data, byte, bytes);
  }

  /// From now on.
  void restart() { peak_ = begin_ = held_.load(); }
  /// Since restart, beyond what was held then.
  index_t growth() const { return peak_ - begin_; }

 private:
  std::shared_ptr<memory_resource> from_;
  std::atomic<index_t> held_{0}, peak_{0}, begin_{0};
};

}  // namespace gossamer::bench
