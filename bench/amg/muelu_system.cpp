// Trilinos' MueLu on Tpetra matrices, with its defaults (smoothed aggregation, symmetric
// Gauss-Seidel) and in conjugate gradients on Tpetra's vectors.
#include "bench/amg/muelu_system.hpp"

#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <algorithm>
#include <cmath>

namespace gossamer::bench {
namespace {

using global = long long;
using matrix = Tpetra::CrsMatrix<double, int, global>;
using node = matrix::node_type;
using vectors = Tpetra::MultiVector<double, int, global, node>;
using operators = Tpetra::Operator<double, int, global, node>;
using row_map = Tpetra::Map<int, global, node>;

class tpetra_system : public muelu_system {
 public:
  void load(int rows, const long long* offsets, const long long* columns,
            const double* values) override {
    static int none = 0;
    static char** words = nullptr;
    static Tpetra::ScopeGuard once(&none, &words);
    const auto map =
        Teuchos::rcp(new row_map(static_cast<std::size_t>(rows), 0, Tpetra::getDefaultComm()));
    long long widest = 0;
    for (int i = 0; i < rows; ++i) widest = std::max(widest, offsets[i + 1] - offsets[i]);
    a_ = Teuchos::rcp(new matrix(map, static_cast<std::size_t>(widest)));
    for (int i = 0; i < rows; ++i) {
      const auto count = static_cast<int>(offsets[i + 1] - offsets[i]);
      a_->insertGlobalValues(i, Teuchos::ArrayView<const global>(columns + offsets[i], count),
                             Teuchos::ArrayView<const double>(values + offsets[i], count));
    }
    a_->fillComplete();
    for (auto* v : {&b_, &x_, &r_, &z_, &p_, &q_}) *v = Teuchos::rcp(new vectors(map, 1));
  }
  void setup() override {
    levels_ = Teuchos::null;
    Teuchos::ParameterList how;
    how.set("verbosity", "none");
    levels_ = MueLu::CreateTpetraPreconditioner(Teuchos::rcp_implicit_cast<operators>(a_), how);
  }
  void load_right_side(const double* b) override {
    auto into = b_->getDataNonConst(0);
    std::copy(b, b + into.size(), into.begin());
  }
  int solve(double tolerance) override {
    x_->putScalar(0);
    Tpetra::deep_copy(*r_, *b_);
    const double limit = tolerance * norm(*b_);
    double before = 0;
    int iterations = 0;
    while (iterations < 500 && norm(*r_) > limit) {
      levels_->apply(*r_, *z_);
      const double rz = dot(*r_, *z_);
      p_->update(1.0, *z_, iterations == 0 ? 0.0 : rz / before);
      before = rz;
      a_->apply(*p_, *q_);
      const double alpha = rz / dot(*p_, *q_);
      x_->update(alpha, *p_, 1.0);
      r_->update(-alpha, *q_, 1.0);
      ++iterations;
    }
    return iterations;
  }
  double operator_complexity() override { return levels_->GetHierarchy()->GetOperatorComplexity(); }
  void fetch(double* x) override {
    const auto from = x_->getData(0);
    std::copy(from.begin(), from.end(), x);
  }

 private:
  static double norm(const vectors& v) {
    Teuchos::Array<double> found(1);
    v.norm2(found());
    return found[0];
  }
  static double dot(const vectors& l, const vectors& r) {
    Teuchos::Array<double> found(1);
    l.dot(r, found());
    return found[0];
  }
  Teuchos::RCP<matrix> a_;
  Teuchos::RCP<MueLu::TpetraOperator<double, int, global, node>> levels_;
  Teuchos::RCP<vectors> b_, x_, r_, z_, p_, q_;
};

}  // namespace

std::unique_ptr<muelu_system> make_muelu_system() { return std::make_unique<tpetra_system>(); }

}  // namespace gossamer::bench
