// Rows times panels of complex numbers on an x86-64: as many vectors as there are registers for.
#include "kernels/simd/targets.hpp"
#include "kernels/spmm/rows/complex_panel.hpp"

namespace gossamer {

namespace {

template <class T, class I>
[[GOSSAMER_AVX2_FMA]] void complex_panel_fma(const row_block<T, I>& a, const row_panel<T>& p) {
  detail::complex_panel<32 / sizeof(T), 4>(a, p);
}
template <class T, class I>
[[GOSSAMER_AVX512]] void complex_panel_512(const row_block<T, I>& a, const row_panel<T>& p) {
  detail::complex_panel<64 / sizeof(T), 8>(a, p);
}

}  // namespace

template <complex_scalar T, class I>
variants<panel_function<T, I>> complex_panel_functions() {
  return {.portable = detail::plain_complex_panel<T, I>,
          .avx2 = complex_panel_fma<T, I>,
          .avx512 = complex_panel_512<T, I>};
}

template variants<panel_function<std::complex<float>, std::int32_t>> complex_panel_functions();
template variants<panel_function<std::complex<double>, std::int32_t>> complex_panel_functions();

}  // namespace gossamer
