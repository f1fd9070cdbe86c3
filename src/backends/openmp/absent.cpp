// A build without OpenMP, and that of ThreadSanitizer: nothing but the processors decides.
#include <algorithm>
#include <thread>

#include "backends/openmp/surroundings.hpp"
#include "base/parallel.hpp"

namespace gossamer::detail {

int default_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}

int allowed_team(int wanted) { return wanted; }

waiting wait_policy() { return waiting::briefly; }

std::vector<int> processors_of(int, int) { return {}; }

}  // namespace gossamer::detail
