// Rows of a complex CSR matrix times x, with vectors of N complex numbers along a row.
#pragma once

#include "kernels/simd/complex_lanes.hpp"
#include "kernels/spmv/rows/row_sums.hpp"

namespace gossamer::detail {

/// Prefetch distance for values and columns, in nonzeros, as for real values in bytes.
inline constexpr index_t complex_ahead = 128;

template <int N, class T, class I>
[[gnu::always_inline]] inline T complex_row(const T* values, const I* columns, index_t length,
                                            const T* x, bool conjugated) {
  using lanes = complex_lanes<T, N>;
  lanes first, second;
  index_t k = 0;
  for (; k + 2 * N <= length; k += 2 * N) {
    __builtin_prefetch(values + k + complex_ahead);
    __builtin_prefetch(columns + k + complex_ahead);
    first.add(lanes::load(values + k), lanes::gather(x, columns + k));
    second.add(lanes::load(values + k + N), lanes::gather(x, columns + k + N));
  }
  if (k + N <= length) {
    first.add(lanes::load(values + k), lanes::gather(x, columns + k));
    k += N;
  }
  complex_lanes<T, 1> rest;
  for (; k < length; ++k)
    rest.add(values[k].real(), values[k].imag(), complex_lanes<T, 1>::load(x + columns[k]));
  first.add(second);
  return first.total(conjugated) + rest.total(conjugated);
}

template <int N, class T, class I, class O>
[[gnu::always_inline]] inline void complex_rows(const csr_ref<const T, I, O>& a,
                                                const vector_call<T>& v, range rows) {
  for (index_t i = rows.begin; i < rows.end; ++i) {
    const index_t begin = a.offsets[i], length = a.offsets[i + 1] - begin;
    v.store(i, complex_row<N>(a.values + begin, a.columns + begin, length, v.x, v.conjugated));
  }
}

template <class T, class I, class O>
void plain_complex_rows(const csr_ref<const T, I, O>& a, const vector_call<T>& v, range rows) {
  complex_rows<1>(a, v, rows);
}

}  // namespace gossamer::detail
