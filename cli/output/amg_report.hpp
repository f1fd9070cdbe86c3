// What a solve by multigrid reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output/report.hpp"
#include "gossamer/amg.hpp"

namespace gossamer::cli {

struct amg_solve {
  amg::solve_result result;
  std::optional<double> error = {};  ///< |x - x*| / |x*|, where x* is known
};

/// One system: its hierarchy, and the solves before and after new values.
struct amg_run {
  std::string source, type, backend;
  int threads = 1;
  bool symmetric = true;
  amg::setup_options setup = {};
  amg::statistics stats = {};
  amg::solve_options solve_options = {};
  std::vector<amg_solve> solves = {};
  std::vector<amg::setup_times> updates = {};
};

json describe(const amg_run& done);
void print_run(const amg_run& done);

}  // namespace gossamer::cli
