// One matrix, several kernels, measured fairly: every kernel is checked first (a wrong result has
// no time), then all take turns, so that a disturbance of the machine hits all alike.
#pragma once

#include "product.hpp"
#include "settings.hpp"

namespace gossamer::cli {

struct bench_request {
  operation product = operation::spmv;
  std::vector<std::string> subjects;  ///< files, or recipes like rmat:scale=14,edge-factor=8
  std::string out, type = "f64";
  index_t dense = 32, repeat = 11;
  std::uint64_t seed = 1;
  bool all_kernels = false, as_json = false;
  place where;
  plan_wishes wishes;
};

/// Records of all kernels on one matrix; `bandwidth` is the measured triad in bytes/s.
template <scalar T>
json bench_matrix(const bench_request& asked, const std::string& subject, double bandwidth,
                  progress& ticker);

}  // namespace gossamer::cli
