// The threads of the library. The parts of a region are claimed, not assigned: a thread that does
// not run, because the system has not started it or another process has its core, claims nothing,
// and the thread that called does its part. So a region waits only for threads that have begun.
// docs/adr/0013-a-pool-of-our-own.md weighs it against libgomp.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/parallel.hpp"

namespace gossamer::detail {

/// A region that is running. Jobs are used again and never freed, so that a thread that looks at
/// one too late finds nothing to claim instead of memory that is gone.
class team_job {
 public:
  /// True if no other thread had it.
  bool take() { return !taken_.exchange(true, std::memory_order_acquire); }
  /// Offers parts 1 .. team - 1 to the threads of the pool.
  void offer(int team, team_body body, void* closure);
  /// Runs part 0 and all that nobody has claimed, waits for the others, and gives the job back.
  /// The first exception of any part is rethrown.
  void finish(std::chrono::nanoseconds spin);
  /// Runs a part that nobody has claimed, if there is one: `preferred` if possible, so that in the
  /// next region a thread meets the memory that it has touched before.
  bool help(int preferred);

 private:
  bool claim(std::uint64_t number, int part);
  void run(int part, int team);

  // Each on a line of its own: threads look at the first, write to the others.
  alignas(64) std::atomic<std::uint64_t> offered_{0};  // number of the region << 16 | team; 0: none
  team_body body_ = nullptr;
  void* closure_ = nullptr;
  alignas(64) std::atomic<int> done_{0};  // parts that threads of the pool have finished
  alignas(64) std::atomic<bool> taken_{false};
  std::uint64_t number_ = 0;
  std::mutex guard_;
  std::exception_ptr failure_;
  // 2 * number: free in that region; 2 * number + 1: claimed. Numbers only grow.
  std::array<std::atomic<std::uint64_t>, most_threads> parts_{};
};

class thread_pool {
 public:
  thread_pool();
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  /// Calls body(closure, part, team) for every part of a team of at most `threads`.
  void run(int threads, team_body body, void* closure);

 private:
  /// The number of threads in the pool, at most `wanted`; starts those that are missing.
  int workers(int wanted);
  void start(int wanted);
  void retire(int keep);
  team_job* free_job();
  void announce(int parts);
  void work(int number, const std::vector<int>& processors);
  void wait_for_news(int seen);

  static constexpr int most_jobs = 8;  // regions of so many callers at once have a team
  std::array<team_job, most_jobs> jobs_;
  alignas(64) std::atomic<int> news_{0};  // changes when a job is offered, or a thread shall end
  alignas(64) std::atomic<int> asleep_{0};
  std::atomic<int> keep_{0};             // threads of this number and above end
  std::atomic<int> most_{most_threads};  // what the system refused is not asked for again
  std::chrono::nanoseconds spin_;
  std::mutex growing_;
  std::vector<std::thread> threads_;
};

}  // namespace gossamer::detail
