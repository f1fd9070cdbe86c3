// Devices: which one is current while a function runs, what it can do, which stream a context has.
#pragma once

#include <cuda_runtime_api.h>

#include "gossamer/context.hpp"
#include "gossamer/machine.hpp"

namespace gossamer::cuda {

/// Makes a device current for a scope; the caller's comes back afterwards.
class device_guard {
 public:
  explicit device_guard(int device);
  explicit device_guard(const context& where) : device_guard(where.device()) {}
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;
  ~device_guard();

 private:
  int before_ = 0, now_ = 0;
};

inline cudaStream_t stream_of(const context& where) {
  return static_cast<cudaStream_t>(where.stream());
}

/// True while work is recorded for a CUDA graph: waiting and allocating are impossible then.
bool is_captured(cudaStream_t stream);

/// Properties of a device for the cost model and the kernels; queried once per device.
const gpu& properties(int device);

}  // namespace gossamer::cuda
