#include "cli/output/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "base/text.hpp"
#include "cli/output/interrupt.hpp"

namespace gossamer::cli {

namespace {

constexpr double patience_seconds = 2;
constexpr auto redraw = std::chrono::milliseconds(200);
std::atomic<bool> line_on_screen{false};

void put(std::string_view text) noexcept {
  // Progress is a courtesy: a terminal that does not take it is no reason to stop.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

// Settable so that tests need not wait.
double patience() {
  const char* given = std::getenv("GOSSAMER_PROGRESS_AFTER");
  return given == nullptr ? patience_seconds : std::max(0.0, std::strtod(given, nullptr));
}

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

void erase_progress_line() noexcept {
  if (line_on_screen.exchange(false)) put("\r\033[K");
}

progress::progress() try {
  if (isatty(STDERR_FILENO) == 1) drawer_ = std::thread([this] { draw_until_finished(); });
} catch (const std::system_error&) {  // no thread to spare: the work goes on without a line
}

progress::~progress() { finish(); }

void progress::stage(std::string what) {
  const std::lock_guard lock(guard_);
  stage_ = std::move(what);
  share_ = -1;
}

progress_callback progress::callback() {
  if (!drawer_.joinable()) return {};
  return [this](std::string_view, double done) {
    const std::lock_guard lock(guard_);
    share_ = done;
  };
}

void progress::aside(const std::function<void()>& print) {
  const std::lock_guard lock(guard_);
  erase_progress_line();
  print();
}

void progress::finish() {
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(guard_);
    finished_ = true;
  }
  changed_.notify_all();
  drawer_.join();
  erase_progress_line();
}

void progress::draw_until_finished() {
  block_signals_in_this_thread();
  std::unique_lock lock(guard_);
  const auto finished = [this] { return finished_; };
  if (changed_.wait_for(lock, std::chrono::duration<double>(patience()), finished)) return;
  do draw();
  while (!changed_.wait_for(lock, redraw, finished));
}

void progress::draw() {
  std::string line = stage_.empty() ? "working" : stage_;
  if (share_ >= 0) line += formatted("  {:3.0f} %", 100 * std::clamp(share_, 0.0, 1.0));
  line += formatted("  {:.0f} s", total_.seconds());
  // A wrapped line could not be erased.
  line.resize(std::min(line.size(), terminal_columns() - 1));
  line_on_screen = true;
  put("\r\033[K" + line);
}

}  // namespace gossamer::cli
