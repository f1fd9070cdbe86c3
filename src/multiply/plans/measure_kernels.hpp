// options::tune = measure: the kernels that are predicted to be the fastest run on the operands of
// the plan, and the fastest stays.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer::detail {

/// A choice that was measured, and what its kernel prepared.
struct measured_choice {
  choice chosen;
  state prepared;
};

/// Seconds since some moment.
using seconds_clock = double (*)();
double wall_seconds();

/// Prepares and runs the three best kernels of `predicted`, which is explained, within
/// options::tune_seconds. Results go to memory of its own, as large as the result of the operands.
measured_choice measure_kernels(const problem&, const operands&, const context&, choice predicted,
                                catalogue kernels, seconds_clock now = wall_seconds);

/// Throws if the options ask for what measuring cannot give.
void require_measurable(const options& how);

}  // namespace gossamer::detail
