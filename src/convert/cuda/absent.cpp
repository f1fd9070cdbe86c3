// For builds without CUDA: there is no device to convert on.
#include "base/text.hpp"
#include "convert/conversions.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/cuda/device_rows.hpp"

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

template csr_matrix<float> keep_entries(const context&, const csr_view<const float>&,
                                        const entry_filter&);
template csr_matrix<double> keep_entries(const context&, const csr_view<const double>&,
                                         const entry_filter&);
template csr_matrix<float> sort_columns(const context&, const csr_view<const float>&);
template csr_matrix<double> sort_columns(const context&, const csr_view<const double>&);
template csr_matrix<float> sum_duplicates(const context&, const csr_view<const float>&);
template csr_matrix<double> sum_duplicates(const context&, const csr_view<const double>&);
template csr_matrix<float> add_rows(const context&, const scaled_rows<float>&,
                                    const scaled_rows<float>&);
template csr_matrix<double> add_rows(const context&, const scaled_rows<double>&,
                                     const scaled_rows<double>&);

template void reduce_rows(const context&, const csr_view<const float>&, reduction, float*);
template void take_diagonal(const context&, const csr_view<const float>&, float*);
template void scale_lines(const context&, const csr_view<float>&, const dense_view<const float>&,
                          bool);
template csr_matrix<float> band(const context&, const csr_view<const float>&, index_t, index_t);
template csr_matrix<float> gathered(const context&, const csr_view<const float>&, extents,
                                    index_view, index_view);
template csr_matrix<float> kronecker(const context&, const csr_view<const float>&,
                                     const csr_view<const float>&, extents, index_t);
template void reduce_rows(const context&, const csr_view<const double>&, reduction, double*);
template void take_diagonal(const context&, const csr_view<const double>&, double*);
template void scale_lines(const context&, const csr_view<double>&, const dense_view<const double>&,
                          bool);
template csr_matrix<double> band(const context&, const csr_view<const double>&, index_t, index_t);
template csr_matrix<double> gathered(const context&, const csr_view<const double>&, extents,
                                     index_view, index_view);
template csr_matrix<double> kronecker(const context&, const csr_view<const double>&,
                                      const csr_view<const double>&, extents, index_t);

}  // namespace gossamer::cuda
