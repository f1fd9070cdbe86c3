// PETSc's own GAMG and, where PETSc was built with them, hypre's BoomerAMG and Trilinos' ML.
// Defaults, and for hypre also what its manual recommends for problems in space: HMIS, extended+i
// interpolation with at most four nonzeros a row, threshold 0.5. Norms are those of b - A x.
#include <petscksp.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "bench/amg/solver.hpp"

namespace gossamer::bench {
namespace {

void check(PetscErrorCode code) {
  if (code != 0) throw std::runtime_error("PETSc failed: " + std::to_string(code));
}

class session {
 public:
  session() {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("OMPI_MCA_btl", "self", 0);
    check(PetscInitializeNoArguments());
  }
  ~session() { PetscFinalize(); }
};
void open_session() { static const session once; }

struct preconditioner {
  std::string name, type, options;
};

class petsc_solver : public amg_solver {
 public:
  explicit petsc_solver(preconditioner by) : by_(std::move(by)) {}
  ~petsc_solver() override {
    KSPDestroy(&ksp_);
    MatDestroy(&a_);
    VecDestroy(&b_);
    VecDestroy(&x_);
  }
  std::string name() const override { return by_.name; }
  std::string version() const override {
    char text[256];
    PetscGetVersion(text, sizeof text);
    return text;
  }
  void load(const csr_matrix<double>& a) override {
    open_session();
    check(PetscOptionsInsertString(nullptr, by_.options.c_str()));
    n_ = static_cast<PetscInt>(a.rows());
    const auto offsets = a.row_offsets(), columns = a.column_indices();
    for (index_t i = 0; i <= a.rows(); ++i) offsets_.push_back(static_cast<PetscInt>(offsets[i]));
    for (index_t p = 0; p < a.nnz(); ++p) columns_.push_back(static_cast<PetscInt>(columns[p]));
    values_.assign(a.values().begin(), a.values().end());
    check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n_, n_, offsets_.data(), columns_.data(),
                                    values_.data(), &a_));
    check(MatSetOption(a_, MAT_SPD, PETSC_TRUE));
    check(MatCreateVecs(a_, &x_, &b_));
  }
  void setup() override {
    check(KSPDestroy(&ksp_));
    check(KSPCreate(PETSC_COMM_SELF, &ksp_));
    check(KSPSetOptionsPrefix(ksp_, prefix().c_str()));
    check(KSPSetType(ksp_, KSPCG));
    check(KSPSetNormType(ksp_, KSP_NORM_UNPRECONDITIONED));
    check(KSPSetOperators(ksp_, a_, a_));
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc));
    check(PCSetType(pc, by_.type.c_str()));
    check(KSPSetFromOptions(ksp_));
    check(KSPSetUp(ksp_));
    check(PCSetUp(pc));
  }
  bool setup_again() override {
    if (by_.type != "gamg") return false;
    PetscScalar* values = nullptr;  // whoever had the array may have changed it
    check(MatSeqAIJGetArray(a_, &values));
    check(MatSeqAIJRestoreArray(a_, &values));
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc));
    check(PCGAMGSetReuseInterpolation(pc, PETSC_TRUE));
    check(KSPSetOperators(ksp_, a_, a_));
    check(KSPSetUp(ksp_));
    check(PCSetUp(pc));
    return true;
  }
  void load_right_side(std::span<const double> b) override {
    double* into = nullptr;
    check(VecGetArray(b_, &into));
    std::copy(b.begin(), b.end(), into);
    check(VecRestoreArray(b_, &into));
  }
  solver_run solve(double tolerance) override {
    check(VecSet(x_, 0));
    check(KSPSetTolerances(ksp_, tolerance, 0, PETSC_DEFAULT, 500));
    check(KSPSolve(ksp_, b_, x_));
    PetscInt iterations = 0;
    check(KSPGetIterationNumber(ksp_, &iterations));
    solver_run run{iterations, 0};
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc));
    PetscBool levels = PETSC_FALSE;
    check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(pc), &levels, PCGAMG, PCML, ""));
    if (levels) {
      PetscReal grid = 0, operators = 0;
      check(PCMGGetGridComplexity(pc, &grid, &operators));
      run.operator_complexity = operators;
    }
    return run;
  }
  void fetch(std::span<double> x) override {
    const double* from = nullptr;
    check(VecGetArrayRead(x_, &from));
    std::copy(from, from + n_, x.begin());
    check(VecRestoreArrayRead(x_, &from));
  }

 private:
  std::string prefix() const {
    std::string word = by_.name + "_";
    for (char& c : word)
      if (c == '/' || c == '-') c = '_';
    return word;
  }
  preconditioner by_;
  PetscInt n_ = 0;
  std::vector<PetscInt> offsets_, columns_;
  std::vector<PetscScalar> values_;
  KSP ksp_ = nullptr;
  Mat a_ = nullptr;
  Vec b_ = nullptr, x_ = nullptr;
};

}  // namespace

std::vector<std::unique_ptr<amg_solver>> petsc_solvers() {
  open_session();
  std::vector<preconditioner> offered{
      {"petsc/gamg", "gamg", ""},
      {"hypre/default", "hypre", "-hypre_default_pc_hypre_type boomeramg"},
      {"hypre/space", "hypre",
       "-hypre_space_pc_hypre_type boomeramg -hypre_space_pc_hypre_boomeramg_coarsen_type HMIS "
       "-hypre_space_pc_hypre_boomeramg_interp_type ext+i -hypre_space_pc_hypre_boomeramg_P_max 4 "
       "-hypre_space_pc_hypre_boomeramg_strong_threshold 0.5"},
      {"trilinos/ml", "ml", ""}};
  std::vector<std::unique_ptr<amg_solver>> found;
  for (auto& one : offered) {
    PetscErrorCode (*create)(PC) = nullptr;
    PC probe = nullptr;
    check(PCCreate(PETSC_COMM_SELF, &probe));
    PetscFunctionListFind(PCList, one.type.c_str(), &create);
    check(PCDestroy(&probe));
    if (create) found.push_back(std::make_unique<petsc_solver>(std::move(one)));
  }
  return found;
}

}  // namespace gossamer::bench
