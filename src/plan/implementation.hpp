// The inside of a gossamer::plan.
#pragma once

#include <array>

#include "plan/kernel.hpp"

namespace gossamer {

struct plan::implementation {
  gossamer::problem problem;
  context where;
  choice chosen;
  gossamer::state state;
  std::string kernel_id;
  std::array<const void*, 2> kept{};  ///< dense results: addresses of the values and indices of A
  std::uint64_t structure = 0;        ///< SpGEMM: fingerprint of the operands' structure
  std::shared_ptr<const void> mask;   ///< SpGEMM: the arrays behind problem.options.mask
};

}  // namespace gossamer
