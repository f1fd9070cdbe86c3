#include "cli/output/interrupt.hpp"

#include <array>
#include <csignal>

#include "cli/output/progress.hpp"
#include "gossamer/io.hpp"

namespace gossamer::cli {

namespace {

// All that end a process and can be caught, but for those of a crash: sanitizers and debuggers want
// them.
constexpr std::array ending_signals{SIGINT,  SIGTERM, SIGHUP,    SIGPIPE, SIGQUIT, SIGABRT, SIGUSR1,
                                    SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,   SIGPWR};

// Everything called here is async-signal-safe. The default action is back in force (SA_RESETHAND),
// so the second raise ends the process *by the signal*: shells and scripts see what happened.
void end_now(int signal) {
  remove_unfinished_files();
  erase_progress_line();
  std::raise(signal);
}

}  // namespace

void end_cleanly_on_signals() {
  // A file size limit then is an error of write(), reported like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : ending_signals) {
    struct sigaction present = {};
    if (sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) continue;
    struct sigaction wanted = {};
    wanted.sa_handler = end_now;
    wanted.sa_flags = static_cast<int>(SA_RESETHAND);
    sigfillset(&wanted.sa_mask);
    sigaction(signal, &wanted, nullptr);
  }
}

void block_signals_in_this_thread() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace gossamer::cli
