// Eigen: y.noalias() = A x, C.noalias() = A B, C = A B over maps of the given arrays, nothing
// copied.
//
// A is row-major because only then Eigen shares the dense products among OpenMP threads (its
// manual, "Eigen and multi-threading"); below 20000 multiplications it stays on one thread by
// itself. The sparse product is serial; it computes rows unsorted and sorts them by transposing
// twice, which is what `C = A * B` means in Eigen: there is no public way to ask for the unsorted
// result. Storage indices are int, so a result of 2^31 nonzeros or more is refused
// (std::bad_alloc).
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>

#include "bench/peers/support.hpp"

namespace gossamer::bench {
namespace {

template <class T>
using sparse = Eigen::SparseMatrix<T, Eigen::RowMajor, int>;
template <class T>
using dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
Eigen::Map<const sparse<T>> map(const csr_arrays& m) {
  return {m.rows, m.cols, m.nnz(), m.offsets, m.columns, values_of<T>(m)};
}

template <class T>
class spmv : public dense_contestant<T> {
 public:
  using dense_contestant<T>::dense_contestant;
  void run() override {
    Eigen::setNbThreads(this->problem_.threads);
    const csr_arrays& a = this->problem_.a;
    Eigen::Map<vector<T>> y(this->output_.data(), a.rows);
    y.noalias() = map<T>(a) * Eigen::Map<const vector<T>>(this->input(), a.cols);
  }
};

template <class T>
class spmm : public dense_contestant<T> {
 public:
  using dense_contestant<T>::dense_contestant;
  void run() override {
    Eigen::setNbThreads(this->problem_.threads);
    const csr_arrays& a = this->problem_.a;
    const index_t columns = this->problem_.columns;
    Eigen::Map<dense<T>> c(this->output_.data(), a.rows, columns);
    c.noalias() = map<T>(a) * Eigen::Map<const dense<T>>(this->input(), a.cols, columns);
  }
};

template <class T>
class spgemm : public contestant {
 public:
  explicit spgemm(const race_problem& problem) : problem_(problem) {}
  void run() override {
    result_.emplace();
    *result_ = map<T>(problem_.a) * map<T>(problem_.b);
  }
  void forget() override { result_.reset(); }
  using contestant::answer;
  void answer(sparse_answer& out) override {
    result_.value().makeCompressed();
    hand_out(result_->rows(), result_->outerIndexPtr(), result_->innerIndexPtr(),
             result_->valuePtr(), out);
  }

 private:
  race_problem problem_;
  std::optional<sparse<T>> result_;
};

peer describe() {
  peer eigen{.name = "eigen", .title = "Eigen", .backend = "openmp"};
  eigen.version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) +
                  "." + std::to_string(EIGEN_MINOR_VERSION);
  eigen.entries = {{.name = "eigen/rowmajor",
                    .product = operation::spmv,
                    .how = "y.noalias() = A * x, Map<SparseMatrix<T, RowMajor>>",
                    .make = make_any<spmv>},
                   {.name = "eigen/rowmajor",
                    .product = operation::spmm,
                    .how = "C.noalias() = A * B, Map<SparseMatrix<T, RowMajor>>, B and C RowMajor",
                    .make = make_any<spmm>},
                   {.name = "eigen/rowmajor",
                    .product = operation::spgemm,
                    .how = "C = A * B, Map<SparseMatrix<T, RowMajor>>",
                    .threaded = false,
                    .make = make_any<spgemm>}};
  return eigen;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const gossamer::bench::peer eigen = gossamer::bench::describe();
  return eigen;
}
