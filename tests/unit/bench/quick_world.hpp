#pragma once

#include "bench/race/world.hpp"

namespace gossamer::bench {

/// The real clock without the slow parts: no caches are flushed, the bandwidth is invented.
struct quick_world final : world {
  double wall() override { return clock.wall(); }
  moment now() override { return clock.now(); }
  void make_cold() override {}
  stream_result bandwidth(int threads) override { return {.threads = threads, .triad = 1e10}; }
  this_world clock;
};

}  // namespace gossamer::bench
