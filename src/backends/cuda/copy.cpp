// Copies between host and device. Pageable memory goes through two pinned buffers, so that the
// host's copy of one piece and the device's of the other overlap; pinned memory needs no help.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/parallel.hpp"

namespace gossamer::cuda {

namespace {

/// Large enough to reach the bus's rate, small enough to be kept around.
constexpr std::size_t piece = std::size_t{4} << 20;
/// Up to this size the driver itself buffers the source and returns.
constexpr std::size_t small = std::size_t{64} << 10;

/// Two pinned buffers, each with an event that says when the device is done with it.
class staging {
 public:
  explicit staging(int device) : staging() {
    device_ = device;
    for (auto& one : halves_) {
      check(cudaHostAlloc(&one.data, piece, cudaHostAllocDefault), "{} of pinned memory",
            bytes_text(static_cast<index_t>(piece)));
      check(cudaEventCreateWithFlags(&one.done, cudaEventDisableTiming), "an event on device {}",
            device);
    }
  }
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;
  ~staging() {
    for (auto& one : halves_) {
      if (one.done) (void)cudaEventDestroy(one.done);
      if (one.data) (void)cudaFreeHost(one.data);
    }
  }

  int device() const { return device_; }
  void* data(int half) const { return halves_[half].data; }
  /// The device is done with this half when what is on the stream now is.
  void mark(int half, cudaStream_t stream) {
    check(cudaEventRecord(halves_[half].done, stream), "the end of a copy on device {}", device_);
  }
  void wait(int half) const {
    check(cudaEventSynchronize(halves_[half].done), "waiting for a copy on device {}", device_);
  }

 private:
  struct buffer_half {
    void* data = nullptr;
    cudaEvent_t done = nullptr;
  };
  staging() = default;  // whole already, so that the destructor cleans up when the rest throws
  buffer_half halves_[2];
  int device_ = 0;
};

/// Free buffers; a copy takes a pair for itself, so that host threads do not contend.
class staging_shelf {
 public:
  std::unique_ptr<staging> take(int device) {
    {
      const std::lock_guard lock(guard_);
      const auto fitting = std::find_if(shelf_.begin(), shelf_.end(),
                                        [&](const auto& one) { return one->device() == device; });
      if (fitting != shelf_.end()) {
        auto found = std::move(*fitting);
        shelf_.erase(fitting);
        return found;
      }
    }
    return std::make_unique<staging>(device);
  }
  void give(std::unique_ptr<staging> one) {
    const std::lock_guard lock(guard_);
    shelf_.push_back(std::move(one));
  }

 private:
  std::mutex guard_;
  std::vector<std::unique_ptr<staging>> shelf_;
};

staging_shelf& shelf() {
  static auto* const all = new staging_shelf;  // never destroyed, like the pools
  return *all;
}

/// Borrowed for one copy. One that failed in the middle is not trusted again.
class borrowed {
 public:
  explicit borrowed(int device) : held_(shelf().take(device)) {}
  staging* operator->() const { return held_.get(); }
  void give_back() { shelf().give(std::move(held_)); }

 private:
  std::unique_ptr<staging> held_;
};

bool is_pinned(const void* host) {
  cudaPointerAttributes found{};
  if (cudaPointerGetAttributes(&found, host) != cudaSuccess) {
    (void)cudaGetLastError();
    return false;
  }
  return found.type == cudaMemoryTypeHost || found.type == cudaMemoryTypeManaged;
}

/// Parallel, since one core does not reach the rate of the bus.
void copy_on_host(void* to, const void* from, std::size_t bytes) {
  const int team = std::min(4, gossamer::detail::default_threads());
  parallel_ranges(team, static_cast<index_t>(bytes), 1 << 20, [&](index_t begin, index_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                static_cast<std::size_t>(end - begin));
  });
}

void queue(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
           cudaStream_t stream) {
  check(cudaMemcpyAsync(to, from, bytes, kind, stream), "a copy of {}",
        bytes_text(static_cast<index_t>(bytes)));
}

cudaMemcpyKind kind_of(direction which) {
  switch (which) {
    case direction::to_device: return cudaMemcpyHostToDevice;
    case direction::to_host: return cudaMemcpyDeviceToHost;
    case direction::on_device: return cudaMemcpyDeviceToDevice;
  }
  return cudaMemcpyDefault;
}

void stage_to_device(int device, char* to, const char* from, std::size_t bytes,
                     cudaStream_t stream) {
  borrowed pair(device);
  int half = 0;
  for (std::size_t at = 0; at < bytes; at += piece, half = 1 - half) {
    const std::size_t size = std::min(piece, bytes - at);
    pair->wait(half);
    copy_on_host(pair->data(half), from + at, size);
    queue(to + at, pair->data(half), size, cudaMemcpyHostToDevice, stream);
    pair->mark(half, stream);
  }
  pair.give_back();
}

void stage_to_host(int device, char* to, const char* from, std::size_t bytes, cudaStream_t stream) {
  borrowed pair(device);
  pair->wait(0);
  pair->wait(1);
  const std::size_t pieces = (bytes + piece - 1) / piece;
  const auto size_of = [&](std::size_t p) { return std::min(piece, bytes - p * piece); };
  for (std::size_t p = 0; p <= pieces; ++p) {
    const int half = static_cast<int>(p % 2);
    if (p < pieces) {
      queue(pair->data(half), from + p * piece, size_of(p), cudaMemcpyDeviceToHost, stream);
      pair->mark(half, stream);
    }
    if (p == 0) continue;
    pair->wait(1 - half);
    copy_on_host(to + (p - 1) * piece, pair->data(1 - half), size_of(p - 1));
  }
  pair.give_back();
}

}  // namespace

void copy_bytes(const context& where, void* to, const void* from, std::size_t bytes,
                direction which) {
  if (bytes == 0) return;
  const device_guard on(where);
  const auto stream = stream_of(where);
  const bool direct = which == direction::on_device || bytes <= small ||
                      is_pinned(which == direction::to_host ? to : from);
  if (direct)
    queue(to, from, bytes, kind_of(which), stream);
  else if (which == direction::to_device)
    stage_to_device(where.device(), static_cast<char*>(to), static_cast<const char*>(from), bytes,
                    stream);
  else
    stage_to_host(where.device(), static_cast<char*>(to), static_cast<const char*>(from), bytes,
                  stream);
  if (which == direction::to_host) synchronise(where.device(), where.stream());
}

}  // namespace gossamer::cuda
