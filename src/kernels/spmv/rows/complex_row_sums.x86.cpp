// Rows of complex numbers with fused multiply-add: vectors of 32 bytes. Wider ones do not pay,
// since elements of x are loaded one by one.
#include "formats/value_types.hpp"
#include "kernels/simd/targets.hpp"
#include "kernels/spmv/rows/complex_rows.hpp"

namespace gossamer {

namespace {

template <class T, class I, class O>
[[GOSSAMER_AVX2_FMA]] void complex_rows_fma(const csr_ref<const T, I, O>& a,
                                            const vector_call<T>& v, range rows) {
  detail::complex_rows<32 / sizeof(T)>(a, v, rows);
}

}  // namespace

template <complex_scalar T, class I, class O>
variants<row_summer<T, I, O>> complex_row_summers() {
  return {.portable = detail::plain_complex_rows<T, I, O>, .avx2 = complex_rows_fma<T, I, O>};
}

#define GOSSAMER_INSTANTIATE(T)                                                       \
  template variants<row_summer<T, std::int32_t, std::int32_t>> complex_row_summers(); \
  template variants<row_summer<T, std::int32_t, std::int64_t>> complex_row_summers(); \
  template variants<row_summer<T, std::int64_t, std::int64_t>> complex_row_summers();
GOSSAMER_EACH_COMPLEX(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
