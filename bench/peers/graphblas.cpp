// SuiteSparse:GraphBLAS: GrB_mxv and GrB_mxm over the conventional semiring, matrices held by row.
//
// Dense operands are full, not sparse. C and y are filled with an iso-valued zero (one number,
// O(1)) and then accumulated into, as the user guide and LAGraph do for their dense iterations: the
// library then writes a full result in place (its dot4 and saxpy5 methods). The plain call is kept
// as an entry of its own, because it has to build the pattern of the result, too. Sparse results:
// the library leaves columns unsorted ("jumbled") until somebody needs them sorted;
// graphblas/sorted waits for that (GrB_MATERIALIZE), graphblas/jumbled does not. Indices are 64
// bit, so the operands are copied once, in prepare(). The library decides by itself how many of the
// allowed threads a problem is worth.
#include <complex>
#include <cstdlib>

extern "C" {  // the header of version 7 leaves this to whoever is not C
#include <GraphBLAS.h>
}

#include <stdexcept>
#include <string>

#include "support.hpp"

namespace gossamer::bench {
namespace {

template <class T>
struct names;
template <>
struct names<float> {
  static GrB_Type type() { return GrB_FP32; }
  static GrB_Semiring semiring() { return GrB_PLUS_TIMES_SEMIRING_FP32; }
  static GrB_BinaryOp plus() { return GrB_PLUS_FP32; }
  static constexpr auto assign_vector = GrB_Vector_assign_FP32;
  static constexpr auto assign_matrix = GrB_Matrix_assign_FP32;
  static constexpr auto vector_tuples = GrB_Vector_extractTuples_FP32;
  static constexpr auto matrix_tuples = GrB_Matrix_extractTuples_FP32;
};
template <>
struct names<double> {
  static GrB_Type type() { return GrB_FP64; }
  static GrB_Semiring semiring() { return GrB_PLUS_TIMES_SEMIRING_FP64; }
  static GrB_BinaryOp plus() { return GrB_PLUS_FP64; }
  static constexpr auto assign_vector = GrB_Vector_assign_FP64;
  static constexpr auto assign_matrix = GrB_Matrix_assign_FP64;
  static constexpr auto vector_tuples = GrB_Vector_extractTuples_FP64;
  static constexpr auto matrix_tuples = GrB_Matrix_extractTuples_FP64;
};

[[noreturn]] void fail(GrB_Info info, const char* call, const char* text) {
  const std::string said = text != nullptr && *text != 0 ? text : "no text";
  throw std::runtime_error(std::string(call) + " failed (GrB_Info " + std::to_string(info) +
                           "): " + said);
}

void check(GrB_Info info, const char* call, GrB_Matrix output) {
  if (info >= 0) return;
  const char* text = nullptr;
  if (output != nullptr) GrB_Matrix_error(&text, output);
  fail(info, call, text);
}

void check(GrB_Info info, const char* call, GrB_Vector output) {
  if (info >= 0) return;
  const char* text = nullptr;
  if (output != nullptr) GrB_Vector_error(&text, output);
  fail(info, call, text);
}

/// Memory that GraphBLAS takes over: it frees it with free().
template <class To, class From>
To* copy_for_library(const From* from, index_t count) {
  auto* const copy = static_cast<To*>(
      std::malloc(std::max<std::size_t>(1, static_cast<std::size_t>(count)) * sizeof(To)));
  if (copy == nullptr) throw std::bad_alloc();
  std::copy(from, from + count, copy);
  return copy;
}

struct matrix {
  matrix() = default;
  matrix(const matrix&) = delete;
  matrix& operator=(const matrix&) = delete;
  ~matrix() { GrB_Matrix_free(&handle); }
  void create(GrB_Type type, index_t rows, index_t cols) {
    check(GrB_Matrix_new(&handle, type, static_cast<GrB_Index>(rows), static_cast<GrB_Index>(cols)),
          "GrB_Matrix_new", handle);
  }
  GrB_Matrix handle = nullptr;
};

struct vector {
  vector() = default;
  vector(const vector&) = delete;
  vector& operator=(const vector&) = delete;
  ~vector() { GrB_Vector_free(&handle); }
  void create(GrB_Type type, index_t size) {
    check(GrB_Vector_new(&handle, type, static_cast<GrB_Index>(size)), "GrB_Vector_new", handle);
  }
  GrB_Vector handle = nullptr;
};

template <class T>
void fill_csr(matrix& to, const csr_arrays& from) {
  to.create(names<T>::type(), from.rows, from.cols);
  const index_t nnz = from.nnz();
  auto* offsets = copy_for_library<GrB_Index>(from.offsets, from.rows + 1);
  auto* columns = copy_for_library<GrB_Index>(from.columns, nnz);
  void* values = copy_for_library<T>(values_of<T>(from), nnz);
  const auto entries = std::max<GrB_Index>(1, static_cast<GrB_Index>(nnz));
  check(
      GxB_Matrix_pack_CSR(to.handle, &offsets, &columns, &values,
                          static_cast<GrB_Index>(from.rows + 1) * sizeof(GrB_Index),
                          entries * sizeof(GrB_Index), entries * sizeof(T), false, false, nullptr),
      "GxB_Matrix_pack_CSR", to.handle);
}

void use_threads(int threads) {
  const GrB_Info info = GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
  if (info < 0) fail(info, "GxB_Global_Option_set(GxB_GLOBAL_NTHREADS)", nullptr);
}

enum class output { replaced, accumulated };

template <class T, output Output>
class spmv : public contestant {
 public:
  explicit spmv(const race_problem& problem) : problem_(problem) {}
  void prepare() override {
    use_threads(problem_.threads);
    fill_csr<T>(a_, problem_.a);
    x_.create(names<T>::type(), problem_.a.cols);
    const index_t size = problem_.a.cols;
    void* values = copy_for_library<T>(static_cast<const T*>(problem_.x), size);
    check(GxB_Vector_pack_Full(x_.handle, &values,
                               std::max<GrB_Index>(1, static_cast<GrB_Index>(size)) * sizeof(T),
                               false, nullptr),
          "GxB_Vector_pack_Full", x_.handle);
    y_.create(names<T>::type(), problem_.a.rows);
  }
  void poison() override { fill(not_a_number<T>); }
  void run() override {
    use_threads(problem_.threads);
    GrB_BinaryOp accumulate = nullptr;
    if constexpr (Output == output::accumulated) {
      fill(T{0});
      accumulate = names<T>::plus();
    }
    check(GrB_mxv(y_.handle, nullptr, accumulate, names<T>::semiring(), a_.handle, x_.handle,
                  nullptr),
          "GrB_mxv", y_.handle);
    check(GrB_Vector_wait(y_.handle, GrB_MATERIALIZE), "GrB_Vector_wait", y_.handle);
  }
  using contestant::answer;
  void answer(const dense_answer& out) override {
    const auto rows = static_cast<std::size_t>(problem_.a.rows);
    std::vector<GrB_Index> at(rows);
    std::vector<T> values(rows);
    GrB_Index count = rows;
    check(names<T>::vector_tuples(at.data(), values.data(), &count, y_.handle),
          "GrB_Vector_extractTuples", y_.handle);
    auto* const y = static_cast<T*>(out.values);
    std::fill(y, y + rows, T{0});
    for (GrB_Index k = 0; k < count; ++k) y[at[k]] = values[k];
  }

 private:
  void fill(T value) {
    check(names<T>::assign_vector(y_.handle, nullptr, nullptr, value, GrB_ALL,
                                  static_cast<GrB_Index>(problem_.a.rows), nullptr),
          "GrB_Vector_assign", y_.handle);
  }

  race_problem problem_;
  matrix a_;
  vector x_, y_;
};

template <class T, output Output>
class spmm : public contestant {
 public:
  explicit spmm(const race_problem& problem) : problem_(problem) {}
  void prepare() override {
    use_threads(problem_.threads);
    fill_csr<T>(a_, problem_.a);
    b_.create(names<T>::type(), problem_.a.cols, problem_.columns);
    const index_t size = problem_.a.cols * problem_.columns;
    void* values = copy_for_library<T>(static_cast<const T*>(problem_.x), size);
    check(GxB_Matrix_pack_FullR(b_.handle, &values,
                                std::max<GrB_Index>(1, static_cast<GrB_Index>(size)) * sizeof(T),
                                false, nullptr),
          "GxB_Matrix_pack_FullR", b_.handle);
    c_.create(names<T>::type(), problem_.a.rows, problem_.columns);
  }
  void poison() override { fill(not_a_number<T>); }
  void run() override {
    use_threads(problem_.threads);
    GrB_BinaryOp accumulate = nullptr;
    if constexpr (Output == output::accumulated) {
      fill(T{0});
      accumulate = names<T>::plus();
    }
    check(GrB_mxm(c_.handle, nullptr, accumulate, names<T>::semiring(), a_.handle, b_.handle,
                  nullptr),
          "GrB_mxm", c_.handle);
    check(GrB_Matrix_wait(c_.handle, GrB_MATERIALIZE), "GrB_Matrix_wait", c_.handle);
  }
  using contestant::answer;
  void answer(const dense_answer& out) override {
    const auto size = static_cast<std::size_t>(problem_.a.rows * problem_.columns);
    std::vector<GrB_Index> rows(size), columns(size);
    std::vector<T> values(size);
    GrB_Index count = size;
    check(names<T>::matrix_tuples(rows.data(), columns.data(), values.data(), &count, c_.handle),
          "GrB_Matrix_extractTuples", c_.handle);
    auto* const c = static_cast<T*>(out.values);
    std::fill(c, c + size, T{0});
    for (GrB_Index k = 0; k < count; ++k) {
      c[rows[k] * static_cast<GrB_Index>(problem_.columns) + columns[k]] = values[k];
    }
  }

 private:
  void fill(T value) {
    check(names<T>::assign_matrix(c_.handle, nullptr, nullptr, value, GrB_ALL,
                                  static_cast<GrB_Index>(problem_.a.rows), GrB_ALL,
                                  static_cast<GrB_Index>(problem_.columns), nullptr),
          "GrB_Matrix_assign", c_.handle);
  }

  race_problem problem_;
  matrix a_, b_, c_;
};

enum class order { sorted, jumbled };

template <class T, order Order>
class spgemm : public contestant {
 public:
  explicit spgemm(const race_problem& problem) : problem_(problem) {}
  void prepare() override {
    fill_csr<T>(a_, problem_.a);
    fill_csr<T>(b_, problem_.b);
  }
  void run() override {
    forget();
    use_threads(problem_.threads);
    c_.create(names<T>::type(), problem_.a.rows, problem_.b.cols);
    check(GrB_mxm(c_.handle, nullptr, nullptr, names<T>::semiring(), a_.handle, b_.handle, nullptr),
          "GrB_mxm", c_.handle);
    if constexpr (Order == order::sorted) {
      check(GrB_Matrix_wait(c_.handle, GrB_MATERIALIZE), "GrB_Matrix_wait", c_.handle);
    }
  }
  void forget() override { GrB_Matrix_free(&c_.handle); }
  using contestant::answer;
  void answer(sparse_answer& out) override {
    GrB_Index *offsets = nullptr, *columns = nullptr;
    void* values = nullptr;
    GrB_Index sizes[3];
    bool iso = false, jumbled = false;
    bool* const keep = Order == order::jumbled ? &jumbled : nullptr;  // null: sorted on the way out
    // The library may hold one number for all entries; a dense copy of it must not.
    check(GxB_Matrix_unpack_CSR(c_.handle, &offsets, &columns, &values, &sizes[0], &sizes[1],
                                &sizes[2], &iso, keep, nullptr),
          "GxB_Matrix_unpack_CSR", c_.handle);
    const std::vector<T> same(iso ? offsets[problem_.a.rows] : 0,
                              iso ? *static_cast<T*>(values) : T{});
    hand_out(problem_.a.rows, offsets, columns, iso ? same.data() : static_cast<T*>(values), out);
    check(GxB_Matrix_pack_CSR(c_.handle, &offsets, &columns, &values, sizes[0], sizes[1], sizes[2],
                              iso, jumbled, nullptr),
          "GxB_Matrix_pack_CSR", c_.handle);
  }

 private:
  race_problem problem_;
  matrix a_, b_, c_;
};

template <class T>
using spmv_plain = spmv<T, output::replaced>;
template <class T>
using spmv_accumulated = spmv<T, output::accumulated>;
template <class T>
using spmm_plain = spmm<T, output::replaced>;
template <class T>
using spmm_accumulated = spmm<T, output::accumulated>;
template <class T>
using spgemm_sorted = spgemm<T, order::sorted>;
template <class T>
using spgemm_jumbled = spgemm<T, order::jumbled>;

peer describe() {
  const GrB_Info info = GrB_init(GrB_NONBLOCKING);
  if (info < 0) fail(info, "GrB_init", nullptr);
  int version[3] = {0, 0, 0};
  GxB_Global_Option_get(GxB_LIBRARY_VERSION, version);
  peer graphblas{.name = "graphblas", .title = "SuiteSparse:GraphBLAS", .backend = "openmp"};
  graphblas.version = std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
                      std::to_string(version[2]);
  graphblas.entries = {{.name = "graphblas/plain",
                        .product = operation::spmv,
                        .how = "GrB_mxv(y, PLUS_TIMES, A by row, x full)",
                        .make = make_any<spmv_plain>},
                       {.name = "graphblas/accumulate",
                        .product = operation::spmv,
                        .how = "y = 0 (iso), GrB_mxv(y += PLUS_TIMES, A by row, x full)",
                        .make = make_any<spmv_accumulated>},
                       {.name = "graphblas/plain",
                        .product = operation::spmm,
                        .how = "GrB_mxm(C, PLUS_TIMES, A by row, B full by row)",
                        .make = make_any<spmm_plain>},
                       {.name = "graphblas/accumulate",
                        .product = operation::spmm,
                        .how = "C = 0 (iso), GrB_mxm(C += PLUS_TIMES, A by row, B full by row)",
                        .make = make_any<spmm_accumulated>},
                       {.name = "graphblas/sorted",
                        .product = operation::spgemm,
                        .how = "GrB_mxm(C, PLUS_TIMES, A, B), GrB_Matrix_wait(GrB_MATERIALIZE)",
                        .make = make_any<spgemm_sorted>},
                       {.name = "graphblas/jumbled",
                        .product = operation::spgemm,
                        .how = "GrB_mxm(C, PLUS_TIMES, A, B), the sort left undone",
                        .sorted = false,
                        .make = make_any<spgemm_jumbled>}};
  return graphblas;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const gossamer::bench::peer graphblas = gossamer::bench::describe();
  return graphblas;
}
