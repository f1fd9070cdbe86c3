// Kokkos Kernels: KokkosSparse::spmv for vectors and multivectors, spgemm_symbolic and _numeric.
//
// Everything runs on the default host space of the Kokkos that was found: OpenMP where it has it,
// otherwise one thread (Debian's build). Operands are views of the given arrays, nothing copied;
// dense matrices are LayoutRight, which is row-major. SpGEMM is SPGEMM_KK, which picks between the
// hash and the dense accumulator by itself (the default for a serial space, SPGEMM_SERIAL, is meant
// for debugging). It leaves rows unsorted; kokkos/sorted sorts them with sort_crs_matrix.
// kokkos/reuse repeats the numeric half. Offsets are int: results of 2^31 nonzeros or more are
// beyond it. Kokkos takes its number of threads once per process; with an OpenMP build, problems
// with another number are refused.
#include <KokkosKernels_Handle.hpp>
#include <KokkosKernels_SparseUtils.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spgemm.hpp>
#include <KokkosSparse_spmv.hpp>
#include <Kokkos_Core.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bench/peers/support.hpp"

namespace gossamer::bench {
namespace {

using space = Kokkos::DefaultHostExecutionSpace;
using device = Kokkos::Device<space, Kokkos::HostSpace>;
constexpr bool threaded = !std::is_same_v<space, Kokkos::Serial>;

template <class T>
using vector = Kokkos::View<T*, Kokkos::LayoutRight, device>;
template <class T>
using multivector = Kokkos::View<T**, Kokkos::LayoutRight, device>;
template <class T>
using matrix = KokkosSparse::CrsMatrix<T, int, device, void, int>;

void start(int threads) {
  static const int started = [threads] {
    Kokkos::InitArguments arguments;
    arguments.num_threads = threaded ? threads : 1;
    arguments.disable_warnings = true;
    Kokkos::initialize(arguments);
    return threads;
  }();
  if (threaded && threads != started) {
    throw std::runtime_error("Kokkos runs with " + std::to_string(started) +
                             " threads in this process and cannot change to " +
                             std::to_string(threads) + "; race them in another process");
  }
}

/// Kokkos wants its index arrays writable and writes to none of them.
template <class T>
vector<T> view(const T* values, index_t size) {
  return vector<T>(const_cast<T*>(values), static_cast<std::size_t>(size));
}

template <class T>
struct operand {
  explicit operand(const csr_arrays& from)
      : offsets(view(from.offsets, from.rows + 1)),
        columns(view(from.columns, from.nnz())),
        values(view(values_of<T>(from), from.nnz())) {}
  vector<int> offsets, columns;
  vector<T> values;
};

template <class T>
matrix<T> as_matrix(const csr_arrays& from) {
  const operand<T> parts(from);
  return matrix<T>("A", static_cast<int>(from.rows), static_cast<int>(from.cols),
                   static_cast<int>(from.nnz()), parts.values, parts.offsets, parts.columns);
}

template <class T>
class spmv : public dense_contestant<T> {
 public:
  explicit spmv(const race_problem& problem) : dense_contestant<T>(problem) {
    start(problem.threads);
    a_ = as_matrix<T>(problem.a);
    x_ = view(this->input(), problem.a.cols);
    y_ = view(this->output_.data(), problem.a.rows);
  }
  void run() override {
    KokkosSparse::spmv("N", T{1}, a_, x_, T{0}, y_);
    space().fence();
  }

 private:
  matrix<T> a_;
  vector<const T> x_;
  vector<T> y_;
};

template <class T>
class spmm : public dense_contestant<T> {
 public:
  explicit spmm(const race_problem& problem) : dense_contestant<T>(problem) {
    start(problem.threads);
    const auto rows = static_cast<std::size_t>(problem.a.rows),
               inner = static_cast<std::size_t>(problem.a.cols),
               columns = static_cast<std::size_t>(problem.columns);
    a_ = as_matrix<T>(problem.a);
    b_ = multivector<const T>(this->input(), inner, columns);
    c_ = multivector<T>(this->output_.data(), rows, columns);
  }
  void run() override {
    KokkosSparse::spmv("N", T{1}, a_, b_, T{0}, c_);
    space().fence();
  }

 private:
  matrix<T> a_;
  multivector<const T> b_;
  multivector<T> c_;
};

enum class order { unsorted, sorted };

template <class T, order Order, run_mode Mode>
class spgemm : public contestant {
 public:
  explicit spgemm(const race_problem& problem) : problem_(problem) {
    start(problem.threads);
    a_.emplace(problem.a);
    b_.emplace(problem.b);
  }
  void prepare() override {
    if constexpr (Mode == run_mode::numeric) symbolic();
  }
  void run() override {
    if constexpr (Mode == run_mode::whole) symbolic();
    KokkosSparse::Experimental::spgemm_numeric(
        &*handle_, rows(), inner(), columns(), a_->offsets, a_->columns, a_->values, false,
        b_->offsets, b_->columns, b_->values, false, offsets_, columns_, values_);
    if constexpr (Order == order::sorted) {
      KokkosKernels::Impl::sort_crs_matrix<space, vector<int>, vector<int>, vector<T>>(
          offsets_, columns_, values_);
    }
    space().fence();
    if constexpr (Mode == run_mode::whole) release();
  }
  void forget() override {
    if constexpr (Mode == run_mode::whole) {
      offsets_ = columns_ = {};
      values_ = {};
    }
  }
  ~spgemm() override { release(); }
  using contestant::answer;
  void answer(sparse_answer& out) override {
    hand_out(problem_.a.rows, offsets_.data(), columns_.data(), values_.data(), out);
  }

 private:
  using handle =
      KokkosKernels::Experimental::KokkosKernelsHandle<int, int, T, space, Kokkos::HostSpace,
                                                       Kokkos::HostSpace>;
  int rows() const { return static_cast<int>(problem_.a.rows); }
  int inner() const { return static_cast<int>(problem_.a.cols); }
  int columns() const { return static_cast<int>(problem_.b.cols); }

  void symbolic() {
    release();
    handle_.emplace();
    handle_->create_spgemm_handle(KokkosSparse::SPGEMM_KK);
    offsets_ = vector<int>("offsets", static_cast<std::size_t>(rows()) + 1);
    KokkosSparse::Experimental::spgemm_symbolic(&*handle_, rows(), inner(), columns(), a_->offsets,
                                                a_->columns, false, b_->offsets, b_->columns, false,
                                                offsets_);
    const auto nnz = static_cast<std::size_t>(handle_->get_spgemm_handle()->get_c_nnz());
    columns_ = vector<int>(Kokkos::ViewAllocateWithoutInitializing("columns"), nnz);
    values_ = vector<T>(Kokkos::ViewAllocateWithoutInitializing("values"), nnz);
  }
  void release() {
    if (handle_) handle_->destroy_spgemm_handle();
    handle_.reset();
  }

  race_problem problem_;
  std::optional<operand<T>> a_, b_;
  std::optional<handle> handle_;
  vector<int> offsets_, columns_;
  vector<T> values_;
};

template <class T>
using spgemm_unsorted = spgemm<T, order::unsorted, run_mode::whole>;
template <class T>
using spgemm_sorted = spgemm<T, order::sorted, run_mode::whole>;
template <class T>
using spgemm_reuse = spgemm<T, order::unsorted, run_mode::numeric>;

peer describe() {
  peer kokkos{.name = "kokkos", .title = "Kokkos Kernels", .backend = "openmp"};
  kokkos.version = GOSSAMER_PEER_KOKKOS;
  kokkos.entries = {{.name = "kokkos/csr",
                     .product = operation::spmv,
                     .how = "KokkosSparse::spmv, CrsMatrix",
                     .threaded = threaded,
                     .make = make_any<spmv>},
                    {.name = "kokkos/csr",
                     .product = operation::spmm,
                     .how = "KokkosSparse::spmv, CrsMatrix, multivectors in LayoutRight",
                     .threaded = threaded,
                     .make = make_any<spmm>},
                    {.name = "kokkos/unsorted",
                     .product = operation::spgemm,
                     .how = "spgemm_symbolic, spgemm_numeric, SPGEMM_KK",
                     .sorted = false,
                     .threaded = threaded,
                     .make = make_any<spgemm_unsorted>},
                    {.name = "kokkos/sorted",
                     .product = operation::spgemm,
                     .how = "spgemm_symbolic, spgemm_numeric, SPGEMM_KK, sort_crs_matrix",
                     .threaded = threaded,
                     .make = make_any<spgemm_sorted>},
                    {.name = "kokkos/reuse",
                     .product = operation::spgemm,
                     .how = "spgemm_numeric, SPGEMM_KK, the pattern of C known",
                     .sorted = false,
                     .threaded = threaded,
                     .mode = run_mode::numeric,
                     .make = make_any<spgemm_reuse>}};
  return kokkos;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const gossamer::bench::peer kokkos = gossamer::bench::describe();
  return kokkos;
}
