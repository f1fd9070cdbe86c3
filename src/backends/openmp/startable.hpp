// How many threads the system lets this process start. libgomp ends the process, with an exit code
// that means "wrong result" to our command line, when it cannot start one; so we ask before.
#pragma once

namespace gossamer::detail {

/// The largest number of threads, at most `wanted` and at least 1 with the calling one, that could
/// be started at once. A number that has been started before costs a comparison; a larger one
/// starts as many threads as are missing, all alive at once, and joins them: about 15 us each, once
/// per process.
int startable_threads(int wanted);

/// The same without memory of earlier answers.
int count_startable(int wanted);

}  // namespace gossamer::detail
