// Rates that follow from the median of a record and the work of its case.
#pragma once

#include <string_view>

#include "bench/records/json.hpp"

namespace gossamer::bench {

/// Bytes per second that `threads` reach together, as the context measured them (triad); the copy
/// bandwidth of the first device for "cuda". 0 when the context does not say.
double bandwidth_for(const json& context, std::string_view backend, int threads);

/// Adds gflops, gbytes_per_second and bandwidth_share to a record. They are not stored in files.
void add_rates(json& record, const json& work, const json& context);

}  // namespace gossamer::bench
