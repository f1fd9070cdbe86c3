// Products of three distributed matrices.
#include "base/text.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {
namespace {

/// Options of the first product: what applies to the result is left to the second.
spgemm_options first_of(spgemm_options how) {
  how.alpha = 1;
  how.local.mask = {};
  how.local.keep = {};
  how.local.drop_zeros = false;
  return how;
}

template <real_scalar T>
void require_chain(const distributed_csr<T>& r, const distributed_csr<T>& a,
                   const distributed_csr<T>& p) {
  agreed(a.ranks(), [&] {
    if (r.shape().cols != a.shape().rows || a.shape().cols != p.shape().rows)
      throw fail(
          error_kind::bad_argument,
          "R is {}, A is {} and P is {}; expected as many columns of each as rows of the next",
          shape_text(r.shape()), shape_text(a.shape()), shape_text(p.shape()));
  });
}

}  // namespace

template <real_scalar T>
distributed_csr<T> triple_product(const context& where, const distributed_csr<T>& r,
                                  const distributed_csr<T>& a, const distributed_csr<T>& p,
                                  const spgemm_options& how) {
  require_chain(r, a, p);
  const auto ap = multiply(where, a, p, first_of(how));
  return multiply(where, r, ap, how);
}

template <real_scalar T>
distributed_csr<T> galerkin_product(const context& where, const distributed_csr<T>& a,
                                    const distributed_csr<T>& p, const spgemm_options& how) {
  return triple_product(where, transpose(where, p), a, p, how);
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                                                \
  template distributed_csr<T> triple_product(const context&, const distributed_csr<T>&,            \
                                             const distributed_csr<T>&, const distributed_csr<T>&, \
                                             const spgemm_options&);                               \
  template distributed_csr<T> galerkin_product(const context&, const distributed_csr<T>&,          \
                                               const distributed_csr<T>&, const spgemm_options&);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
