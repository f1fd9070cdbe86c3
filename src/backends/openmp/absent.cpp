// Parallel regions with plain threads: for builds without OpenMP, and for ThreadSanitizer, which
// understands std::thread but not libgomp. Same results, more start-up cost per region.
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/parallel.hpp"

namespace gossamer::detail {

namespace {

/// Threads wait until their number is known: the system may refuse some.
struct gate {
  std::mutex guard;
  std::condition_variable opened;
  int team = 0;
  std::exception_ptr failure;

  int wait() {
    std::unique_lock lock(guard);
    opened.wait(lock, [&] { return team > 0; });
    return team;
  }
  void open(int size) {
    {
      const std::lock_guard lock(guard);
      team = size;
    }
    opened.notify_all();
  }
  void run(team_body body, void* closure, int thread) {
    try {
      body(closure, thread, team);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  }
};

thread_local bool inside_team = false;

}  // namespace

void run_team(int threads, team_body body, void* closure) {
  if (inside_team) return body(closure, 0, 1);
  gate entrance;
  std::vector<std::jthread> others;
  try {
    others.reserve(static_cast<std::size_t>(threads - 1));
    for (int thread = 1; thread < threads; ++thread) {
      others.emplace_back([&entrance, body, closure, thread] {
        inside_team = true;
        entrance.wait();
        entrance.run(body, closure, thread);
      });
    }
  } catch (const std::system_error&) {  // fewer threads than asked for is no error
  } catch (const std::bad_alloc&) {
  }
  entrance.open(static_cast<int>(others.size()) + 1);
  inside_team = true;
  entrance.run(body, closure, 0);
  inside_team = false;
  others.clear();  // joins
  if (entrance.failure) std::rethrow_exception(entrance.failure);
}

int default_threads() {
  const unsigned found = std::thread::hardware_concurrency();
  return found > 0 ? static_cast<int>(found) : 1;
}

}  // namespace gossamer::detail
