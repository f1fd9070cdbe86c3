#include "gossamer/context.hpp"

#include <algorithm>

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
  const int wanted = threads == 0 ? detail::default_threads() : threads;
  return {backend::openmp, std::min(wanted, detail::most_threads), 0, host_memory()};
}

context context::cuda(int device) {
  auto stream = cuda::make_stream(device);
  context result(backend::cuda, 1, device, cuda::device_memory(device, stream));
  result.stream_ = std::move(stream);
  return result;
}

context context::best() { return openmp(); }

context context::with_threads(int threads) const {
  context other = *this;
  if (threads > 0 && backend_ == backend::openmp)
    other.threads_ = std::min(threads, detail::most_threads);
  return other;
}

context context::with_memory(std::shared_ptr<memory_resource> source) const {
  if (!source || source->where() != memory_->where())
    throw fail(error_kind::bad_argument, "a {} context needs a memory source of {} memory",
               name(backend_), name(memory_->where()));
  context other = *this;
  other.memory_ =
      backend_ == backend::cuda ? cuda::on_stream(std::move(source), stream_) : std::move(source);
  return other;
}

context context::with_stream(void* stream) const {
  if (backend_ != backend::cuda)
    throw fail(error_kind::bad_argument,
               "a stream was given to a {} context; only CUDA has streams", name(backend_));
  context other = *this;
  other.stream_ = std::shared_ptr<void>(stream, [](void*) {});  // owned by the caller
  other.memory_ = cuda::on_stream(memory_, other.stream_);
  return other;
}

void context::synchronise() const {
  if (backend_ == backend::cuda) cuda::synchronise(device_, stream());
}

bool available(backend which) { return why_not_available(which).empty(); }

std::string why_not_available(backend which) {
  return which == backend::cuda ? cuda::why_not_available() : std::string();
}

}  // namespace gossamer
