// The product with a SELL layout on a processor that is no x86-64.
#include "kernels/spmv/sell/sell_lanes.hpp"

namespace gossamer {

template <class T>
std::vector<sell_multiplier<T>> sell_multipliers() {
  return {detail::multiply_groups<detail::plain_lanes<T>, T>};
}
template std::vector<sell_multiplier<float>> sell_multipliers();
template std::vector<sell_multiplier<double>> sell_multipliers();

}  // namespace gossamer
