// PETSc: MatMult, MatMatMult and MatProduct on sequential matrices of one process.
//
// PETSc is parallel over MPI ranks, not threads: in one process it computes on one thread.
// petsc/aij is its default format, compressed rows; petsc/sell the sliced ELLPACK it recommends for
// vectorised SpMV. Dense matrices are column-major in PETSc: B is transposed in prepare(), C stays
// so until it is handed out. C is made there, too, and reused (MAT_REUSE_MATRIX), as PETSc's manual
// asks for repeated products. Sparse products are what MatMatMult does, spelled out so that the
// algorithm can be named: petsc/sorted is the default, petsc/rowmerge the fastest of those tried on
// a mesh and on a uniform random matrix; both make C anew in each run. petsc/reuse only recomputes
// its values. The scalar type is fixed when PETSc is built; problems of the other type are refused.
#include <petscmat.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "bench/peers/support.hpp"

namespace gossamer::bench {
namespace {

using scalar = PetscScalar;

std::string first_message;  // message of the current error, from where it was first raised

PetscErrorCode remember(MPI_Comm, int, const char* function, const char*, PetscErrorCode code,
                        PetscErrorType type, const char* message, void*) {
  if (type == PETSC_ERROR_INITIAL) {
    const char* general = nullptr;
    PetscErrorMessage(code, &general, nullptr);
    first_message = std::string(function != nullptr ? function : "PETSc") + ": " +
                    (general != nullptr ? general : "") + " " + (message != nullptr ? message : "");
  }
  return code;
}

void check(PetscErrorCode code, const char* call) {
  if (code == 0) return;
  throw std::runtime_error(std::string(call) + " failed (" + std::to_string(code) +
                           "): " + first_message);
}

/// From MPI_Init to MPI_Finalize. Alone on this machine, no network is looked for; signals stay
/// with the program; no file of options is read.
class session {
 public:
  session() {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("OMPI_MCA_btl", "self", 0);
    char name[] = "gossamer", signals[] = "-no_signal_handler", files[] = "-skip_petscrc",
         unused[] = "-options_left", no[] = "no";
    char* words[] = {name, signals, files, unused, no, nullptr};
    char** arguments = words;
    int count = 5;
    check(PetscInitialize(&count, &arguments, nullptr, nullptr), "PetscInitialize");
    check(PetscPushErrorHandler(remember, nullptr), "PetscPushErrorHandler");
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() { PetscFinalize(); }
};

/// A sparse operand: PETSc's own index type, the values as given.
class matrix {
 public:
  explicit matrix(const csr_arrays& from)
      : offsets_(from.offsets, from.offsets + from.rows + 1),
        columns_(from.columns, from.columns + from.nnz()) {
    check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, static_cast<PetscInt>(from.rows),
                                    static_cast<PetscInt>(from.cols), offsets_.data(),
                                    columns_.data(), const_cast<scalar*>(values_of<scalar>(from)),
                                    &handle),
          "MatCreateSeqAIJWithArrays");
  }
  matrix(const matrix&) = delete;
  matrix& operator=(const matrix&) = delete;
  ~matrix() { MatDestroy(&handle); }
  Mat handle = nullptr;

 private:
  std::vector<PetscInt> offsets_, columns_;
};

enum class storage { aij, sell };

template <storage Storage>
class spmv : public dense_contestant<scalar> {
 public:
  using dense_contestant<scalar>::dense_contestant;
  ~spmv() override {
    VecDestroy(&x_);
    VecDestroy(&y_);
  }
  void prepare() override {
    a_ = std::make_unique<matrix>(problem_.a);
    if constexpr (Storage == storage::sell) {
      check(MatConvert(a_->handle, MATSEQSELL, MAT_INPLACE_MATRIX, &a_->handle), "MatConvert");
    }
    check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, static_cast<PetscInt>(problem_.a.cols), input(),
                                &x_),
          "VecCreateSeqWithArray");
    check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, static_cast<PetscInt>(problem_.a.rows),
                                output_.data(), &y_),
          "VecCreateSeqWithArray");
  }
  void run() override { check(MatMult(a_->handle, x_, y_), "MatMult"); }

 private:
  std::unique_ptr<matrix> a_;
  Vec x_ = nullptr, y_ = nullptr;
};

class spmm : public contestant {
 public:
  explicit spmm(const race_problem& problem) : problem_(problem) {}
  ~spmm() override {
    MatDestroy(&b_);
    MatDestroy(&c_);
  }
  void prepare() override {
    const index_t inner = problem_.a.cols, columns = problem_.columns;
    const auto* const x = static_cast<const scalar*>(problem_.x);
    b_values_.resize(static_cast<std::size_t>(inner * columns));
    for (index_t i = 0; i < inner; ++i) {
      for (index_t j = 0; j < columns; ++j) b_values_[j * inner + i] = x[i * columns + j];
    }
    a_ = std::make_unique<matrix>(problem_.a);
    check(MatCreateSeqDense(PETSC_COMM_SELF, static_cast<PetscInt>(inner),
                            static_cast<PetscInt>(columns), b_values_.data(), &b_),
          "MatCreateSeqDense");
    check(MatMatMult(a_->handle, b_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c_), "MatMatMult");
  }
  void poison() override {
    scalar* c = nullptr;
    check(MatDenseGetArrayWrite(c_, &c), "MatDenseGetArrayWrite");
    std::fill(c, c + problem_.a.rows * problem_.columns, not_a_number<scalar>);
    check(MatDenseRestoreArrayWrite(c_, &c), "MatDenseRestoreArrayWrite");
  }
  void run() override {
    check(MatMatMult(a_->handle, b_, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c_), "MatMatMult");
  }
  using contestant::answer;
  void answer(const dense_answer& out) override {
    const index_t rows = problem_.a.rows, columns = problem_.columns;
    auto* const to = static_cast<scalar*>(out.values);
    const scalar* c = nullptr;
    check(MatDenseGetArrayRead(c_, &c), "MatDenseGetArrayRead");
    for (index_t i = 0; i < rows; ++i) {
      for (index_t j = 0; j < columns; ++j) to[i * columns + j] = c[j * rows + i];
    }
    check(MatDenseRestoreArrayRead(c_, &c), "MatDenseRestoreArrayRead");
  }

 private:
  race_problem problem_;
  std::vector<scalar> b_values_;
  std::unique_ptr<matrix> a_;
  Mat b_ = nullptr, c_ = nullptr;
};

constexpr char sorted[] = "sorted", row_merge[] = "rowmerge";

template <run_mode Mode, const char* Algorithm>
class spgemm : public contestant {
 public:
  explicit spgemm(const race_problem& problem) : problem_(problem) {}
  ~spgemm() override { MatDestroy(&c_); }
  void prepare() override {
    a_ = std::make_unique<matrix>(problem_.a);
    b_ = std::make_unique<matrix>(problem_.b);
    if constexpr (Mode == run_mode::numeric) make_result();
  }
  void run() override {
    if constexpr (Mode == run_mode::whole) {
      forget();
      make_result();
    }
    check(MatProductNumeric(c_), "MatProductNumeric");
  }
  void forget() override {
    if constexpr (Mode == run_mode::whole) check(MatDestroy(&c_), "MatDestroy");
  }
  using contestant::answer;
  void answer(sparse_answer& out) override {
    PetscInt rows = 0;
    const PetscInt *offsets = nullptr, *columns = nullptr;
    PetscBool done = PETSC_FALSE;
    check(MatGetRowIJ(c_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &offsets, &columns, &done),
          "MatGetRowIJ");
    if (done != PETSC_TRUE) throw std::runtime_error("MatGetRowIJ gives no rows of the product");
    const scalar* values = nullptr;
    check(MatSeqAIJGetArrayRead(c_, &values), "MatSeqAIJGetArrayRead");
    hand_out(problem_.a.rows, offsets, columns, values, out);
    check(MatSeqAIJRestoreArrayRead(c_, &values), "MatSeqAIJRestoreArrayRead");
    check(MatRestoreRowIJ(c_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &offsets, &columns, &done),
          "MatRestoreRowIJ");
  }

 private:
  void make_result() {
    check(MatProductCreate(a_->handle, b_->handle, nullptr, &c_), "MatProductCreate");
    check(MatProductSetType(c_, MATPRODUCT_AB), "MatProductSetType");
    check(MatProductSetAlgorithm(c_, Algorithm), "MatProductSetAlgorithm");
    check(MatProductSetFromOptions(c_), "MatProductSetFromOptions");
    check(MatProductSymbolic(c_), "MatProductSymbolic");
  }

  race_problem problem_;
  std::unique_ptr<matrix> a_, b_;
  Mat c_ = nullptr;
};

template <class Contestant>
std::unique_ptr<contestant> make(const race_problem& problem) {
  if (bytes(problem.type) != static_cast<index_t>(sizeof(scalar))) {
    throw std::runtime_error("this PETSc is built for scalars of " +
                             std::to_string(sizeof(scalar)) + " bytes; the problem has " +
                             std::to_string(bytes(problem.type)));
  }
  return std::make_unique<Contestant>(problem);
}

peer describe() {
  static const session running;
  PetscInt major = 0, minor = 0, patch = 0;
  check(PetscGetVersionNumber(&major, &minor, &patch, nullptr), "PetscGetVersionNumber");
  peer petsc{.name = "petsc", .title = "PETSc", .backend = "openmp"};
  petsc.version = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  petsc.entries = {
      {.name = "petsc/aij",
       .product = operation::spmv,
       .how = "MatMult, MATSEQAIJ",
       .threaded = false,
       .make = make<spmv<storage::aij>>},
      {.name = "petsc/sell",
       .product = operation::spmv,
       .how = "MatMult, MATSEQSELL",
       .threaded = false,
       .make = make<spmv<storage::sell>>},
      {.name = "petsc/aij",
       .product = operation::spmm,
       .how = "MatMatMult(MAT_REUSE_MATRIX), MATSEQAIJ times MATSEQDENSE, column-major",
       .threaded = false,
       .make = make<spmm>},
      {.name = "petsc/sorted",
       .product = operation::spgemm,
       .how = "MatProductSymbolic and Numeric, MATSEQAIJ, algorithm sorted (default)",
       .threaded = false,
       .make = make<spgemm<run_mode::whole, sorted>>},
      {.name = "petsc/rowmerge",
       .product = operation::spgemm,
       .how = "MatProductSymbolic and Numeric, MATSEQAIJ, algorithm rowmerge",
       .threaded = false,
       .make = make<spgemm<run_mode::whole, row_merge>>},
      {.name = "petsc/reuse",
       .product = operation::spgemm,
       .how = "MatProductNumeric, MATSEQAIJ, the pattern of C known",
       .threaded = false,
       .mode = run_mode::numeric,
       .make = make<spgemm<run_mode::numeric, row_merge>>}};
  return petsc;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const gossamer::bench::peer petsc = gossamer::bench::describe();
  return petsc;
}
