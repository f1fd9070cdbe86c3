// The transpose: each nonzero travels to the rank that has its column.
#include "distributed/triplets.hpp"

namespace gossamer::mpi {

template <real_scalar T>
distributed_csr<T> transpose(const context& where, const distributed_csr<T>& a) {
  const auto& ranks = a.ranks();
  coo_matrix<T> turned;
  agreed(ranks, [&] {
    turned = coo_matrix<T>({a.shape().cols, a.shape().rows}, a.local_nnz(), index_width::i64,
                           where.memory());
    const auto to = turned.mutable_view();
    const auto rows = to.rows.template as<std::int64_t>(),
               columns = to.columns.template as<std::int64_t>();
    std::size_t at = 0;
    const auto take = [&](const csr_view<const T>& part, const auto& column_of) {
      for (index_t i = 0; i < part.shape.rows; ++i)
        for (index_t k = part.offsets[i]; k < part.offsets[i + 1]; ++k) {
          rows[at] = column_of(part.columns[k]);
          columns[at] = a.first_row() + i;
          to.values[at++] = part.values[k];
        }
    };
    take(a.own(), [&](index_t j) { return a.first_column() + j; });
    take(a.off(), [&](index_t j) { return a.halo()[static_cast<std::size_t>(j)]; });
  });
  const auto mine = rows_of_triplets<T>(where, ranks, turned.view(), a.column_partition());
  turned = {};
  return {where, ranks, mine.view(), a.row_partition()};
}

template distributed_csr<float> transpose(const context&, const distributed_csr<float>&);
template distributed_csr<double> transpose(const context&, const distributed_csr<double>&);

}  // namespace gossamer::mpi
