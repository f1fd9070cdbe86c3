// What the solver needs of CUDA, in a build without it. Contexts of that backend cannot be made
// there, so none of this is ever called.
#include "amg/vectors.hpp"

namespace gossamer::amg::cuda {

namespace {
[[noreturn]] void refuse() {
  throw error(error_kind::not_available, "this build of the solver has no CUDA");
}
}  // namespace

template <real T>
double dot(const context&, index_t, const T*, const T*) {
  refuse();
}
template <real T>
void combine(const context&, index_t, T, const T*, T, T*) {
  refuse();
}
template <real T>
double descend(const context&, index_t, T, const descent<T>&) {
  refuse();
}
template <real T>
void smooth_step(const context&, index_t, T, T, const smoothing_vectors<T>&, start) {
  refuse();
}
template <real T>
void smoother_values(const context&, const csr_view<const T>&, const T*, T, T*) {
  refuse();
}
template <real T>
void mend_diagonal(const context&, const csr_view<T>&) {
  refuse();
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                             \
  template double dot(const context&, index_t, const T*, const T*);                             \
  template void combine(const context&, index_t, T, const T*, T, T*);                           \
  template double descend(const context&, index_t, T, const descent<T>&);                       \
  template void smooth_step(const context&, index_t, T, T, const smoothing_vectors<T>&, start); \
  template void smoother_values(const context&, const csr_view<const T>&, const T*, T, T*);     \
  template void mend_diagonal(const context&, const csr_view<T>&);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg::cuda
