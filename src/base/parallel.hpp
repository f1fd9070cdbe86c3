// The only way the library runs on several threads. The team itself is started in
// src/backends/openmp (or by plain threads in a build without OpenMP): no pragma anywhere else.
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
/// Runs body on a team of at most `threads`; the first exception of any member is rethrown here.
void run_team(int threads, team_body body, void* closure);
/// Threads a team would get when nobody says how many.
int default_threads();
}  // namespace detail

/// body(thread, team) on each member of a team of at most `threads`. The team may be smaller than
/// asked for (inside another parallel region it is often 1), so bodies split work by `team`.
/// Bodies may throw and must not wait for each other.
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

/// The part of [0, n) that belongs to `part` of `parts`: contiguous, sizes differ by at most one.
struct range {
  index_t begin = 0, end = 0;
};
constexpr range part_of(index_t n, index_t part, index_t parts) {
  const index_t size = n / parts, rest = n % parts;
  const index_t begin = part * size + std::min(part, rest);
  return {begin, begin + size + (part < rest ? 1 : 0)};
}

/// body(begin, end) over equal contiguous parts of [0, n); no part smaller than `grain` if it can
/// be helped, so little work stays on one thread.
template <class Body>
void parallel_ranges(int threads, index_t n, index_t grain, Body&& body) {
  const auto useful = std::clamp<index_t>(n / std::max<index_t>(grain, 1), 1, threads);
  parallel(static_cast<int>(useful), [&](int thread, int team) {
    const auto [begin, end] = part_of(n, thread, team);
    if (begin < end) body(begin, end);
  });
}

/// body(chunk) for every chunk in [0, chunks), handed out one by one to whoever is free.
template <class Body>
void parallel_chunks(int threads, index_t chunks, Body&& body) {
  std::atomic<index_t> next{0};
  parallel(static_cast<int>(std::min<index_t>(threads, chunks)), [&](int, int) {
    for (index_t chunk; (chunk = next.fetch_add(1, std::memory_order_relaxed)) < chunks;)
      body(chunk);
  });
}

/// body(chunk) for every chunk in [0, chunks): each thread takes its contiguous share in order, so
/// that it meets the memory it touched first, then helps the others: nobody waits for a slow core.
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
      auto& taken = shares[owner].taken;
      for (index_t chunk; (chunk = begin + taken.fetch_add(1, std::memory_order_relaxed)) < end;)
        body(chunk);
    }
  });
}

}  // namespace gossamer
