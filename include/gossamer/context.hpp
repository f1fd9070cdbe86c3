// A context says where a computation runs. It is the first argument of every call that computes.
#pragma once

#include <memory>
#include <string_view>

#include "gossamer/memory.hpp"

namespace gossamer {

/// Implementations of the kernels: serial reference, threads on the host, CUDA devices.
enum class backend : std::uint8_t { reference, openmp, cuda };
/// Name of the backend, as in kernel ids: "reference", "openmp", "cuda".
std::string_view name(backend);

/// Backend, number of threads, device, stream and memory source. A context is a small immutable
/// value: copy it freely and share it between threads. Copies of a CUDA context share its stream.
class context {
 public:
  /// Serial reference kernels: slow, and the specification of all others.
  static context reference();
  /// Kernels with threads on the host. `threads` 0 means as many as OpenMP would start here
  /// (OMP_NUM_THREADS, affinity); more than 1024 are taken as 1024.
  static context openmp(int threads = 0);
  /// A CUDA device, with a stream owned by this context and stream-ordered memory. Calls return
  /// before the device is done; synchronise() waits. Throws error(not_available) with the reason
  /// when this build or machine has no such device.
  static context cuda(int device = 0);
  /// The fastest backend with operands in host memory: OpenMP.
  static context best();

  /// Backend that kernels run on.
  gossamer::backend backend() const noexcept { return backend_; }
  /// Number of host threads that kernels use.
  int threads() const noexcept { return threads_; }
  /// Number of the CUDA device; 0 on the host.
  int device() const noexcept { return device_; }
  /// Source of memory for results and workspace allocated under this context.
  const std::shared_ptr<memory_resource>& memory() const noexcept { return memory_; }
  /// The cudaStream_t of a CUDA context; null elsewhere (and for CUDA's default stream).
  void* stream() const noexcept { return stream_.get(); }
  /// Waits until all work submitted under this context is done. On the host it always is.
  void synchronise() const;

  /// The same context with another number of threads; 0, and backends without threads, keep it.
  context with_threads(int threads) const;
  /// The same context with another source of memory.
  context with_memory(std::shared_ptr<memory_resource> source) const;
  /// CUDA only: the same context on the caller's cudaStream_t, which must outlive every array
  /// allocated under the context. The library's memory source follows to that stream; a source set
  /// with with_memory stays.
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

/// True when this build has the backend *and* the machine can run it.
bool available(backend which);
/// Why the backend is not available; empty when it is.
std::string why_not_available(backend which);

}  // namespace gossamer
