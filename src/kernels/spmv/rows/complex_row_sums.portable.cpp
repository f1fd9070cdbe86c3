// Rows of complex numbers without vector instructions of their own.
#include "formats/value_types.hpp"
#include "kernels/spmv/rows/complex_rows.hpp"

namespace gossamer {

template <complex_scalar T, class I, class O>
variants<row_summer<T, I, O>> complex_row_summers() {
  return {detail::plain_complex_rows<T, I, O>};
}

#define GOSSAMER_INSTANTIATE(T)                                                       \
  template variants<row_summer<T, std::int32_t, std::int32_t>> complex_row_summers(); \
  template variants<row_summer<T, std::int32_t, std::int64_t>> complex_row_summers(); \
  template variants<row_summer<T, std::int64_t, std::int64_t>> complex_row_summers();
GOSSAMER_EACH_COMPLEX(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
