// Matrices over many processes, on MPI: communicators, errors that all ranks agree on, partitions,
// and sparse matrices in blocks of rows. gossamer/distributed.hpp includes it and says how it is
// used.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/assemble.hpp"
#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::mpi {

/// Starts MPI, unless the program has, and ends it in that case. Declare it first in main.
class environment {
 public:
  environment();
  environment(int& argc, char**& argv);
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment();

 private:
  bool ours_ = false;
};

/// What was sent between ranks: payloads of messages, not the headers of the network. A message
/// from a rank to itself is none.
struct traffic {
  index_t messages = 0;  ///< that this rank sent
  index_t bytes = 0;     ///< that this rank sent
  friend bool operator==(const traffic&, const traffic&) = default;
  friend traffic operator+(traffic a, const traffic& b) {
    return {a.messages + b.messages, a.bytes + b.bytes};
  }
  friend traffic operator-(traffic a, const traffic& b) {
    return {a.messages - b.messages, a.bytes - b.bytes};
  }
};

/// A group of processes that communicate, as MPI_Comm. A small value: copies share one duplicate of
/// the program's communicator, so that messages of the library and of the program never meet.
class communicator {
 public:
  /// All processes of the program, and this one alone. Throws error(bad_argument) where MPI was not
  /// started.
  static communicator world();
  static communicator self();
  /// Duplicates the communicator with this Fortran handle (MPI_Comm_c2f), which is an integer in
  /// every MPI; mpi::from(MPI_Comm) of gossamer/mpi.hpp calls it.
  static communicator from_fortran(int handle);

  /// Number of this process in the group, and number of processes.
  int rank() const noexcept;
  int size() const noexcept;
  /// Fortran handle of the library's duplicate (MPI_Comm_f2c).
  int fortran_handle() const;
  /// The ranks with the same colour, ordered by key and then by rank.
  communicator split(int colour, int key = 0) const;
  /// Returns once all ranks have come here.
  void barrier() const;
  /// True where both have the same processes in the same order. Not collective.
  bool same_ranks(const communicator& other) const;
  /// What this rank sent on this communicator so far: parts of matrices and vectors, not the few
  /// numbers by which ranks agree on sizes and errors. Not collective.
  traffic sent() const;

  /// Internals of the library; not part of the interface.
  struct implementation;
  explicit communicator(std::shared_ptr<implementation> impl) : impl_(std::move(impl)) {}
  implementation& impl() const { return *impl_; }

 private:
  std::shared_ptr<implementation> impl_;
};

/// An error that all ranks of a communicator agreed on: it happened on one of them and is thrown on
/// each. Its text begins with that rank, unless there is only one.
class agreed_error : public error {
 public:
  agreed_error(error_kind kind, const std::string& text, int rank)
      : error(kind, text), rank_(rank) {}
  /// The rank where it happened; the lowest where there were several.
  int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

namespace detail {
/// All ranks come here; throws on all of them when one brings a failure, that of the lowest rank.
void settle(const communicator&, std::exception_ptr failure);
}  // namespace detail

/// Runs f() on every rank. Where it throws on some, all ranks throw the error of the lowest of
/// them: the same kind, and "rank 2 of 4: " before its text. f must not communicate: a rank that
/// has thrown would be missed.
template <std::invocable F>
std::invoke_result_t<F> agreed(const communicator& ranks, F&& f) {
  using result = std::invoke_result_t<F>;
  std::exception_ptr failure;
  if constexpr (std::is_void_v<result>) {
    try {
      std::invoke(std::forward<F>(f));
    } catch (...) {
      failure = std::current_exception();
    }
    detail::settle(ranks, failure);
  } else {
    std::optional<result> made;
    try {
      made.emplace(std::invoke(std::forward<F>(f)));
    } catch (...) {
      failure = std::current_exception();
    }
    detail::settle(ranks, failure);
    return std::move(*made);
  }
}

/// The sum of one number of every rank, on all of them.
double sum(const communicator& ranks, double mine);
/// The inner product of two vectors in blocks; the sums of ranks are added in an order of MPI's.
template <real_scalar T>
double dot(const communicator& ranks, std::span<const T> x, std::span<const T> y);

/// Which rank has which rows: rank r those of [first(r), last(r)). Blocks may be empty.
class partition {
 public:
  /// Nothing, on one rank.
  partition() : partition(std::vector<index_t>{0, 0}) {}
  /// Offsets of all ranks, ranks + 1 of them, that ascend from 0. Throws error(bad_argument)
  /// otherwise.
  explicit partition(std::vector<index_t> offsets);
  /// Blocks whose sizes differ by at most one.
  static partition by_count(index_t rows, int ranks);
  /// Blocks of about equal weight; row i weighs weights[i].
  static partition by_weight(std::span<const index_t> weights, int ranks);

  /// Number of blocks, number of rows.
  int ranks() const noexcept { return static_cast<int>(offsets_->size()) - 1; }
  index_t size() const noexcept { return offsets_->back(); }
  /// Rows of a rank.
  index_t first(int rank) const noexcept { return (*offsets_)[static_cast<std::size_t>(rank)]; }
  index_t last(int rank) const noexcept { return (*offsets_)[static_cast<std::size_t>(rank) + 1]; }
  index_t count(int rank) const noexcept { return last(rank) - first(rank); }
  /// The rank that has this row, which must be in [0, size()). O(log ranks).
  int owner(index_t row) const noexcept;
  /// All offsets.
  std::span<const index_t> offsets() const noexcept { return *offsets_; }
  friend bool operator==(const partition& a, const partition& b) {
    return a.offsets_ == b.offsets_ || *a.offsets_ == *b.offsets_;
  }

 private:
  std::shared_ptr<const std::vector<index_t>> offsets_;
};

/// A sparse matrix in blocks of rows, one a rank. Columns belong to ranks as well: those that the
/// rank itself has, as it has the elements of x, and those of others, its halo. Both parts have
/// narrow indices of their own; global indices are 64 bit. Rows are sorted, without duplicates.
template <real_scalar T>
class distributed_csr {
 public:
  using element = T;  ///< not `value`: that would make it an operand of one process
  /// From blocks of rows: each rank brings its own, whose columns are global: `rows` is local rows
  /// x all columns, sorted or not; duplicates are added. Ranks may have no rows. `columns` says
  /// which rank has which elements of x; without it they are partitioned as the rows of a square
  /// matrix are, otherwise by count. Throws error(bad_argument) on all ranks where their numbers of
  /// columns differ or an index is out of range.
  distributed_csr(const context& where, const communicator& ranks, const csr_view<const T>& rows,
                  const std::optional<partition>& columns = {});

  /// From the two parts of each rank, which it takes over: `own` with columns of this rank and
  /// `off` with those of `halo`, numbered as own(), off() and halo() number them, rows sorted and
  /// without duplicates. Throws error(bad_argument) on all ranks where the parts of one are not
  /// such.
  distributed_csr(const communicator& ranks, const partition& rows, const partition& columns,
                  csr_matrix<T> own, csr_matrix<T> off, buffer<index_t> halo);

  /// The processes, the global shape and number of nonzeros, and who has which rows and columns.
  const communicator& ranks() const noexcept { return ranks_; }
  extents shape() const noexcept { return {rows_.size(), columns_.size()}; }
  index_t nnz() const noexcept { return nnz_; }
  const partition& row_partition() const noexcept { return rows_; }
  const partition& column_partition() const noexcept { return columns_; }

  /// First row of this rank, its numbers of rows, of elements of x, and of nonzeros.
  index_t first_row() const noexcept { return rows_.first(ranks_.rank()); }
  index_t local_rows() const noexcept { return rows_.count(ranks_.rank()); }
  index_t first_column() const noexcept { return columns_.first(ranks_.rank()); }
  index_t local_columns() const noexcept { return columns_.count(ranks_.rank()); }
  index_t local_nnz() const noexcept { return own_.nnz() + off_.nnz(); }

  /// Nonzeros in columns of this rank: local rows x local columns; column j is first_column() + j.
  csr_view<const T> own() const noexcept { return own_.view(); }
  /// Nonzeros in columns of other ranks: local rows x halo().size(); column j is halo()[j].
  csr_view<const T> off() const noexcept { return off_.view(); }
  /// The columns of other ranks with nonzeros here, ascending.
  std::span<const index_t> halo() const noexcept { return halo_.span(); }
  /// Values of the two parts, to be replaced; the structure stays.
  std::span<T> own_values() noexcept { return own_.values(); }
  std::span<T> off_values() noexcept { return off_.values(); }

 private:
  communicator ranks_;
  partition rows_, columns_;
  csr_matrix<T> own_, off_;
  buffer<index_t> halo_;
  index_t nnz_ = 0;
};

/// The local rows in one piece: column j of `rows` is the global column columns[j]. Columns ascend,
/// so that rows are sorted in either numbering.
template <real_scalar T>
struct compact_rows {
  csr_matrix<T> rows;            ///< local rows x columns.size(), narrow indices
  std::vector<index_t> columns;  ///< those with nonzeros here, own and others', ascending
};
/// Both parts joined, in memory of the context. Not collective: it may throw on one rank.
template <real_scalar T>
compact_rows<T> compact(const context& where, const distributed_csr<T>& a);
/// The local rows with global columns: local rows x all columns. Not collective, as above.
template <real_scalar T>
csr_matrix<T> local_rows(const context& where, const distributed_csr<T>& a);

/// What blocks of rows are balanced by, where no partition is given.
enum class balance : std::uint8_t { rows, nonzeros };

/// Which rank gets which rows and columns.
struct distribution {
  /// By number of rows, or by number of nonzeros, which costs one more exchange of the matrix.
  gossamer::mpi::balance balance = balance::rows;
  /// Given partitions, the same on all ranks; without them rows are balanced, and columns are
  /// partitioned as rows where the matrix is square, otherwise by count.
  std::optional<partition> rows = {}, columns = {};
};

namespace detail {
template <real_scalar T>
distributed_csr<T> assembled(const context&, const communicator&, extents, index_view rows,
                             index_view columns, std::span<const T> values, const distribution&);
}  // namespace detail

/// The matrix of triplets that may be on any rank: each rank brings some, with global indices; they
/// travel to the ranks that have their rows. Columns are sorted, duplicates added in the order of
/// ranks and of input. Throws error(bad_argument) on all ranks where shapes differ between ranks,
/// sizes of arrays differ, or an index is out of range.
template <index_range R, index_range C, value_range V>
distributed_csr<value_of<V>> from_triplets(const context& where, const communicator& ranks,
                                           extents shape, const R& rows, const C& columns,
                                           const V& values, const distribution& how = {}) {
  return detail::assembled<value_of<V>>(where, ranks, shape, gossamer::detail::indices_of(rows),
                                        gossamer::detail::indices_of(columns),
                                        gossamer::detail::values_of(values), how);
}

/// The matrix with other blocks of rows.
template <real_scalar T>
distributed_csr<T> redistribute(const context& where, const distributed_csr<T>& a,
                                const distribution& how);
/// Blocks of rows with about as many nonzeros each.
template <real_scalar T>
partition balanced_rows(const distributed_csr<T>& a);

/// A matrix that one rank has, distributed. Other ranks pass an empty view, which is not read.
template <real_scalar T>
distributed_csr<T> scatter(const context& where, const communicator& ranks,
                           const csr_view<const T>& whole, const distribution& how = {},
                           int root = 0);
/// The whole matrix on one rank, in memory of the context; 0 x columns on the others.
template <real_scalar T>
csr_matrix<T> gather(const context& where, const distributed_csr<T>& a, int root = 0);
/// A vector in blocks, whole on one rank; empty on the others.
template <real_scalar T>
std::vector<T> gather(const communicator& ranks, const partition& blocks, std::span<const T> mine,
                      int root = 0);

/// The transpose, distributed: rows as the columns of `a` are, columns as its rows.
template <real_scalar T>
distributed_csr<T> transpose(const context& where, const distributed_csr<T>& a);

}  // namespace gossamer::mpi
