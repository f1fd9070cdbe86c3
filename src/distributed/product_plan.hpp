// What a product plan holds.
#pragma once

#include <memory>
#include <optional>

#include "distributed/halo.hpp"
#include "gossamer/mpi/distributed_multiply.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::mpi {

/// The rows that have nonzeros in the halo. They borrow columns and values of the matrix: rows
/// without any have no part in them.
template <scalar T>
struct boundary_rows {
  std::vector<index_t> rows;  ///< local numbers, ascending
  index_buffer offsets;
  csr_view<const T> part;  ///< rows.size() x halo

  boundary_rows(const context& where, const csr_view<const T>& off);
};

template <scalar T>
struct product_plan<T>::implementation {
  implementation(const context& where, const distributed_csr<T>& a, const product_options& how);

  /// Views of the buffers: rows of `columns` values each.
  dense_view<T> inside() { return rows_of(inside_); }
  dense_view<T> outside() { return rows_of(outside_); }
  dense_view<T> boundary() { return rows_of(boundary_); }
  index_t columns() const { return how.columns; }

  dense_view<T> rows_of(buffer<T>& in) const {
    if (columns() == 1) return {in.data(), in.size(), memory::host};  // a vector to the library
    return {in.data(), {in.size() / columns(), columns()}};
  }

  context where;
  const distributed_csr<T>* a;
  product_options how;
  boundary_rows<T> edge;
  halo_routes routes;
  buffer<T> inside_;    ///< wanted elements, in the order of messages
  buffer<T> outside_;   ///< elements of the halo
  buffer<T> boundary_;  ///< of each boundary row: its sums or, transposed, its elements of x
  std::optional<plan> own, off;
  std::unique_ptr<halo_messages> messages;
  product_times latest;
};

}  // namespace gossamer::mpi
