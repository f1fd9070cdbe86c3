// Parallel regions with OpenMP. A nested region gets the threads OpenMP grants it, often one.
#include <omp.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "backends/openmp/startable.hpp"
#include "base/parallel.hpp"

namespace gossamer::detail {

void run_team(int threads, team_body body, void* closure) {
  std::exception_ptr failure;
  std::mutex guard;
  const int granted = startable_threads(threads);
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
