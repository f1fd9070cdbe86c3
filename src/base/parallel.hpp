// Every parallel loop of the library. The threads themselves are started in src/backends/openmp,
// which obeys OpenMP's controls: there is no thread and no pragma anywhere else.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <type_traits>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {

namespace detail {
using team_body = void (*)(void* closure, int thread, int team);
/// Runs body for every part of a team of at most `threads`, each on the first thread that claims
/// it: the calling thread does what nobody else has begun. The first exception is rethrown here.
void run_team(int threads, team_body body, void* closure);
/// The number of threads of a parallel region when the caller does not say how many.
int default_threads();
/// More threads are never started: no machine has so many cores with one memory.
inline constexpr int most_threads = 1024;
}  // namespace detail

/// Calls body(thread, team) once for each `thread` of a team of at most `threads`. The team may be
/// smaller than asked for (inside another parallel region it is 1), so bodies divide work by
/// `team`. Bodies may throw and must not wait for each other: where the other threads do not run,
/// the calling one runs several bodies, one after the other, always that of thread 0.
template <class Body>
void parallel(int threads, Body&& body) {
  if (threads <= 1) {
    body(0, 1);
    return;
  }
  using plain = std::remove_reference_t<Body>;
  detail::run_team(
      threads,
      [](void* closure, int thread, int team) { (*static_cast<plain*>(closure))(thread, team); },
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

struct range {
  index_t begin = 0, end = 0;
};
/// The range of [0, n) that is part number `part` of `parts`; sizes differ by at most one.
constexpr range part_of(index_t n, index_t part, index_t parts) {
  const index_t size = n / parts, rest = n % parts;
  const index_t begin = part * size + std::min(part, rest);
  return {begin, begin + size + (part < rest ? 1 : 0)};
}

/// The range of [0, n) that is part number `part` when `parts` of about equal work are wanted:
/// work_before(i), for i in [0, n], is the work of [0, i) and never decreases. O(log n) calls.
template <class WorkBefore>
range part_of_work(index_t n, index_t part, index_t parts, WorkBefore&& work_before) {
  const auto first_of = [&](index_t of_part) {
    if (of_part <= 0) return index_t{0};
    if (of_part >= parts) return n;
    const index_t wanted = part_of(work_before(n), of_part, parts).begin;
    index_t low = 0, high = n;
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      if (work_before(middle) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  return {first_of(part), first_of(part + 1)};
}

/// Calls body(begin, end) on equal contiguous ranges of [0, n), one per thread. No range is smaller
/// than `grain` unless n is, so that little work stays on one thread.
template <class Body>
void parallel_ranges(int threads, index_t n, index_t grain, Body&& body) {
  const auto useful = std::clamp<index_t>(n / std::max<index_t>(grain, 1), 1, threads);
  parallel(static_cast<int>(useful), [&](int thread, int team) {
    const auto [begin, end] = part_of(n, thread, team);
    if (begin < end) body(begin, end);
  });
}

/// The pieces of a job that one thread works on: `for (const index_t piece : pieces)`. Each piece
/// is claimed from a counter that all threads share when the loop arrives at it, so that no thread
/// waits while there is work left.
class claimed_pieces {
 public:
  struct sentinel {};
  class iterator {
   public:
    explicit iterator(claimed_pieces& from) : from_(from), piece_(from.claim()) {}
    index_t operator*() const { return piece_; }
    iterator& operator++() {
      piece_ = from_.claim();
      return *this;
    }
    bool operator!=(sentinel) const { return piece_ < from_.end_; }

   private:
    claimed_pieces& from_;
    index_t piece_;
  };

  /// Pieces [first, end), of which `taken`, shared by all threads, have been claimed so far.
  claimed_pieces(std::atomic<index_t>& taken, index_t first, index_t end)
      : taken_(taken), first_(first), end_(end) {}
  iterator begin() { return iterator(*this); }
  sentinel end() const { return {}; }

 private:
  index_t claim() { return first_ + taken_.fetch_add(1, std::memory_order_relaxed); }

  std::atomic<index_t>& taken_;
  index_t first_, end_;
};

/// Calls body(claimed_pieces, thread, team) once on each thread: what stands before and after the
/// loop over the pieces runs once per thread, for accumulators and sums of its own. No more threads
/// than pieces are started, and a thread that comes when all pieces are claimed is sent home; the
/// body runs once even if there are no pieces.
template <class Body>
void parallel_pieces(int threads, index_t pieces, Body&& body) {
  std::atomic<index_t> taken{0};
  parallel(static_cast<int>(std::min<index_t>(threads, pieces)), [&](int thread, int team) {
    if (thread > 0 && taken.load(std::memory_order_relaxed) >= pieces) return;
    body(claimed_pieces(taken, 0, pieces), thread, team);
  });
}

/// Calls body(chunk) for every chunk in [0, chunks), each on the first thread that is free.
template <class Body>
void parallel_chunks(int threads, index_t chunks, Body&& body) {
  parallel_pieces(threads, chunks, [&](claimed_pieces own, int, int) {
    for (const index_t chunk : own) body(chunk);
  });
}

/// Calls body(begin, end) on `parts` ranges of [0, n) of about equal work, each on the first thread
/// that is free; work_before as for part_of_work.
template <class WorkBefore, class Body>
void parallel_work(int threads, index_t n, index_t parts, WorkBefore&& work_before, Body&& body) {
  parallel_chunks(threads, parts, [&](index_t part) {
    const auto [begin, end] = part_of_work(n, part, parts, work_before);
    if (begin < end) body(begin, end);
  });
}

/// Calls body(chunk) for every chunk in [0, chunks). Each thread takes a contiguous share in order,
/// so that it meets the memory it touched first, and then helps the others: no thread waits for a
/// slow core.
template <class Body>
void parallel_shares(int threads, index_t chunks, Body&& body) {
  struct alignas(64) counter {
    std::atomic<index_t> taken{0};
  };
  constexpr int few = 16;  // asking for memory would cost small products a tenth of their time
  const int most = static_cast<int>(std::clamp<index_t>(chunks, 1, std::max(threads, 1)));
  std::array<counter, few> here;
  std::vector<counter> there(most > few ? static_cast<std::size_t>(most) : 0);
  counter* const shares = most > few ? there.data() : here.data();
  parallel(most, [&](int thread, int team) {
    for (int k = 0; k < team; ++k) {
      const int owner = (thread + k) % team;
      const auto [begin, end] = part_of(chunks, owner, team);
      for (const index_t chunk : claimed_pieces(shares[owner].taken, begin, end)) body(chunk);
    }
  });
}

}  // namespace gossamer
