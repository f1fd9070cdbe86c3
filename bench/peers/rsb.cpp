// librsb: rsb_spmv, rsb_spmm (row-major order) and rsb_spmsp over its recursive blocks.
//
// The matrix is cut into blocks in prepare(), for the problem's number of threads. rsb/default
// takes the cut the library makes by itself, rsb/tuned what rsb_tune_spmm finds for this very
// product within tuning_rounds rounds of tuning_seconds each: the library's manual asks for tuning
// whenever a matrix is used often. rsb_spmsp leaves its result in blocks, too; the conversion to
// CSR is not part of a run. The library's whole state is one per process, and so is its number of
// threads.
//
// Limits, refused with a text: librsb makes no matrix without entries, and rsb_spmsp (1.3.0.2)
// gives up with an internal error on some rectangular problems, about one in four of random ones.
#include <rsb-config.h>
#include <rsb.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "bench/peers/support.hpp"

namespace gossamer::bench {
namespace {

constexpr rsb_int_t tuning_rounds = 1;
constexpr rsb_time_t tuning_seconds = 1.0;

template <class T>
constexpr rsb_type_t type_code = sizeof(T) == 4 ? RSB_NUMERICAL_TYPE_FLOAT
                                                : RSB_NUMERICAL_TYPE_DOUBLE;

void check(rsb_err_t error, const char* call) {
  if (error == RSB_ERR_NO_ERROR) return;
  char text[512] = "";
  rsb_strerror_r(error, text, sizeof text);
  throw std::runtime_error(std::string(call) + " failed: " + text);
}

void use_threads(int threads) {
  const rsb_int_t count = threads;
  check(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &count),
        "rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS)");
}

struct matrix {
  matrix() = default;
  matrix(const matrix&) = delete;
  matrix& operator=(const matrix&) = delete;
  ~matrix() { free(); }
  void free() {
    rsb_mtx_free(handle);
    handle = nullptr;
  }
  rsb_mtx_t* handle = nullptr;
};

template <class T>
void fill(matrix& to, const csr_arrays& from) {
  if (from.nnz() == 0) {
    throw std::runtime_error("librsb makes no matrix without entries from CSR arrays (" +
                             std::to_string(from.rows) + " x " + std::to_string(from.cols) + ")");
  }
  rsb_err_t error = RSB_ERR_NO_ERROR;
  to.handle = rsb_mtx_alloc_from_csr_const(
      from.values, from.offsets, from.columns, static_cast<rsb_nnz_idx_t>(from.nnz()), type_code<T>,
      static_cast<rsb_coo_idx_t>(from.rows), static_cast<rsb_coo_idx_t>(from.cols),
      RSB_DEFAULT_ROW_BLOCKING, RSB_DEFAULT_COL_BLOCKING, RSB_FLAG_NOFLAGS, &error);
  check(error, "rsb_mtx_alloc_from_csr_const");
  if (to.handle == nullptr) throw std::runtime_error("rsb_mtx_alloc_from_csr_const made no matrix");
}

enum class cut { by_itself, tuned };

template <class T, cut Cut>
class dense_product : public dense_contestant<T> {
 public:
  using dense_contestant<T>::dense_contestant;
  void prepare() override {
    use_threads(this->problem_.threads);
    fill<T>(a_, this->problem_.a);
    if constexpr (Cut == cut::tuned) {
      check(rsb_tune_spmm(&a_.handle, nullptr, nullptr, tuning_rounds, tuning_seconds,
                          RSB_TRANSPOSITION_N, &one_, nullptr, columns(),
                          RSB_FLAG_WANT_ROW_MAJOR_ORDER, nullptr, columns(), &zero_, nullptr,
                          columns()),
            "rsb_tune_spmm");
    }
  }
  void run() override {
    use_threads(this->problem_.threads);
    if (this->problem_.product == operation::spmv) {
      check(rsb_spmv(RSB_TRANSPOSITION_N, &one_, a_.handle, this->input(), 1, &zero_,
                     this->output_.data(), 1),
            "rsb_spmv");
    } else {
      check(
          rsb_spmm(RSB_TRANSPOSITION_N, &one_, a_.handle, columns(), RSB_FLAG_WANT_ROW_MAJOR_ORDER,
                   this->input(), columns(), &zero_, this->output_.data(), columns()),
          "rsb_spmm");
    }
  }

 private:
  rsb_coo_idx_t columns() const { return static_cast<rsb_coo_idx_t>(this->problem_.columns); }

  const T one_ = 1, zero_ = 0;
  matrix a_;
};

/// Before it gives up, rsb_spmsp prints to the standard output whatever RSB_IO_WANT_OUTPUT_STREAM
/// says; that would spoil the program's own. Two system calls of a microsecond each.
class silence {
 public:
  silence() {
    std::fflush(stdout);
    if (nowhere >= 0 && before >= 0) dup2(nowhere, STDOUT_FILENO);
  }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;
  ~silence() {
    std::fflush(stdout);
    if (nowhere >= 0 && before >= 0) dup2(before, STDOUT_FILENO);
  }

 private:
  static inline const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  static inline const int before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
};

template <class T>
class spgemm : public contestant {
 public:
  explicit spgemm(const race_problem& problem) : problem_(problem) {}
  void prepare() override {
    use_threads(problem_.threads);
    fill<T>(a_, problem_.a);
    fill<T>(b_, problem_.b);
  }
  void run() override {
    forget();
    use_threads(problem_.threads);
    const T one = 1;
    rsb_err_t error = RSB_ERR_NO_ERROR;
    const silence hush;
    c_.handle = rsb_spmsp(type_code<T>, RSB_TRANSPOSITION_N, &one, a_.handle, RSB_TRANSPOSITION_N,
                          &one, b_.handle, &error);
    check(error, "rsb_spmsp");
    if (c_.handle == nullptr) throw std::runtime_error("rsb_spmsp made no matrix");
  }
  void forget() override { c_.free(); }
  using contestant::answer;
  void answer(sparse_answer& out) override {
    rsb_nnz_idx_t nnz = 0;
    check(rsb_mtx_get_info(c_.handle, RSB_MIF_MATRIX_NNZ__TO__RSB_NNZ_INDEX_T, &nnz),
          "rsb_mtx_get_info");
    std::vector<rsb_nnz_idx_t> offsets(static_cast<std::size_t>(problem_.a.rows) + 1);
    std::vector<rsb_coo_idx_t> columns(static_cast<std::size_t>(nnz));
    std::vector<T> values(static_cast<std::size_t>(nnz));
    check(rsb_mtx_get_csr(type_code<T>, c_.handle, values.data(), offsets.data(), columns.data(),
                          RSB_FLAG_C_INDICES_INTERFACE),
          "rsb_mtx_get_csr");
    hand_out(problem_.a.rows, offsets.data(), columns.data(), values.data(), out);
  }

 private:
  race_problem problem_;
  matrix a_, b_, c_;
};

template <class T>
using by_itself = dense_product<T, cut::by_itself>;
template <class T>
using tuned = dense_product<T, cut::tuned>;

peer describe() {
  check(rsb_lib_init(RSB_NULL_INIT_OPTIONS), "rsb_lib_init");
  peer rsb{.name = "rsb", .title = "librsb", .version = RSB_PACKAGE_VERSION, .backend = "openmp"};
  rsb.entries = {{.name = "rsb/default",
                  .product = operation::spmv,
                  .how = "rsb_spmv, blocks as the library cuts them",
                  .make = make_any<by_itself>},
                 {.name = "rsb/tuned",
                  .product = operation::spmv,
                  .how = "rsb_spmv, blocks tuned by rsb_tune_spmm",
                  .make = make_any<tuned>},
                 {.name = "rsb/default",
                  .product = operation::spmm,
                  .how = "rsb_spmm, row-major, blocks as the library cuts them",
                  .make = make_any<by_itself>},
                 {.name = "rsb/tuned",
                  .product = operation::spmm,
                  .how = "rsb_spmm, row-major, blocks tuned by rsb_tune_spmm",
                  .make = make_any<tuned>},
                 {.name = "rsb/default",
                  .product = operation::spgemm,
                  .how = "rsb_spmsp, the result stays in blocks",
                  .make = make_any<spgemm>}};
  return rsb;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const gossamer::bench::peer rsb = gossamer::bench::describe();
  return rsb;
}
