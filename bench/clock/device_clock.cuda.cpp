#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "bench/clock/device_clock.hpp"
#include "bench/clock/quiet.hpp"

namespace gossamer::bench {

namespace {

// Longer than it takes to queue a product that does not wait for the device.
constexpr double head_start_microseconds = 40;

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status) + " (" +
                           cudaGetErrorName(status) + ")");
}

}  // namespace

struct device_clock::parts {
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  void* swept = nullptr;
  std::size_t bytes = 0;

  ~parts() {
    if (begin) (void)cudaEventDestroy(begin);
    if (end) (void)cudaEventDestroy(end);
    if (swept) (void)cudaFree(swept);
  }
};

device_clock::device_clock(void* stream) : parts_(std::make_unique<parts>()) {
  parts_->stream = static_cast<cudaStream_t>(stream);
  int device = 0, l2 = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device),
        "cudaDeviceGetAttribute(L2CacheSize)");
  parts_->bytes = std::max<std::size_t>(static_cast<std::size_t>(l2) * 2, std::size_t{64} << 20);
  check(cudaEventCreate(&parts_->begin), "cudaEventCreate");
  check(cudaEventCreate(&parts_->end), "cudaEventCreate");
}

device_clock::~device_clock() = default;

void device_clock::start() {
  hold(head_start_microseconds, parts_->stream);
  check(cudaGetLastError(), "hold");
  check(cudaEventRecord(parts_->begin, parts_->stream), "cudaEventRecord");
}

double device_clock::stop() {
  check(cudaEventRecord(parts_->end, parts_->stream), "cudaEventRecord");
  check(cudaEventSynchronize(parts_->end), "cudaEventSynchronize");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, parts_->begin, parts_->end), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

void device_clock::sweep() {
  if (!parts_->swept) {
    check(cudaMalloc(&parts_->swept, parts_->bytes), "cudaMalloc for the sweep of the L2");
    check(cudaMemsetAsync(parts_->swept, 0x5a, parts_->bytes, parts_->stream), "cudaMemsetAsync");
  }
  sweep_by_reading(parts_->swept, parts_->bytes, parts_->stream);
  check(cudaGetLastError(), "sweep_by_reading");
}

}  // namespace gossamer::bench
