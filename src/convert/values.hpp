// Values by themselves: other types of them, and their conjugates, on the host and on devices.
#pragma once

#include "gossamer/convert.hpp"

namespace gossamer {

/// A copy with values of type T, another one than From; complex values do not become real.
template <scalar T, scalar From>
csr_matrix<T> cast_values(const context&, const csr_view<const From>& a);
template <scalar T, scalar From>
dense_matrix<T> cast_values(const context&, const dense_view<const From>& a);

/// Conjugates the values of a matrix in place.
template <complex_scalar T>
void conjugate_values(const context&, detail::any_matrix<T>& a);

namespace cuda {
/// The same for arrays on a device. Throws error(not_available) in a build without CUDA.
template <scalar T, scalar From>
void cast_values(const context&, const From* from, T* to, index_t count);
template <complex_scalar T>
void conjugate_values(const context&, T* values, index_t count);
}  // namespace cuda

}  // namespace gossamer
