#include "interrupt.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace binding {

namespace {

/// Less work than this takes a tenth of a second at most.
constexpr gs::index_t long_work = 2'000'000;
/// How often the waiting thread looks for signals.
constexpr std::chrono::milliseconds patience{50};

/// Memory that is refused once the work is abandoned.
class stoppable_memory final : public gs::memory_resource {
 public:
  stoppable_memory(std::shared_ptr<gs::memory_resource> source,
                   std::shared_ptr<const std::atomic<bool>> stopped)
      : source_(std::move(source)), stopped_(std::move(stopped)) {}
  void* allocate(std::size_t bytes) override {
    if (stopped_->load(std::memory_order_relaxed))
      throw gs::error(gs::error_kind::not_available, "the product was interrupted");
    return source_->allocate(bytes);
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    source_->deallocate(data, bytes);
  }
  gs::memory where() const noexcept override { return source_->where(); }
  void set(void* data, unsigned char byte, std::size_t bytes) override {
    source_->set(data, byte, bytes);
  }

 private:
  std::shared_ptr<gs::memory_resource> source_;
  std::shared_ptr<const std::atomic<bool>> stopped_;
};

struct job {
  std::function<void()> work;
  std::exception_ptr failure;
  bool done = false, abandoned = false;
};

/// A thread that waits for jobs, one after another; it keeps its OpenMP team between them.
struct worker {
  std::mutex guard;
  std::condition_variable changed;
  std::shared_ptr<job> current;
};

/// The worker of the main thread, touched with the GIL held. It lives as long as the process.
worker* idle_worker = nullptr;
std::atomic<int> abandoned_jobs{0};

void serve(worker* self) {
  for (;;) {
    std::unique_lock lock(self->guard);
    self->changed.wait(lock, [&] { return self->current && !self->current->done; });
    auto mine = self->current;
    lock.unlock();
    try {
      mine->work();
    } catch (...) {
      mine->failure = std::current_exception();
    }
    lock.lock();
    mine->done = true;
    if (mine->abandoned) {
      lock.unlock();
      {
        const py::gil_scoped_acquire gil;  // operands are Python's
        self->current.reset();
        mine.reset();
      }
      --abandoned_jobs;
      delete self;
      return;
    }
    mine.reset();  // whoever waits destroys the job
    self->changed.notify_all();
  }
}

worker* worker_at_hand() {
  // The child of a fork has no other threads; the parent's worker is forgotten there.
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    idle_worker = nullptr;
    abandoned_jobs = 0;
  });
  (void)registered;
  if (idle_worker == nullptr) {
    auto* const made = new worker;
    std::thread(serve, made).detach();
    idle_worker = made;
  }
  return idle_worker;
}

bool on_main_thread() {
  const auto threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

/// Waits for the job; false when a signal handler raised, and the exception is set.
bool waited(worker& by, const std::shared_ptr<job>& posted) {
  for (;;) {
    {
      const py::gil_scoped_release released;
      std::unique_lock lock(by.guard);
      if (by.changed.wait_for(lock, patience, [&] { return posted->done; })) {
        by.current.reset();
        return true;
      }
    }
    if (PyErr_CheckSignals() == 0) continue;
    const std::lock_guard lock(by.guard);
    if (posted->done) {
      by.current.reset();
    } else {
      posted->abandoned = true;
      ++abandoned_jobs;
      idle_worker = nullptr;  // it ends with this job
    }
    return false;
  }
}

}  // namespace

void interruptible(gs::index_t size, const gs::context& where,
                   std::function<void(const gs::context&)> work) {
  if (size < long_work || !on_main_thread()) {
    const py::gil_scoped_release released;
    return work(where);
  }
  const auto stopped = std::make_shared<std::atomic<bool>>(false);
  const auto here =
      where.backend() == gs::backend::cuda
          ? where
          : where.with_memory(std::make_shared<stoppable_memory>(where.memory(), stopped));
  const auto posted = std::make_shared<job>();
  posted->work = [work = std::move(work), here] { work(here); };
  auto* const by = worker_at_hand();
  {
    const std::lock_guard lock(by->guard);
    by->current = posted;
  }
  by->changed.notify_all();
  if (!waited(*by, posted)) {
    *stopped = true;
    throw py::error_already_set();
  }
  if (posted->failure) std::rethrow_exception(posted->failure);
}

void define_interruption(py::module_& m) {
  m.def("abandoned_jobs", [] { return abandoned_jobs.load(); });
}

}  // namespace binding
