// Host memory that counts: what is held now, and the most that was held at once.
#pragma once

#include <atomic>

#include "gossamer/memory.hpp"

namespace gossamer::cases {

class counting_memory final : public memory_resource {
 public:
  void* allocate(std::size_t bytes) override {
    void* data = host_memory()->allocate(bytes);
    const index_t now = held_ += static_cast<index_t>(bytes);
    index_t seen = peak_.load();
    while (seen < now && !peak_.compare_exchange_weak(seen, now)) {
    }
    return data;
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    host_memory()->deallocate(data, bytes);
    held_ -= static_cast<index_t>(bytes);
  }

  index_t held() const { return held_; }
  /// Since the last call of restart.
  index_t peak() const { return peak_; }
  void restart() { peak_ = held_.load(); }

 private:
  std::atomic<index_t> held_{0}, peak_{0};
};

}  // namespace gossamer::cases
