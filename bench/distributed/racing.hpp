// Races between two libraries on the same ranks: runs alternate, each after a barrier, and the time
// of a run is that of the slowest rank.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/distributed.hpp"
#include "gossamer/mpi.hpp"

namespace gossamer::bench {

/// Seconds of the slowest rank.
inline double timed(const std::function<void()>& run) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = std::chrono::steady_clock::now();
  run();
  const double mine =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double worst = 0;
  MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

/// Seconds of the runs of both.
struct race {
  std::vector<double> ours, theirs;
};
inline race run_race(int rounds, const std::function<void()>& ours,
                     const std::function<void()>& theirs, int warm_rounds = 3) {
  for (int warm = 0; warm < warm_rounds; ++warm) timed(ours), timed(theirs);
  race times;
  for (int round = 0; round < rounds; ++round) {
    times.ours.push_back(timed(ours));
    times.theirs.push_back(timed(theirs));
  }
  return times;
}

/// A file, or a generator with its settings: poisson3d:nx=80,stencil=27.
inline mpi::distributed_csr<double> load(const context& cpu, const mpi::communicator& ranks,
                                         const std::string& what) {
  const auto colon = what.find(':');
  const mpi::distribution how{.balance = mpi::balance::nonzeros};
  if (colon == std::string::npos) return mpi::read<double>(cpu, ranks, what, how);
  std::vector<std::string> settings;
  for (std::size_t at = colon + 1; at < what.size();) {
    const auto end = std::min(what.find(',', at), what.size());
    settings.push_back(what.substr(at, end - at));
    at = end + 1;
  }
  return mpi::generated<double>(cpu, ranks, what.substr(0, colon), settings, how);
}

}  // namespace gossamer::bench
