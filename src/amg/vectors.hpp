// Operations on vectors, on the host with the context's threads or on its device. Sums are added in
// an order that depends on the length alone: the same bits for any number of threads.
#pragma once

#include "gossamer/amg.hpp"

namespace gossamer::amg {

/// Sum of x_i y_i, in double. On a device it waits for the result.
template <real T>
double dot(const context&, index_t n, const T* x, const T* y);
/// y = a x + b y; b = 0 does not read y.
template <real T>
void combine(const context&, index_t n, T a, const T* x, T b, T* y);
/// x += a p and r -= a q; the sum of r_i r_i.
template <real T>
struct descent {
  T* x;
  const T* p;
  T* r;
  const T* q;
};
template <real T>
double descend(const context&, index_t n, T a, const descent<T>& on);

/// One step of a smoother: d = keep d + weight D^-1 r, x += d. `from_zero`: d and x are not read,
/// as if they were zero.
template <real T>
struct smoothing_vectors {
  const T* inverse_diagonal;
  const T* r;
  T* d;
  T* x;
};
enum class start : std::uint8_t { from_x, from_zero };
template <real T>
void smooth_step(const context&, index_t n, T keep, T weight, const smoothing_vectors<T>& on,
                 start from);

namespace cuda {
/// The same on a device, by the backend or by absent.cpp.
template <real T>
double dot(const context&, index_t n, const T* x, const T* y);
template <real T>
void combine(const context&, index_t n, T a, const T* x, T b, T* y);
template <real T>
double descend(const context&, index_t n, T a, const descent<T>& on);
template <real T>
void smooth_step(const context&, index_t n, T keep, T weight, const smoothing_vectors<T>& on,
                 start from);
/// values = I - weight D^-1 A on the pattern of A: the matrix that smooths a prolongator.
template <real T>
void smoother_values(const context&, const csr_view<const T>& a, const T* diagonal, T weight,
                     T* values);
/// Diagonals that are exactly zero become one.
template <real T>
void mend_diagonal(const context&, const csr_view<T>& a);
}  // namespace cuda

}  // namespace gossamer::amg
