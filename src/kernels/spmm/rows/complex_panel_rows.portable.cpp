// Rows times panels of complex numbers on a processor that is no x86-64.
#include "kernels/spmm/rows/complex_panel.hpp"

namespace gossamer {

template <complex_scalar T, class I>
variants<panel_function<T, I>> complex_panel_functions() {
  return {.portable = detail::plain_complex_panel<T, I>};
}

template variants<panel_function<std::complex<float>, std::int32_t>> complex_panel_functions();
template variants<panel_function<std::complex<double>, std::int32_t>> complex_panel_functions();

}  // namespace gossamer
