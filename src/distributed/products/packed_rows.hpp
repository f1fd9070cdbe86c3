// Rows that travel between ranks as three arrays: lengths, columns, values. Who sends how many rows
// to whom is known to both sides; lengths travel first and say how long the other arrays are.
#pragma once

#include <span>
#include <vector>

#include "distributed/calls.hpp"

namespace gossamer::mpi {

/// Rows of one piece, borrowed. Values may be absent.
template <real_scalar T, stored_index I>
struct packed_view {
  std::span<const I> lengths, columns;
  const T* values = nullptr;
};
/// Rows of one piece.
template <real_scalar T, stored_index I>
struct packed_rows {
  buffer<I> lengths, columns;
  buffer<T> values;
  packed_view<T, I> view() const {
    return {lengths.span(), columns.span(), values.size() > 0 ? values.data() : nullptr};
  }
};

/// A piece for a rank, and the number of rows that come from one.
template <real_scalar T, stored_index I>
struct rows_out {
  int to;
  packed_view<T, I> rows;
};
struct rows_in {
  int from;
  index_t rows;
};
enum class payload : std::uint8_t { structure, values };

/// Rows as they arrived, one piece below the other.
template <real_scalar T, stored_index I>
struct arrived_rows {
  buffer<I> lengths;
  index_buffer columns;
  buffer<T> values;
  std::vector<index_t> rows_before, nnz_before;  ///< of each piece, and of all

  index_t rows() const { return lengths.size(); }
  index_t nnz() const { return nnz_before.back(); }
  /// Rows and nonzeros of piece p.
  packed_view<T, I> piece(std::size_t p) const;
  /// The rows as a matrix, whose arrays they become.
  csr_matrix<T> matrix(const context& where, index_t cols) &&;
  /// The offsets of the rows.
  index_buffer offsets(const context& where) const;
};

/// Sends and receives pieces, in the order in which both sides list them. Collective; throws on all
/// ranks alike. At most three messages a piece: arrays without elements do not travel.
template <real_scalar T, stored_index I>
arrived_rows<T, I> exchange_packed(const context& where, const communicator& ranks,
                                   std::span<const rows_out<T, I>> out, std::span<const rows_in> in,
                                   payload what = payload::values);

/// Where a column goes: a part, or -1 for none, and its index there, which ascends.
struct column_place {
  std::int32_t part = 0;
  index_t index = 0;
};
/// Rows [first, last) of a matrix cut into parts by columns; `places` has one entry per column of
/// it. Not collective.
template <real_scalar T, stored_index I>
std::vector<packed_rows<T, I>> cut_columns(const context& where, const csr_view<const T>& rows,
                                           index_t first, index_t last,
                                           std::span<const column_place> places, int parts);

}  // namespace gossamer::mpi
