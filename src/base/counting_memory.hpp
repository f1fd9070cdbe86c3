// A memory source that counts: what is held now, and the most that was held at once.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "gossamer/memory.hpp"

namespace gossamer {

class counting_memory final : public memory_resource {
 public:
  explicit counting_memory(std::shared_ptr<memory_resource> from = host_memory())
      : from_(std::move(from)) {}

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

  index_t held() const { return held_; }
  /// The most that was held since the last call of restart, and how much more than then.
  index_t peak() const { return peak_; }
  index_t growth() const { return peak_ - begin_; }
  void restart() { peak_ = begin_ = held_.load(); }

 private:
  std::shared_ptr<memory_resource> from_;
  std::atomic<index_t> held_{0}, peak_{0}, begin_{0};
};

}  // namespace gossamer
