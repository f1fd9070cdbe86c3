// Stream-ordered device memory, from one pool per device that keeps freed blocks.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "backends/cuda/runtime.hpp"

namespace gossamer::cuda {

namespace {

/// One pool per device, separate from the device's default pool, which other code in the process
/// may use.
class device_pools {
 public:
  cudaMemPool_t of(int device) {
    const std::lock_guard lock(guard_);
    if (const auto found = pools_.find(device); found != pools_.end()) return found->second;
    return pools_[device] = make(device);
  }
  void trim() noexcept {
    const std::lock_guard lock(guard_);
    for (const auto& [device, pool] : pools_) (void)cudaMemPoolTrimTo(pool, 0);
  }

 private:
  static cudaMemPool_t make(int device) {
    const device_guard on(device);
    int supported = 0;
    check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device),
          "whether device {} has memory pools", device);
    if (supported == 0)
      throw fail(error_kind::not_available,
                 "device {} has no stream-ordered memory, which Gossamer needs", device);
    cudaMemPoolProps wanted{};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.handleTypes = cudaMemHandleTypeNone;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.location.id = device;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &wanted), "a memory pool on device {}", device);
    auto keep = std::numeric_limits<std::uint64_t>::max();
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
          "what the memory pool of device {} keeps", device);
    return pool;
  }
  std::mutex guard_;
  std::map<int, cudaMemPool_t> pools_;
};

device_pools& pools() {
  // Never destroyed: arrays may be freed after static objects are.
  static auto* const all = new device_pools;
  return *all;
}

class stream_memory final : public memory_resource {
 public:
  stream_memory(int device, std::shared_ptr<void> stream)
      : stream_(std::move(stream)), pool_(pools().of(device)), device_(device) {}

  void* allocate(std::size_t bytes) override {
    const device_guard on(device_);
    // Kernels load whole vectors; an empty array still has an address.
    const std::size_t size = std::max<std::size_t>(bytes, 64);
    void* data = nullptr;
    auto status = cudaMallocFromPoolAsync(&data, size, pool_, stream());
    if (status == cudaErrorMemoryAllocation && !is_captured(stream())) {
      // Freed memory may still wait for its stream, or be fragmented.
      (void)cudaGetLastError();
      check(cudaStreamSynchronize(stream()), "waiting for freed memory on device {}", device_);
      check(cudaMemPoolTrimTo(pool_, 0), "trimming the memory pool of device {}", device_);
      status = cudaMallocFromPoolAsync(&data, size, pool_, stream());
    }
    if (status == cudaErrorMemoryAllocation) refuse(size);
    check(status, "{} on device {}", bytes_text(static_cast<index_t>(size)), device_);
    return data;
  }

  void deallocate(void* data, std::size_t) noexcept override {
    // A failure here cannot be handled; some are normal at the end of a process.
    try {
      const device_guard on(device_);
      check(cudaFreeAsync(data, stream()), "freeing memory of device {}", device_);
    } catch (const error&) {
    }
  }

  memory where() const noexcept override { return memory::device; }

  void set(void* data, unsigned char byte, std::size_t bytes) override {
    const device_guard on(device_);
    check(cudaMemsetAsync(data, byte, bytes, stream()), "setting {} on device {}",
          bytes_text(static_cast<index_t>(bytes)), device_);
  }

  int device() const { return device_; }

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(stream_.get()); }

  [[noreturn]] void refuse(std::size_t bytes) const {
    (void)cudaGetLastError();
    std::size_t free = 0, total = 0;
    (void)cudaMemGetInfo(&free, &total);
    throw fail(error_kind::out_of_memory,
               "device {} refused {} of memory: {} of {} are free; free some, or use smaller "
               "operands",
               device_, bytes_text(static_cast<index_t>(bytes)),
               bytes_text(static_cast<index_t>(free)), bytes_text(static_cast<index_t>(total)));
  }

  std::shared_ptr<void> stream_;
  cudaMemPool_t pool_;
  int device_;
};

}  // namespace

std::shared_ptr<memory_resource> device_memory(int device, std::shared_ptr<void> stream) {
  return std::make_shared<stream_memory>(device, std::move(stream));
}

std::shared_ptr<memory_resource> on_stream(std::shared_ptr<memory_resource> source,
                                           const std::shared_ptr<void>& stream) {
  const auto* own = dynamic_cast<const stream_memory*>(source.get());
  return own ? device_memory(own->device(), stream) : std::move(source);
}

void release_memory() noexcept { pools().trim(); }

void set_bytes(void* data, unsigned char byte, std::size_t bytes) {
  // The stream that the memory was allocated on is unknown, so wait before and after.
  check(cudaDeviceSynchronize(), "waiting for device memory that is to be set");
  check(cudaMemset(data, byte, bytes), "setting {} of device memory",
        bytes_text(static_cast<index_t>(bytes)));
  check(cudaDeviceSynchronize(), "waiting for device memory to be set");
}

}  // namespace gossamer::cuda
