// For builds without CUDA: there is no device to convert on.
#include "base/text.hpp"
#include "convert/cuda/device_conversions.hpp"

namespace gossamer::cuda {

namespace {

[[noreturn]] void refuse() {
  throw fail(error_kind::not_available, "this build of Gossamer has no CUDA backend");
}

}  // namespace

template <scalar T, scalar From>
compressed<T> to_rows(const context&, const any_view<const From>&, From) {
  refuse();
}
template <scalar T, scalar From>
coo_matrix<T> to_coo(const context&, const scaled_rows<From>&) {
  refuse();
}
template <scalar T, scalar From>
dense_matrix<T> to_dense(const context&, const scaled_rows<From>&, const convert_options&) {
  refuse();
}
template <scalar T, scalar From>
ell_matrix<T> to_ell(const context&, const scaled_rows<From>&, const convert_options&) {
  refuse();
}
template <scalar T, scalar From>
sellp_matrix<T> to_sellp(const context&, const scaled_rows<From>&, const convert_options&) {
  refuse();
}
template <scalar T, scalar From>
hyb_matrix<T> to_hyb(const context&, const scaled_rows<From>&, const convert_options&) {
  refuse();
}
template <scalar T, scalar From>
dense_matrix<T> copy_dense(const context&, const dense_view<const From>&, From, layout) {
  refuse();
}

template compressed<float> to_rows(const context&, const any_view<const float>&, float);
template compressed<float> to_rows(const context&, const any_view<const double>&, double);
template compressed<double> to_rows(const context&, const any_view<const float>&, float);
template compressed<double> to_rows(const context&, const any_view<const double>&, double);
template coo_matrix<float> to_coo(const context&, const scaled_rows<float>&);
template coo_matrix<float> to_coo(const context&, const scaled_rows<double>&);
template coo_matrix<double> to_coo(const context&, const scaled_rows<float>&);
template coo_matrix<double> to_coo(const context&, const scaled_rows<double>&);
template dense_matrix<float> to_dense(const context&, const scaled_rows<float>&,
                                      const convert_options&);
template dense_matrix<float> to_dense(const context&, const scaled_rows<double>&,
                                      const convert_options&);
template dense_matrix<double> to_dense(const context&, const scaled_rows<float>&,
                                       const convert_options&);
template dense_matrix<double> to_dense(const context&, const scaled_rows<double>&,
                                       const convert_options&);
template ell_matrix<float> to_ell(const context&, const scaled_rows<float>&,
                                  const convert_options&);
template ell_matrix<float> to_ell(const context&, const scaled_rows<double>&,
                                  const convert_options&);
template ell_matrix<double> to_ell(const context&, const scaled_rows<float>&,
                                   const convert_options&);
template ell_matrix<double> to_ell(const context&, const scaled_rows<double>&,
                                   const convert_options&);
template sellp_matrix<float> to_sellp(const context&, const scaled_rows<float>&,
                                      const convert_options&);
template sellp_matrix<float> to_sellp(const context&, const scaled_rows<double>&,
                                      const convert_options&);
template sellp_matrix<double> to_sellp(const context&, const scaled_rows<float>&,
                                       const convert_options&);
template sellp_matrix<double> to_sellp(const context&, const scaled_rows<double>&,
                                       const convert_options&);
template hyb_matrix<float> to_hyb(const context&, const scaled_rows<float>&,
                                  const convert_options&);
template hyb_matrix<float> to_hyb(const context&, const scaled_rows<double>&,
                                  const convert_options&);
template hyb_matrix<double> to_hyb(const context&, const scaled_rows<float>&,
                                   const convert_options&);
template hyb_matrix<double> to_hyb(const context&, const scaled_rows<double>&,
                                   const convert_options&);
template dense_matrix<float> copy_dense(const context&, const dense_view<const float>&, float,
                                        layout);
template dense_matrix<float> copy_dense(const context&, const dense_view<const double>&, double,
                                        layout);
template dense_matrix<double> copy_dense(const context&, const dense_view<const float>&, float,
                                         layout);
template dense_matrix<double> copy_dense(const context&, const dense_view<const double>&, double,
                                         layout);

}  // namespace gossamer::cuda
