#include "convert/values.hpp"

#include "backends/cuda/runtime.hpp"
#include "convert/arrays.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer {

namespace {

template <class T, class From>
void cast_array(const context& where, memory place, const From* from, T* to, index_t count) {
  if (place == memory::device) return cuda::cast_values(where, from, to, count);
  parallel_ranges(where.threads(), count, conversion_grain, [&](index_t begin, index_t end) {
    for (index_t k = begin; k < end; ++k) to[k] = cast<T>(from[k]);
  });
}

template <class T>
void conjugate_array(const context& where, memory place, T* values, index_t count) {
  if (place == memory::device) return cuda::conjugate_values(where, values, count);
  parallel_ranges(where.threads(), count, conversion_grain, [&](index_t begin, index_t end) {
    for (index_t k = begin; k < end; ++k) values[k] = conjugated_if(true, values[k]);
  });
}

index_buffer copy_of(const context& where, memory place, index_view from) {
  if (place == memory::host) return copy_indices(where, from, from.width());
  index_buffer copy(from.size(), from.width(), where.memory());
  cuda::copy_bytes(where, copy.view().data(), from.data(),
                   static_cast<std::size_t>(from.size() * bytes(from.width())),
                   cuda::direction::on_device);
  return copy;
}

}  // namespace

template <scalar T, scalar From>
csr_matrix<T> cast_values(const context& where, const csr_view<const From>& a) {
  buffer<T> values(a.nnz(), where.memory());
  cast_array(where, a.where, a.values, values.data(), a.nnz());
  return {a.shape, copy_of(where, a.where, a.offsets), copy_of(where, a.where, a.columns),
          std::move(values)};
}

template <scalar T, scalar From>
dense_matrix<T> cast_values(const context& where, const dense_view<const From>& a) {
  dense_matrix<T> copy(a.shape, a.order, where.memory());
  cast_array(where, a.where, a.values, copy.values().data(), a.nnz());
  return copy;
}

template <complex_scalar T>
void conjugate_values(const context& where, detail::any_matrix<T>& a) {
  std::visit(
      [&]<class Matrix>(Matrix& matrix) {
        const auto view = matrix.mutable_view();
        if constexpr (std::same_as<Matrix, hyb_matrix<T>>) {
          conjugate_array(where, view.where, view.ell.values, view.ell.columns.size());
          conjugate_array(where, view.where, view.coo.values, view.coo.nnz());
        } else {
          conjugate_array(where, view.where, view.values,
                          static_cast<index_t>(matrix.values().size()));
        }
      },
      a);
}

#define GOSSAMER_INSTANTIATE(T, From)                                              \
  template csr_matrix<T> cast_values(const context&, const csr_view<const From>&); \
  template dense_matrix<T> cast_values(const context&, const dense_view<const From>&);
#define GOSSAMER_FROM_REAL(T)                                             \
  template void conjugate_values(const context&, detail::any_matrix<T>&); \
  GOSSAMER_INSTANTIATE(T, float) GOSSAMER_INSTANTIATE(T, double)
GOSSAMER_EACH_COMPLEX(GOSSAMER_FROM_REAL)
GOSSAMER_INSTANTIATE(float, double)
GOSSAMER_INSTANTIATE(double, float)
GOSSAMER_INSTANTIATE(std::complex<float>, std::complex<double>)
GOSSAMER_INSTANTIATE(std::complex<double>, std::complex<float>)
#undef GOSSAMER_FROM_REAL
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
