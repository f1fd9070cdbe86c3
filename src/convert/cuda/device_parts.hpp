// Parts, sums and rearrangements of CSR matrices on a device (gossamer/structure.hpp). Their arrays
// equal those of the host. In a build without CUDA they throw error(not_available).
#pragma once

#include "convert/arrays.hpp"
#include "gossamer/structure.hpp"

namespace gossamer {

/// The type that values of type T are added in: double, or std::complex<double>.
template <scalar T>
using wide = std::conditional_t<complex_scalar<T>, std::complex<double>, double>;

constexpr double real_part(double value) { return value; }
constexpr double real_part(const std::complex<double>& value) { return value.real(); }

/// One step of a reduction, in double for either type: exact for products of two floats. Norms of
/// complex values are in the real part.
constexpr double reduced(double sum, double value, reduction what) {
  const double magnitude = value < 0 ? -value : value;
  switch (what) {
    case reduction::norm1: return sum + magnitude;
    case reduction::norm2: return sum + value * value;
    case reduction::norm_max: return magnitude > sum || magnitude != magnitude ? magnitude : sum;
    case reduction::sum: break;
  }
  return sum + value;
}
inline std::complex<double> reduced(const std::complex<double>& sum,
                                    const std::complex<double>& value, reduction what) {
  if (what == reduction::sum) return sum + value;
  if (what == reduction::norm2)
    return reduced(reduced(sum.real(), value.real(), what), value.imag(), what);
  return reduced(sum.real(), std::abs(value), what);
}

namespace cuda {

/// offsets[i] - begin.
void rebase(const context&, index_view offsets, index_t begin, index_span to);
template <scalar T>
void reduce_rows(const context&, const csr_view<const T>& a, reduction what, T* y);
template <scalar T>
void take_diagonal(const context&, const csr_view<const T>& a, T* y);
/// In place.
template <scalar T>
void scale_lines(const context&, const csr_view<T>& a, const dense_view<const T>& by, bool by_rows);
template <scalar T>
csr_matrix<T> band(const context&, const csr_view<const T>& a, index_t first, index_t last);
/// Row i is row rows[i], or i where `rows` is empty; column j becomes places[j], and is left out
/// where that is negative, or stays where `places` is empty. Both lists are on the host.
template <scalar T>
csr_matrix<T> gathered(const context&, const csr_view<const T>& a, extents shape, index_view rows,
                       index_view places);
template <scalar T>
csr_matrix<T> kronecker(const context&, const csr_view<const T>& a, const csr_view<const T>& b,
                        extents shape, index_t nnz);

}  // namespace cuda
}  // namespace gossamer
