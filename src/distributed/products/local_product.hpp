// The part of a distributed product that one rank computes: a product of the library.
#pragma once

#include "distributed/products/budget.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {

/// Rows of A whose columns are the rows of B. Columns of B and of the mask are those of C.
template <real_scalar T>
struct local_operands {
  csr_view<const T> a, b;
  std::optional<pattern> mask;
};

/// alpha A B by the library, under the options. Where B has far more columns than nonzeros, they
/// are numbered anew for the product, so that no kernel needs memory for all columns of a huge
/// matrix. Not collective.
template <real_scalar T>
csr_matrix<T> multiply_local(const budget& within, const local_operands<T>& on,
                             const spgemm_options& how);

/// Rows [first, last) of a pattern, which is borrowed except for the offsets.
class pattern_rows {
 public:
  pattern_rows(const context& where, const pattern& of, index_t first, index_t last);
  pattern_rows(const pattern_rows&) = delete;
  const pattern& view() const& noexcept { return rows_; }
  void view() const&& = delete;

 private:
  buffer<index_t> offsets_;
  pattern rows_;
};

/// Blocks of rows, one below the other, each freed once it is copied.
template <real_scalar T>
csr_matrix<T> stack_rows(const context& where, std::vector<csr_matrix<T>> blocks);

}  // namespace gossamer::mpi
