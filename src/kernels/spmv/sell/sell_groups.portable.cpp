// The product with a SELL layout in plain loops alone.
#include "kernels/spmv/sell/sell_lanes.hpp"

namespace gossamer {

template <class T>
variants<sell_multiplier<T>> sell_multipliers() {
  return {detail::multiply_groups<detail::plain_lanes<T>, T>};
}
template variants<sell_multiplier<float>> sell_multipliers();
template variants<sell_multiplier<double>> sell_multipliers();

}  // namespace gossamer
