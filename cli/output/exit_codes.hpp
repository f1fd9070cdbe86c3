// Exit codes of the process. Scripts rely on these numbers: docs/guide/command-line.md.
#pragma once

namespace gossamer::cli {

enum class exit_code : int {
  done = 0,
  wrong_result = 1,   ///< --check found a difference from the reference
  bad_usage = 2,      ///< the command line makes no sense
  not_available = 3,  ///< this build or machine cannot do it
  bad_input = 4,  ///< a file is missing, unreadable, broken, or does not fit; or cannot be written
  out_of_memory = 5,  ///< the system, --memory-limit or an index width refused
  internal = 70       ///< a defect of Gossamer itself
};

}  // namespace gossamer::cli
