// y = A x with operands like those that a plan was made for.
#pragma once

#include "plan/implementation.hpp"

namespace gossamer::detail {

/// Runs the kernel if the operands match the plan, for float and double. False: nothing was done.
template <scalar T>
bool ran_as_planned(const plan::implementation& plan, const expression<T>& a,
                    const expression<T>& x, const dense_view<T>& y);

}  // namespace gossamer::detail
