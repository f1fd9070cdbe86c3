// What is going on, on stderr, for anything that takes longer than about two seconds. Nothing is
// ever shown when stderr is not a terminal, and the line is erased at the end.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "bench/race/timing.hpp"
#include "gossamer/io.hpp"

namespace gossamer::cli {

using bench::seconds_of;
using bench::stopwatch;

/// One per command. A thread of its own draws, so stages that cannot report still show their time.
class progress {
 public:
  progress();
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// "reading cant.mtx"
  void stage(std::string what);
  /// For readers and writers: the share that is done, under the present stage.
  progress_callback callback();
  /// Calls `print` with the line out of the way; it is drawn again afterwards.
  void aside(const std::function<void()>& print);
  /// Erases the line; nothing is drawn afterwards. Call before printing results.
  void finish();

 private:
  void draw_until_finished();
  void draw();

  std::mutex guard_;
  std::condition_variable changed_;
  std::string stage_;
  double share_ = -1;  // negative: unknown
  stopwatch total_;
  bool finished_ = false;
  std::thread drawer_;
};

/// Async-signal-safe; does nothing when no line is on the screen.
void erase_progress_line() noexcept;

}  // namespace gossamer::cli
