// From a choice to a plan: the chosen kernel prepares its tables.
#pragma once

#include <memory>

#include "plan/implementation.hpp"

namespace gossamer::detail {

/// The machine that predictions for this context are about: this one, or one of its devices.
const machine& machine_of(const context& where);

std::shared_ptr<plan::implementation> make_plan(const context& where, problem p, const operands& o,
                                                choice chosen);

/// The same for a kernel that has prepared already.
std::shared_ptr<plan::implementation> keep_plan(const context& where, problem p, choice chosen,
                                                state prepared);

}  // namespace gossamer::detail
