// Row-wise ESC, with the limits of its groups as a parameter: what its kernels in the catalogue
// share.
#pragma once

#include "kernels/spgemm/cuda/row_esc/row_groups.hpp"
#include "plan/kernel.hpp"

namespace gossamer::device {

/// A kernel of the catalogue, and the limits that it takes unless `tuning` sets others.
struct row_esc_preset {
  std::string_view id;
  group_limits limits;
};

/// The limits as names in options::tuning.
inline constexpr std::string_view row_esc_parameters = "thread,warp,block";

verdict consider_row_esc(const problem&);
csr_result multiply_row_esc(const row_esc_preset&, const problem&, const operands&, const context&);
state prepare_row_esc(const row_esc_preset&, const problem&, const operands&, const context&);
void run_row_esc(const state&, const operands&, const context&);

}  // namespace gossamer::device
