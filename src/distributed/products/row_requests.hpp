// Rows of a distributed matrix that a rank needs, asked of the ranks that have them. The owners
// answer with lengths, so that both sides know what a fetch costs before it begins.
#pragma once

#include <optional>

#include "distributed/exchange.hpp"

namespace gossamer::mpi {

/// The numbers of nonzeros of the local rows. Not collective.
template <real_scalar T>
buffer<index_t> row_lengths(const context& where, const distributed_csr<T>& a);

/// Rows wanted here and rows asked of this rank. Sends 8 bytes for each row of another rank, and
/// receives as many.
class row_requests {
 public:
  /// `wanted` ascends; `lengths` are those of the local rows of the matrix that `rows` partitions.
  /// Collective; throws on all ranks alike.
  row_requests(const context& where, const communicator& ranks, const partition& rows,
               std::span<const index_t> wanted, const buffer<index_t>& lengths);

  /// The ranks that asked each other.
  const communicator& ranks() const noexcept { return ranks_; }
  /// Rows wanted, ascending, and their numbers of nonzeros.
  std::span<const index_t> wanted() const noexcept { return wanted_; }
  std::span<const index_t> lengths() const noexcept { return lengths_.span(); }
  /// Local rows that ranks ask of this one, in order of ranks: those of rank r are
  /// [asked_offsets()[r], asked_offsets()[r + 1]).
  std::span<const index_t> asked() const noexcept { return asked_.span(); }
  std::span<const index_t> asked_offsets() const noexcept { return ids_->received_offsets(); }
  /// Rows asked of rank r are [wanted_offsets()[r], wanted_offsets()[r + 1]) of the wanted ones.
  std::span<const index_t> wanted_offsets() const noexcept { return ids_->sent_offsets(); }
  /// Nonzeros that are wanted, and that are asked of this rank, its own included.
  index_t wanted_nnz() const noexcept { return wanted_nnz_; }
  index_t asked_nnz() const noexcept { return asked_nnz_; }

 private:
  communicator ranks_;
  std::span<const index_t> wanted_;
  std::optional<exchange> ids_;
  buffer<index_t> asked_, lengths_;
  index_t wanted_nnz_ = 0, asked_nnz_ = 0;
};

/// The wanted rows with global columns, as wanted().size() x all columns, in memory of the context.
/// With `chosen`, ascending positions in wanted(), only those; other rows are empty. Then 8 bytes
/// are sent for each chosen row of another rank. Collective; throws on all ranks alike.
template <real_scalar T>
csr_matrix<T> fetch_rows(const context& where, const distributed_csr<T>& from,
                         const row_requests& of,
                         const std::optional<std::vector<index_t>>& chosen = {});

}  // namespace gossamer::mpi
