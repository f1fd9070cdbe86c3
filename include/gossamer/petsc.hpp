// Exchange with PETSc: a program that has a Mat of type MPIAIJ (or SeqAIJ) hands it over,
// multiplies with the library and takes vectors back, all without copies of large arrays. Needs
// PETSc's headers with real scalars; gossamer::mpi itself is built without PETSc.
//
//   const auto A = mpi::borrow(cpu, petsc_matrix);        // no copy; the Mat must outlive it
//   mpi::product_plan<PetscScalar> product(cpu, A);
//   mpi::multiply(product, mpi::reading(x).block(), mpi::writing(y).block());   // x, y: Vec
#pragma once

#include <petscmat.h>

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

static_assert(scalar<PetscScalar>, "gossamer/petsc.hpp needs a PETSc with real scalars");

namespace detail {
/// Throws error(device_failure) that names the call unless PETSc succeeded.
inline void petsc(PetscErrorCode code, const char* call) {
  if (code != 0)
    throw error(error_kind::device_failure, std::string(call) + " of PETSc failed with code " +
                                                std::to_string(static_cast<int>(code)));
}

/// Lends an array that somebody else owns, once. Copies of the array get host memory.
class lent_memory final : public memory_resource {
 public:
  explicit lent_memory(const void* data) : data_(const_cast<void*>(data)) {}
  void* allocate(std::size_t bytes) override {
    return std::exchange(lent_, true) ? host_memory()->allocate(bytes) : data_;
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    if (data != data_) host_memory()->deallocate(data, bytes);
  }

 private:
  void* data_;
  bool lent_ = false;
};

/// A sequential matrix of PETSc over its own arrays.
inline csr_matrix<PetscScalar> lent_part(Mat part, extents shape) {
  PetscInt rows = 0;
  const PetscInt *offsets = nullptr, *columns = nullptr;
  PetscBool done = PETSC_FALSE;
  petsc(MatGetRowIJ(part, 0, PETSC_FALSE, PETSC_FALSE, &rows, &offsets, &columns, &done),
        "MatGetRowIJ");
  const PetscScalar* values = nullptr;
  petsc(MatSeqAIJGetArrayRead(part, &values), "MatSeqAIJGetArrayRead");
  const index_t nnz = rows > 0 ? static_cast<index_t>(offsets[rows]) : 0;
  constexpr index_width width = width_of<PetscInt>;
  csr_matrix<PetscScalar> lent(
      shape, index_buffer(shape.rows + 1, width, std::make_shared<lent_memory>(offsets)),
      index_buffer(nnz, width, std::make_shared<lent_memory>(columns)),
      buffer<PetscScalar>(nnz, std::make_shared<lent_memory>(values)));
  petsc(MatSeqAIJRestoreArrayRead(part, &values), "MatSeqAIJRestoreArrayRead");
  petsc(MatRestoreRowIJ(part, 0, PETSC_FALSE, PETSC_FALSE, &rows, &offsets, &columns, &done),
        "MatRestoreRowIJ");
  return lent;
}

inline partition petsc_partition(Mat a, PetscErrorCode (*ranges)(Mat, const PetscInt**),
                                 int ranks) {
  const PetscInt* offsets = nullptr;
  petsc(ranges(a, &offsets), "MatGetOwnershipRanges");
  return partition(std::vector<index_t>(offsets, offsets + ranks + 1));
}

inline communicator communicator_of(PetscObject object) {
  MPI_Comm comm = MPI_COMM_NULL;
  petsc(PetscObjectGetComm(object, &comm), "PetscObjectGetComm");
  return communicator::from_fortran(static_cast<int>(MPI_Comm_c2f(comm)));
}
}  // namespace detail

/// An assembled Mat of type MPIAIJ or SeqAIJ as a distributed matrix over the same arrays: nothing
/// but the list of the halo is copied. The Mat must outlive the result and keep its structure; its
/// values may change. Writing to the values of the result writes to the Mat. Collective.
inline distributed_csr<PetscScalar> borrow(const context& where, Mat a) {
  const auto ranks = detail::communicator_of(reinterpret_cast<PetscObject>(a));
  PetscBool parallel = PETSC_FALSE, sequential = PETSC_FALSE;
  Mat own = a, off = nullptr;
  const PetscInt* names = nullptr;
  csr_matrix<PetscScalar> own_part, off_part;
  buffer<index_t> halo;
  partition rows, columns;
  agreed(ranks, [&] {
    auto* const object = reinterpret_cast<PetscObject>(a);
    detail::petsc(PetscObjectBaseTypeCompare(object, MATMPIAIJ, &parallel),
                  "PetscObjectBaseTypeCompare");
    detail::petsc(PetscObjectBaseTypeCompare(object, MATSEQAIJ, &sequential),
                  "PetscObjectBaseTypeCompare");
    if (!parallel && !sequential)
      throw error(
          error_kind::bad_argument,
          "the PETSc matrix is neither MPIAIJ nor SeqAIJ; convert it with MatConvert first");
    if (parallel) detail::petsc(MatMPIAIJGetSeqAIJ(a, &own, &off, &names), "MatMPIAIJGetSeqAIJ");
    rows = detail::petsc_partition(a, MatGetOwnershipRanges, ranks.size());
    columns = detail::petsc_partition(a, MatGetOwnershipRangesColumn, ranks.size());
    const index_t here = rows.count(ranks.rank());
    own_part = detail::lent_part(own, {here, columns.count(ranks.rank())});
    PetscInt outside = 0, none = 0;
    if (off != nullptr) detail::petsc(MatGetLocalSize(off, &none, &outside), "MatGetLocalSize");
    halo = buffer<index_t>(outside, where.memory());
    for (PetscInt k = 0; k < outside; ++k) halo[k] = names[k];
    off_part = off != nullptr ? detail::lent_part(off, {here, outside})
                              : csr_matrix<PetscScalar>({here, 0}, 0);
  });
  return {ranks, rows, columns, std::move(own_part), std::move(off_part), std::move(halo)};
}

/// A new Mat of type MPIAIJ (SeqAIJ on one rank) with the values of `a`, which PETSc copies;
/// destroy it with MatDestroy. Collective.
inline Mat to_petsc(const context& where, const distributed_csr<PetscScalar>& a) {
  Mat made = nullptr;
  std::vector<PetscInt> offsets, columns;
  csr_matrix<PetscScalar> rows;
  agreed(a.ranks(), [&] {
    rows = local_rows(where, a);
    const auto narrow = [](index_view from, std::vector<PetscInt>& to) {
      for (index_t k = 0; k < from.size(); ++k) {
        if (from[k] > PETSC_MAX_INT)
          throw error(error_kind::overflow,
                      "an index does not fit this PETSc's integers; build PETSc "
                      "with 64-bit indices");
        to.push_back(static_cast<PetscInt>(from[k]));
      }
    };
    narrow(rows.row_offsets(), offsets);
    narrow(rows.column_indices(), columns);
    columns.reserve(1);
  });
  detail::petsc(MatCreateMPIAIJWithArrays(
                    MPI_Comm_f2c(a.ranks().fortran_handle()), static_cast<PetscInt>(a.local_rows()),
                    static_cast<PetscInt>(a.local_columns()), static_cast<PetscInt>(a.shape().rows),
                    static_cast<PetscInt>(a.shape().cols), offsets.data(), columns.data(),
                    rows.values().data(), &made),
                "MatCreateMPIAIJWithArrays");
  return made;
}

/// The local block of a Vec, for reading, as long as this object lives. Not collective.
class reading {
 public:
  explicit reading(Vec x) : x_(x) {
    detail::petsc(VecGetLocalSize(x, &size_), "VecGetLocalSize");
    detail::petsc(VecGetArrayRead(x, &data_), "VecGetArrayRead");
  }
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  ~reading() { static_cast<void>(VecRestoreArrayRead(x_, &data_)); }
  /// The elements; they are PETSc's own.
  std::span<const PetscScalar> block() const { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  Vec x_;
  PetscInt size_ = 0;
  const PetscScalar* data_ = nullptr;
};

/// The same for writing; PETSc knows of the change once this object is gone.
class writing {
 public:
  explicit writing(Vec y) : y_(y) {
    detail::petsc(VecGetLocalSize(y, &size_), "VecGetLocalSize");
    detail::petsc(VecGetArray(y, &data_), "VecGetArray");
  }
  writing(const writing&) = delete;
  writing& operator=(const writing&) = delete;
  ~writing() { static_cast<void>(VecRestoreArray(y_, &data_)); }
  /// The elements; they are PETSc's own.
  std::span<PetscScalar> block() const { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  Vec y_;
  PetscInt size_ = 0;
  PetscScalar* data_ = nullptr;
};

/// A Vec over a block that the caller keeps, without a copy; destroy it with VecDestroy.
/// Collective.
inline Vec to_petsc(const communicator& ranks, std::span<PetscScalar> block) {
  Vec made = nullptr;
  detail::petsc(VecCreateMPIWithArray(MPI_Comm_f2c(ranks.fortran_handle()), 1,
                                      static_cast<PetscInt>(block.size()), PETSC_DETERMINE,
                                      block.data(), &made),
                "VecCreateMPIWithArray");
  return made;
}

}  // namespace gossamer::mpi
