// For builds without CUDA: there is no device to convert on.
#include "base/text.hpp"
#include "convert/conversions.hpp"
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

}  // namespace gossamer::cuda
