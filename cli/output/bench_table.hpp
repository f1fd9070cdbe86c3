// Prints the results of a case while the run goes on.
#pragma once

#include <string>

#include "bench/records/json.hpp"

namespace gossamer::cli {

/// One block per case: a heading, a line per contestant (fastest first), refusals.
void print_case(const bench::json& result);

}  // namespace gossamer::cli
