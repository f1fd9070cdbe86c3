// The parts of gossamer info, each a small file.
#pragma once

#include "cli/arguments/settings.hpp"
#include "cli/output/exit_codes.hpp"

namespace gossamer::cli {

struct info_request {
  std::vector<std::string> files;
  std::string file, why, times, format = "csr", type;
  index_t dense = 32, calls = 1;
  bool transpose_a = false, kernels = false, machine = false, as_json = false;
  place where;
  plan_options wanted;
};

exit_code show_matrix(const info_request& asked);
exit_code show_why(const info_request& asked);
exit_code show_kernels(const info_request& asked);
exit_code show_machine(const info_request& asked);

}  // namespace gossamer::cli
