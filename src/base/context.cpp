#include "gossamer/context.hpp"

#include "backends/cuda/runtime.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace gossamer {

context context::reference() { return {backend::reference, 1, 0, host_memory()}; }

context context::openmp(int threads) {
  if (threads < 0)
    throw fail(error_kind::bad_argument,
               "a context was asked for with {} threads; give 1 or more, or 0 for all cores",
               threads);
  return {backend::openmp, threads == 0 ? detail::default_threads() : threads, 0, host_memory()};
}

context context::cuda(int device) {
  return {backend::cuda, 1, device, cuda::device_memory(device)};
}

context context::best() { return openmp(); }

context context::with_threads(int threads) const {
  context other = *this;
  if (threads > 0 && backend_ == backend::openmp) other.threads_ = threads;
  return other;
}

context context::with_memory(std::shared_ptr<memory_resource> source) const {
  if (!source || source->where() != memory_->where())
    throw fail(error_kind::bad_argument, "a {} context needs a memory source of {} memory",
               name(backend_), name(memory_->where()));
  context other = *this;
  other.memory_ = std::move(source);
  return other;
}

bool available(backend which) { return why_not_available(which).empty(); }

std::string why_not_available(backend which) {
  return which == backend::cuda ? cuda::why_not_available() : std::string();
}

}  // namespace gossamer
