// Blocks of ELL rows on a processor that is no x86-64.
#include "kernels/spmv/ell/ell_block.hpp"

namespace gossamer {

template <class T, class I>
std::vector<ell_summer<T, I>> ell_summers() {
  return {detail::ell_sums_plain<T, I>};
}
template std::vector<ell_summer<float, std::int32_t>> ell_summers();
template std::vector<ell_summer<float, std::int64_t>> ell_summers();
template std::vector<ell_summer<double, std::int32_t>> ell_summers();
template std::vector<ell_summer<double, std::int64_t>> ell_summers();

}  // namespace gossamer
