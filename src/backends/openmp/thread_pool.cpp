#include "backends/openmp/thread_pool.hpp"

#include <pthread.h>
#include <sched.h>

#include <new>
#include <system_error>
#include <utility>

#include "backends/openmp/relax.hpp"
#include "backends/openmp/surroundings.hpp"

namespace gossamer::detail {

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// A region within a region runs on the thread that began it.
thread_local bool inside_region = false;

/// How long threads look for the next region before they sleep: longer than what lies between two
/// products of a solver, shorter than a time slice that another process might use. An awake thread
/// begins within 0.3 us, a sleeping one within 50 (docs/adr/0013-a-pool-of-our-own.md).
clock::duration spin_time() {
  switch (wait_policy()) {
    case waiting::asleep: return microseconds(0);
    case waiting::awake: return std::chrono::seconds(1);
    case waiting::briefly: break;
  }
  return microseconds(200);
}

/// Waits for `ready` for some time; its answer at last.
template <class Ready>
bool spun(clock::duration most, Ready&& ready) {
  if (ready()) return true;
  if (most <= clock::duration::zero()) return false;
  const auto until = clock::now() + most;
  do {
    for (int k = 0; k < 64; ++k) {
      if (ready()) return true;
      relax();
    }
  } while (clock::now() < until);
  return false;
}

void bind_to(const std::vector<int>& processors) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int p : processors)
    if (p >= 0 && p < CPU_SETSIZE) CPU_SET(p, &set);
  sched_setaffinity(0, sizeof set, &set);  // refused: it runs where it may
}

}  // namespace

// ---- a region ---------------------------------------------------------------------------------

void team_job::offer(int team, team_body body, void* closure) {
  ++number_;
  body_ = body;
  closure_ = closure;
  failure_ = nullptr;
  done_.store(0, std::memory_order_relaxed);
  for (int part = 1; part < team; ++part)
    parts_[static_cast<std::size_t>(part)].store(2 * number_, std::memory_order_relaxed);
  offered_.store(number_ << 16 | static_cast<std::uint64_t>(team), std::memory_order_release);
}

bool team_job::claim(std::uint64_t number, int part) {
  auto& state = parts_[static_cast<std::size_t>(part)];
  auto free = 2 * number;
  return state.load(std::memory_order_relaxed) == free &&
         state.compare_exchange_strong(free, free + 1, std::memory_order_acq_rel,
                                       std::memory_order_relaxed);
}

void team_job::run(int part, int team) {
  try {
    body_(closure_, part, team);
  } catch (...) {
    const std::lock_guard lock(guard_);
    if (!failure_) failure_ = std::current_exception();
  }
}

bool team_job::help(int preferred) {
  const auto offered = offered_.load(std::memory_order_acquire);
  const int team = static_cast<int>(offered & 0xffff);
  for (int k = 0; k + 1 < team; ++k) {
    const int part = 1 + (preferred - 1 + k) % (team - 1);
    if (!claim(offered >> 16, part)) continue;
    run(part, team);
    done_.fetch_add(1, std::memory_order_release);
    done_.notify_one();
    return true;
  }
  return false;
}

void team_job::finish(std::chrono::nanoseconds spin) {
  const int team = static_cast<int>(offered_.load(std::memory_order_relaxed) & 0xffff);
  run(0, team);
  int others = team - 1;
  for (int part = team - 1; part > 0; --part) {
    if (!claim(number_, part)) continue;
    run(part, team);
    --others;
  }
  offered_.store(0, std::memory_order_relaxed);
  // One that was preempted may need this very core: so we sleep at last.
  const auto all_done = [&] { return done_.load(std::memory_order_acquire) == others; };
  if (!spun(spin, all_done))
    for (int done = done_.load(std::memory_order_acquire); done != others;
         done = done_.load(std::memory_order_acquire))
      done_.wait(done, std::memory_order_acquire);
  const auto failure = std::exchange(failure_, nullptr);
  taken_.store(false, std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

// ---- its threads ------------------------------------------------------------------------------

thread_pool::thread_pool() : spin_(spin_time()) {}

thread_pool::~thread_pool() {
  if (!inside_region)
    retire(0);
  else  // the program ends within a region
    for (auto& thread : threads_) thread.detach();
}

void thread_pool::work(int number, const std::vector<int>& processors) {
  inside_region = true;
  bind_to(processors);
  for (;;) {
    const int seen = news_.load(std::memory_order_seq_cst);
    if (number >= keep_.load(std::memory_order_acquire)) return;
    bool found = false;
    for (auto& job : jobs_) found = job.help(number + 1) || found;
    if (!found) wait_for_news(seen);
  }
}

void thread_pool::wait_for_news(int seen) {
  if (spun(spin_, [&] { return news_.load(std::memory_order_acquire) != seen; })) return;
  asleep_.fetch_add(1, std::memory_order_seq_cst);
  news_.wait(seen, std::memory_order_seq_cst);
  asleep_.fetch_sub(1, std::memory_order_relaxed);
}

void thread_pool::announce(int parts) {
  news_.fetch_add(1, std::memory_order_seq_cst);
  const int sleeping = asleep_.load(std::memory_order_seq_cst);
  if (sleeping == 0) return;
  if (parts >= sleeping)
    news_.notify_all();
  else
    for (int k = 0; k < parts; ++k) news_.notify_one();
}

int thread_pool::workers(int wanted) {
  const int running = keep_.load(std::memory_order_acquire);
  if (wanted <= running) return wanted;
  if (running < most_.load(std::memory_order_relaxed)) start(wanted);
  return std::min(wanted, keep_.load(std::memory_order_acquire));
}

void thread_pool::start(int wanted) {
  const std::lock_guard lock(growing_);
  const int before = static_cast<int>(threads_.size());
  if (wanted <= before || before >= most_.load()) return;
  keep_.store(wanted, std::memory_order_release);
  try {
    for (int number = before; number < wanted; ++number)
      threads_.emplace_back(
          [this, number, on = processors_of(number + 1, wanted + 1)] { work(number, on); });
    return;
  } catch (const std::system_error&) {  // fewer threads than asked for is no error
  } catch (const std::bad_alloc&) {
  }
  // What refused a thread (address space, a number of processes) is needed by others as well.
  const int granted = std::max(static_cast<int>(threads_.size()) / 2, before);
  most_.store(granted);
  retire(granted);
}

void thread_pool::retire(int keep) {
  keep_.store(keep, std::memory_order_release);
  news_.fetch_add(1, std::memory_order_seq_cst);
  news_.notify_all();
  for (; static_cast<int>(threads_.size()) > keep; threads_.pop_back()) threads_.back().join();
}

team_job* thread_pool::free_job() {
  for (auto& job : jobs_)
    if (job.take()) return &job;
  return nullptr;
}

void thread_pool::run(int threads, team_body body, void* closure) {
  const int team = 1 + workers(threads - 1);
  team_job* const job = team > 1 ? free_job() : nullptr;
  if (!job) return body(closure, 0, 1);
  struct region {
    region() { inside_region = true; }
    ~region() { inside_region = false; }
  } const here;
  job->offer(team, body, closure);
  announce(team - 1);
  job->finish(spin_);
}

// ---- the one pool of the process --------------------------------------------------------------

namespace {

struct owned_pool {
  std::atomic<thread_pool*> pool{new thread_pool};
  owned_pool();
  ~owned_pool() { delete pool.exchange(nullptr); }
};

owned_pool& the_pool() {
  static owned_pool only;
  return only;
}

owned_pool::owned_pool() {
  // A child of fork() has none of the threads, and perhaps a lock that one of them held: it gets a
  // new pool. The old one is left as it is.
  pthread_atfork(nullptr, nullptr, [] { the_pool().pool.store(new thread_pool); });
}

}  // namespace

void run_team(int threads, team_body body, void* closure) {
  const int allowed = inside_region ? 1 : allowed_team(std::min(threads, most_threads));
  thread_pool* const pool = allowed > 1 ? the_pool().pool.load(std::memory_order_acquire) : nullptr;
  if (!pool) return body(closure, 0, 1);  // also where the program is ending
  pool->run(allowed, body, closure);
}

}  // namespace gossamer::detail
