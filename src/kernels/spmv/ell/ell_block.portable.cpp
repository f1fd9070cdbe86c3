// Blocks of ELL rows in plain loops alone.
#include "kernels/spmv/ell/ell_block.hpp"

namespace gossamer {

template <class T, class I>
variants<ell_summer<T, I>> ell_summers() {
  return {detail::ell_sums_plain<T, I>};
}
template variants<ell_summer<float, std::int32_t>> ell_summers();
template variants<ell_summer<float, std::int64_t>> ell_summers();
template variants<ell_summer<double, std::int32_t>> ell_summers();
template variants<ell_summer<double, std::int64_t>> ell_summers();

}  // namespace gossamer
