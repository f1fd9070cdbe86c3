// How many threads the system lets this process start. libgomp ends the process, with an exit code
// that means "wrong result" to our command line, when it cannot start one; so we ask before.
#pragma once

namespace gossamer::detail {

/// `wanted` if so many threads, with the calling one, could be started at once; otherwise half of
/// those that could, and at least 1. A number that has been started before costs a comparison; a
/// larger one starts as many threads as are missing, all alive at once, and joins them: about 15 us
/// each, once per process.
int startable_threads(int wanted);

/// How many could be started at once, at most `wanted`, with the calling one.
int count_startable(int wanted);

}  // namespace gossamer::detail
