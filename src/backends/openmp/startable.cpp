#include "backends/openmp/startable.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace gossamer::detail {

int count_startable(int wanted) {
  std::mutex guard;
  std::condition_variable finished;
  bool done = false;
  std::vector<std::jthread> others;  // joins before `finished` and `guard` are gone
  try {
    others.reserve(static_cast<std::size_t>(wanted > 1 ? wanted - 1 : 0));
    for (int thread = 1; thread < wanted; ++thread)
      others.emplace_back([&] {
        std::unique_lock lock(guard);
        finished.wait(lock, [&] { return done; });
      });
  } catch (const std::system_error&) {  // the answer is how far we came
  } catch (const std::bad_alloc&) {
  }
  {
    const std::lock_guard lock(guard);
    done = true;
  }
  finished.notify_all();
  return static_cast<int>(others.size()) + 1;
}

int startable_threads(int wanted) {
  // Threads that the OpenMP runtime has started wait for the next region of the thread that called,
  // so that a number found once is not asked for again; nor is one that was refused. Callers on
  // many threads near the limit of the system may still exceed it.
  static std::atomic<int> proven{1}, refused_above{std::numeric_limits<int>::max()};
  if (wanted <= proven.load(std::memory_order_relaxed)) return wanted;
  if (const int most = refused_above.load(std::memory_order_relaxed); wanted > most) return most;
  const int found = count_startable(wanted);
  if (found == wanted) {
    proven.store(found, std::memory_order_relaxed);
    return found;
  }
  // What refused a thread (address space, a number of processes) is needed by others as well.
  const int granted = std::max(found / 2, 1);
  refused_above.store(granted, std::memory_order_relaxed);
  return granted;
}

}  // namespace gossamer::detail
