// What the surroundings of a parallel region allow: OpenMP's environment variables and regions in a
// build with OpenMP (openmp_surroundings.cpp), the number of processors otherwise (absent.cpp).
#pragma once

#include <vector>

namespace gossamer::detail {

/// `wanted`, or 1 inside a region of the caller's own OpenMP that may not have another one in it.
int allowed_team(int wanted);

/// How long a thread without work looks for some before it sleeps.
enum class waiting { asleep, briefly, awake };
/// OMP_WAIT_POLICY: passive, not set, active.
waiting wait_policy();

/// The processors that thread `number` of a team of `team` may use beside the calling thread, which
/// is number 0; empty: those of the calling thread.
std::vector<int> processors_of(int number, int team);

}  // namespace gossamer::detail
