// A stream of the caller's own, which is captured in a graph.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>

namespace gossamer {

class caller_stream {
 public:
  caller_stream() {
    if (cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != cudaSuccess)
      throw std::runtime_error("no stream");
  }
  ~caller_stream() { (void)cudaStreamDestroy(stream_); }
  caller_stream(const caller_stream&) = delete;
  caller_stream& operator=(const caller_stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace gossamer
