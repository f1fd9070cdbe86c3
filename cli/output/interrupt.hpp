// Ctrl-C, a closed terminal, a broken pipe: end at once, with no half-written file and a clean
// line.
#pragma once

namespace gossamer::cli {

/// Signals the caller ignores (nohup, background jobs) stay ignored.
void end_cleanly_on_signals();

/// For helper threads: leaves every signal to the main thread.
void block_signals_in_this_thread();

}  // namespace gossamer::cli
