// The options of gossamer multiply, as its two implementations read them.
#pragma once

#include <string>

#include "cli/arguments/settings.hpp"
#include "cli/arguments/sparse_options.hpp"

namespace gossamer::cli {

/// What gossamer multiply was asked for.
struct multiply_request {
  std::string a, times, vector, out, format = "csr", type;
  bool square = false, transpose_a = false, conjugate_a = false, check = false, explain = false,
       as_json = false;
  index_t dense = 0, repeat = 0;
  double alpha = 1;
  std::uint64_t seed = 1;
  place where;
  plan_options wanted;
  sparse_options sparse;
  bool distributed = false;
  std::string balance = "nonzeros", reorder, decomposition = "auto";
  index_t layers = 0;
};

}  // namespace gossamer::cli
