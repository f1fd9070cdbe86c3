// Rows times panels of floats on an x86-64.
#include "kernels/spmm/rows/panel_lanes.hpp"

namespace gossamer {

template variants<panel_function<float, std::int32_t>> panel_functions();
template variants<panel_function<float, std::int64_t>> panel_functions();

}  // namespace gossamer
