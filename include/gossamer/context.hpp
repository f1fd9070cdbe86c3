// Where a computation runs: the first argument of every call that computes.
#pragma once

#include <memory>
#include <string_view>

#include "gossamer/memory.hpp"

namespace gossamer {

enum class backend : std::uint8_t { reference, openmp, cuda };
std::string_view name(backend);

/// A small value: copy it freely. Two contexts may be used by two threads at once; one context may
/// be shared by threads, since nothing in it changes. Copies of a CUDA context share its stream.
class context {
 public:
  /// Serial, plain, slow: the specification.
  static context reference();
  /// `threads` 0 means as many as OpenMP would start here (OMP_NUM_THREADS, affinity).
  static context openmp(int threads = 0);
  /// A device with a stream of this context's own and memory in the order of that stream: calls
  /// return before the device is done; synchronise() waits. Throws error(not_available) with the
  /// reason when this build or machine has no such device.
  static context cuda(int device = 0);
  /// The fastest backend whose operands live on the host: OpenMP.
  static context best();

  gossamer::backend backend() const noexcept { return backend_; }
  int threads() const noexcept { return threads_; }
  int device() const noexcept { return device_; }
  /// Where the library puts results and workspace made under this context.
  const std::shared_ptr<memory_resource>& memory() const noexcept { return memory_; }
  /// CUDA: the cudaStream_t everything runs on. Null elsewhere (and for CUDA's default stream).
  void* stream() const noexcept { return stream_.get(); }
  /// Returns when everything this context was asked for is done. Hosts always are.
  void synchronise() const;

  context with_threads(int threads) const;
  context with_memory(std::shared_ptr<memory_resource> source) const;
  /// CUDA only: runs on the caller's cudaStream_t, which must outlive every array made under the
  /// context. Memory of the library follows to that stream; a source of the caller's stays.
  context with_stream(void* stream) const;

 private:
  context(gossamer::backend backend, int threads, int device,
          std::shared_ptr<memory_resource> source)
      : memory_(std::move(source)), threads_(threads), device_(device), backend_(backend) {}
  std::shared_ptr<memory_resource> memory_;
  std::shared_ptr<void> stream_;  // null unless CUDA
  int threads_ = 1;
  int device_ = 0;
  gossamer::backend backend_ = gossamer::backend::reference;
};

/// True when this build has the backend *and* the machine can run it; `why_not` names the reason.
bool available(backend which);
std::string why_not_available(backend which);

}  // namespace gossamer
