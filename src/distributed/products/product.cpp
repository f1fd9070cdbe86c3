// C = alpha A B of distributed matrices: check, choose, run, report.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "distributed/products/row_product.hpp"

namespace gossamer::mpi {
namespace {

void require_host(const context& where) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "distributed sparse products run on the host; pass context::openmp()");
}

void require_mask(const options& how, extents local) {
  if (!how.mask) return;
  if (how.mask->where != memory::host || how.mask->shape != local)
    throw fail(error_kind::bad_argument,
               "the mask of this rank is {} in {} memory; expected {} on the host: its rows of C "
               "and all columns",
               shape_text(how.mask->shape), name(how.mask->where), shape_text(local));
}

void require_algorithm(const spgemm_options& how) {
  constexpr std::array<std::string_view, 4> known = {"auto", "1d", "2d", "3d"};
  if (std::find(known.begin(), known.end(), how.algorithm) == known.end())
    throw fail(error_kind::bad_argument, "there is no distributed algorithm \"{}\"; expected {}",
               how.algorithm, joined(known, ", "));
  if (how.layers < 0 || how.layers == 1)
    throw fail(error_kind::bad_argument, "layers is {}; expected 2 or more, or 0 to choose",
               how.layers);
}

/// What a rank alone can find wrong, agreed on by all of them.
template <scalar T>
void require_product(const context& where, const distributed_csr<T>& a, const distributed_csr<T>& b,
                     const spgemm_options& how) {
  agreed(a.ranks(), [&] {
    if (!a.ranks().same_ranks(b.ranks()))
      throw fail(error_kind::bad_argument,
                 "A is on {} ranks and B on {} others; expected the same ranks in the same order",
                 a.ranks().size(), b.ranks().size());
    if (a.shape().cols != b.shape().rows)
      throw fail(error_kind::bad_argument,
                 "A is {} and B is {}; expected as many columns of A as "
                 "rows of B",
                 shape_text(a.shape()), shape_text(b.shape()));
    require_host(where);
    require_algorithm(how);
    require_mask(how.local, {a.local_rows(), b.shape().cols});
    if (how.alpha != 1 && how.local.semiring != semiring::plus_times)
      throw fail(error_kind::bad_argument, "alpha is {} over {}; only plus_times takes a scale",
                 how.alpha, name(how.local.semiring));
    if (how.local.memory_limit < 0)
      throw fail(error_kind::bad_argument, "the memory limit is {}; expected 0, none, or more",
                 how.local.memory_limit);
  });
}

}  // namespace

template <scalar T>
distributed_csr<T> multiply(const context& where, const distributed_csr<T>& a,
                            const distributed_csr<T>& b, const spgemm_options& how,
                            spgemm_report* why) {
  require_product(where, a, b, how);
  const auto& ranks = a.ranks();
  const traffic before = ranks.sent();
  spgemm_report report;
  report.algorithm = "1d";
  const budget within(where.with_threads(how.local.threads), how.local.memory_limit);
  const auto on = describe_rows(within, a, b);
  auto c = multiply_rows(within, b, on, how, report.rounds);
  report.sent = ranks.sent() - before;
  report.nnz = c.nnz();
  if (why != nullptr) {
    *why = std::move(report);
    why->multiplications = sum_of(ranks, on.work[a.local_rows()]);
  }
  return c;
}

template distributed_csr<float> multiply(const context&, const distributed_csr<float>&,
                                         const distributed_csr<float>&, const spgemm_options&,
                                         spgemm_report*);
template distributed_csr<double> multiply(const context&, const distributed_csr<double>&,
                                          const distributed_csr<double>&, const spgemm_options&,
                                          spgemm_report*);

}  // namespace gossamer::mpi
