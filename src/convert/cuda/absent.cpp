// For builds without CUDA: there is no device to convert on.
#include "base/text.hpp"
#include "convert/conversions.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/values.hpp"
#include "formats/value_types.hpp"

namespace gossamer::cuda {

namespace {

[[noreturn]] void refuse() {
  throw fail(error_kind::not_available, "this build of Gossamer has no CUDA backend");
}

}  // namespace

const conversion_table& device_conversions() { refuse(); }

template <scalar T>
csr_matrix<T> keep_entries(const context&, const csr_view<const T>&, const entry_filter&) {
  refuse();
}
index_t keep_entries_bytes(extents, index_t, value_type, const entry_filter&) { refuse(); }
template <scalar T>
csr_matrix<T> sort_columns(const context&, const csr_view<const T>&) {
  refuse();
}
template <scalar T>
csr_matrix<T> sum_duplicates(const context&, const csr_view<const T>&) {
  refuse();
}
template <scalar T>
csr_matrix<T> add_rows(const context&, const scaled_rows<T>&, const scaled_rows<T>&) {
  refuse();
}
index_t add_rows_bytes(extents, index_t, index_t, value_type) { refuse(); }

void rebase(const context&, index_view, index_t, index_span) { refuse(); }
template <scalar T>
void reduce_rows(const context&, const csr_view<const T>&, reduction, T*) {
  refuse();
}
template <scalar T>
void take_diagonal(const context&, const csr_view<const T>&, T*) {
  refuse();
}
template <scalar T>
void scale_lines(const context&, const csr_view<T>&, const dense_view<const T>&, bool) {
  refuse();
}
template <scalar T>
csr_matrix<T> band(const context&, const csr_view<const T>&, index_t, index_t) {
  refuse();
}
template <scalar T>
csr_matrix<T> gathered(const context&, const csr_view<const T>&, extents, index_view, index_view) {
  refuse();
}
template <scalar T>
csr_matrix<T> kronecker(const context&, const csr_view<const T>&, const csr_view<const T>&, extents,
                        index_t) {
  refuse();
}

template <scalar T, scalar From>
void cast_values(const context&, const From*, T*, index_t) {
  refuse();
}
template <complex_scalar T>
void conjugate_values(const context&, T*, index_t) {
  refuse();
}

#define GOSSAMER_INSTANTIATE(T)                                                    \
  template csr_matrix<T> keep_entries(const context&, const csr_view<const T>&,    \
                                      const entry_filter&);                        \
  template csr_matrix<T> sort_columns(const context&, const csr_view<const T>&);   \
  template csr_matrix<T> sum_duplicates(const context&, const csr_view<const T>&); \
  template csr_matrix<T> add_rows(const context&, const scaled_rows<T>&, const scaled_rows<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

#define GOSSAMER_INSTANTIATE(T)                                         \
  template void conjugate_values(const context&, T*, index_t);          \
  template void cast_values(const context&, const float*, T*, index_t); \
  template void cast_values(const context&, const double*, T*, index_t);
GOSSAMER_EACH_COMPLEX(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE
template void cast_values(const context&, const float*, double*, index_t);
template void cast_values(const context&, const double*, float*, index_t);
template void cast_values(const context&, const std::complex<float>*, std::complex<double>*,
                          index_t);
template void cast_values(const context&, const std::complex<double>*, std::complex<float>*,
                          index_t);

#define GOSSAMER_INSTANTIATE(T)                                                                    \
  template void reduce_rows(const context&, const csr_view<const T>&, reduction, T*);              \
  template void take_diagonal(const context&, const csr_view<const T>&, T*);                       \
  template void scale_lines(const context&, const csr_view<T>&, const dense_view<const T>&, bool); \
  template csr_matrix<T> band(const context&, const csr_view<const T>&, index_t, index_t);         \
  template csr_matrix<T> gathered(const context&, const csr_view<const T>&, extents, index_view,   \
                                  index_view);                                                     \
  template csr_matrix<T> kronecker(const context&, const csr_view<const T>&,                       \
                                   const csr_view<const T>&, extents, index_t);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
