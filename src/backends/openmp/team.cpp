// Parallel regions with OpenMP. A nested region gets the threads OpenMP grants it, often one.
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "backends/openmp/startable.hpp"
#include "base/parallel.hpp"

namespace gossamer::detail {

namespace {

/// libgomp keeps the threads of a team for the next region. A child of fork() has none of them, and
/// its first region would wait for them forever. So the thread that forks ends its team before, and
/// parent and child start new ones when they need them. Teams of other threads are not in the
/// child.
void prepare_for_forks() {
  [[maybe_unused]] static const int registered =
      pthread_atfork([] { omp_pause_resource_all(omp_pause_soft); }, nullptr, nullptr);
}

}  // namespace

void run_team(int threads, team_body body, void* closure) {
  std::exception_ptr failure;
  std::mutex guard;
  const int granted = startable_threads(threads);
  prepare_for_forks();
#pragma omp parallel num_threads(granted)
  {
    try {
      body(closure, omp_get_thread_num(), omp_get_num_threads());
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

int default_threads() { return std::min(omp_get_max_threads(), most_threads); }

}  // namespace gossamer::detail
