// A quick look at one matrix: its rows, where its nonzeros are, and the times of all kernels of
// this backend. In every build; comparisons with other libraries are made by 'gossamer bench'.
#pragma once

#include <string>
#include <vector>

#include "cli/explore/page.hpp"
#include "cli/output/progress.hpp"

namespace gossamer::cli {

struct measurement {
  std::vector<std::string> matrices;    ///< files or recipes
  std::vector<std::string> operations;  ///< of spmv, spmm, spgemm; empty: all that fit
  int threads = 0;                      ///< 0: all cores
  double seconds = 0.3;                 ///< for the samples of one product
};

/// Results of all matrices (gossamer-bench/2) and their details (gossamer-matrix/1).
struct measured_matrices {
  page_data results, details;
  int wrong = 0;  ///< kernels with wrong results; they have no time
};
measured_matrices measure_matrices(const measurement& asked, progress& ticker);

}  // namespace gossamer::cli
