// Arrays longer than memory: one small file mapped again and again.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <limits>

#include "gossamer/types.hpp"

namespace gossamer {

inline constexpr index_t tile = 1 << 22;  // elements of one mapped piece

/// `count` elements that repeat the first `tile` ones; from the tile of `own` on they are memory of
/// their own, and zero.
template <class T>
class repeated {
 public:
  repeated(index_t count, T (*element)(index_t), index_t own = std::numeric_limits<index_t>::max())
      : bytes_(((count + tile - 1) / tile) * tile * sizeof(T)) {
    const int file = memfd_create("repeated", 0);
    if (file < 0 || ftruncate(file, tile * sizeof(T)) != 0) return;
    void* whole =
        mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) return;
    auto* base = static_cast<char*>(whole);
    for (std::size_t at = 0; at < bytes_; at += tile * sizeof(T)) {
      const bool shared = static_cast<index_t>(at / sizeof(T)) < own;
      if (mmap(base + at, tile * sizeof(T), PROT_READ | PROT_WRITE,
               MAP_FIXED | (shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS), shared ? file : -1,
               0) == MAP_FAILED)
        return;
    }
    close(file);
    data_ = static_cast<T*>(whole);
    for (index_t i = 0; i < tile; ++i) data_[i] = element(i);
  }
  ~repeated() {
    if (data_) munmap(data_, bytes_);
  }
  repeated(const repeated&) = delete;
  repeated& operator=(const repeated&) = delete;
  T* data() { return data_; }

 private:
  std::size_t bytes_;
  T* data_ = nullptr;
};

}  // namespace gossamer
