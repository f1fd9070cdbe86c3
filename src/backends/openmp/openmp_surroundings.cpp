// OpenMP's controls, which our threads obey: OMP_NUM_THREADS, OMP_PROC_BIND and OMP_PLACES,
// OMP_WAIT_POLICY, OMP_THREAD_LIMIT and OMP_MAX_ACTIVE_LEVELS, and the functions omp_set_*.
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "backends/openmp/surroundings.hpp"
#include "base/parallel.hpp"

namespace gossamer::detail {

int default_threads() { return std::min(omp_get_max_threads(), most_threads); }

int allowed_team(int wanted) {
  if (omp_get_active_level() >= omp_get_max_active_levels()) return 1;
  return std::min(wanted, omp_get_thread_limit());
}

waiting wait_policy() {
  const char* const set = std::getenv("OMP_WAIT_POLICY");
  const std::string_view policy = set ? set : "";
  if (policy == "passive" || policy == "PASSIVE") return waiting::asleep;
  return policy == "active" || policy == "ACTIVE" ? waiting::awake : waiting::briefly;
}

std::vector<int> processors_of(int number, int team) {
  const auto bound = omp_get_proc_bind();
  const int places = omp_get_num_places(), here = omp_get_place_num();
  if (bound == omp_proc_bind_false || places <= 0 || here < 0) return {};
  const int step = bound == omp_proc_bind_spread ? std::max(places / team, 1) : 1;
  const int away = bound == omp_proc_bind_master ? 0 : number * step;
  const int place = (here + away) % places;
  std::vector<int> processors(static_cast<std::size_t>(omp_get_place_num_procs(place)));
  omp_get_place_proc_ids(place, processors.data());
  return processors;
}

}  // namespace gossamer::detail
