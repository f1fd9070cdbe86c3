// SuiteSparse:GraphBLAS: GrB_mxv and GrB_mxm over the conventional semiring, matrices held by row.
//
// Dense operands are full. The dense result is zeroed, handed to the library in O(1) (pack), added
// to (C += A B, which it computes in place when C is full: its dot4 and saxpy5 methods), and taken
// back in O(1) (unpack). A plain C = A B takes twice as long on large results: the library
// allocates C anew and builds a pattern for it; assigning zero instead makes C iso-valued, which it
// has to expand into new memory, too. Sparse results: the library leaves columns unsorted
// ("jumbled") until somebody needs them sorted; graphblas/sorted waits for that (GrB_MATERIALIZE),
// graphblas/jumbled does not. Indices are 64 bit, so A and B are copied once, in prepare(). The
// library decides by itself how many of the allowed threads a problem is worth.
#include <complex>
#include <cstdlib>

extern "C" {  // the header of version 7 lacks this for C++
#include <GraphBLAS.h>
}

#include <stdexcept>
#include <string>
#include <thread>

#include "bench/peers/support.hpp"

namespace gossamer::bench {
namespace {

template <class T>
struct names;
template <>
struct names<float> {
  static GrB_Type type() { return GrB_FP32; }
  static GrB_Semiring semiring() { return GrB_PLUS_TIMES_SEMIRING_FP32; }
  static GrB_BinaryOp plus() { return GrB_PLUS_FP32; }
};
template <>
struct names<double> {
  static GrB_Type type() { return GrB_FP64; }
  static GrB_Semiring semiring() { return GrB_PLUS_TIMES_SEMIRING_FP64; }
  static GrB_BinaryOp plus() { return GrB_PLUS_FP64; }
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

template <class T>
T* allocate_for_library(index_t count) {
  const std::size_t size = std::max<std::size_t>(1, static_cast<std::size_t>(count)) * sizeof(T);
  auto* const memory = static_cast<T*>(std::malloc(size));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// Memory that GraphBLAS takes over: it frees it with free().
template <class To, class From>
To* copy_for_library(const From* from, index_t count) {
  To* const copy = allocate_for_library<To>(count);
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

/// An iso-valued result is not a full array.
void refuse_iso(bool iso) {
  if (iso) throw std::runtime_error("GraphBLAS made a dense result iso-valued: not expected here");
}

void use_threads(int threads) {
  const GrB_Info info = GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
  if (info < 0) fail(info, "GxB_Global_Option_set(GxB_GLOBAL_NTHREADS)", nullptr);
}

/// Memory from malloc whose ownership moves to the library and back.
template <class T>
class buffer {
 public:
  explicit buffer(index_t size)
      : size_(static_cast<std::size_t>(size)), values_(allocate_for_library<T>(size)) {}
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { std::free(values_); }
  T* begin() { return static_cast<T*>(values_); }
  T* end() { return begin() + size_; }
  void** lend() { return &values_; }
  GrB_Index bytes() const { return std::max<GrB_Index>(1, size_) * sizeof(T); }
  /// In parallel, where one thread would be slower than the product.
  void zero(int threads) {
    constexpr std::size_t worth_a_thread = std::size_t{1} << 20;
    const std::size_t parts =
        std::clamp<std::size_t>(size_ / worth_a_thread, 1, static_cast<std::size_t>(threads));
    std::vector<std::jthread> helpers;
    for (std::size_t part = 1; part < parts; ++part) {
      helpers.emplace_back([this, part, parts] {
        std::fill(begin() + size_ * part / parts, begin() + size_ * (part + 1) / parts, T{0});
      });
    }
    std::fill(begin(), begin() + size_ / parts, T{0});
  }

 private:
  std::size_t size_;
  void* values_;
};

template <class T>
class dense_product : public contestant {
 public:
  explicit dense_product(const race_problem& problem)
      : problem_(problem), output_(problem.a.rows * problem.columns) {}
  void poison() override { std::fill(output_.begin(), output_.end(), not_a_number<T>); }
  using contestant::answer;
  void answer(const dense_answer& out) override {
    std::copy(output_.begin(), output_.end(), static_cast<T*>(out.values));
  }

 protected:
  void* copy_input() const {
    return copy_for_library<T>(static_cast<const T*>(problem_.x),
                               problem_.a.cols * problem_.columns);
  }
  GrB_Index input_bytes() const {
    return std::max<GrB_Index>(1, static_cast<GrB_Index>(problem_.a.cols * problem_.columns)) *
           sizeof(T);
  }

  race_problem problem_;
  buffer<T> output_;
  matrix a_;
};

template <class T>
class spmv : public dense_product<T> {
 public:
  using dense_product<T>::dense_product;
  void prepare() override {
    use_threads(this->problem_.threads);
    fill_csr<T>(this->a_, this->problem_.a);
    x_.create(names<T>::type(), this->problem_.a.cols);
    y_.create(names<T>::type(), this->problem_.a.rows);
    void* values = this->copy_input();
    check(GxB_Vector_pack_Full(x_.handle, &values, this->input_bytes(), false, nullptr),
          "GxB_Vector_pack_Full", x_.handle);
  }
  void run() override {
    use_threads(this->problem_.threads);
    buffer<T>& output = this->output_;
    output.zero(this->problem_.threads);
    const GrB_Vector y = y_.handle;
    check(GxB_Vector_pack_Full(y, output.lend(), output.bytes(), false, nullptr),
          "GxB_Vector_pack_Full", y);
    check(GrB_mxv(y, nullptr, names<T>::plus(), names<T>::semiring(), this->a_.handle, x_.handle,
                  nullptr),
          "GrB_mxv", y);
    GrB_Index bytes = 0;
    bool iso = false;
    check(GxB_Vector_unpack_Full(y, output.lend(), &bytes, &iso, nullptr), "GxB_Vector_unpack_Full",
          y);
    refuse_iso(iso);
  }

 private:
  vector x_, y_;
};

template <class T>
class spmm : public dense_product<T> {
 public:
  using dense_product<T>::dense_product;
  void prepare() override {
    use_threads(this->problem_.threads);
    fill_csr<T>(this->a_, this->problem_.a);
    b_.create(names<T>::type(), this->problem_.a.cols, this->problem_.columns);
    c_.create(names<T>::type(), this->problem_.a.rows, this->problem_.columns);
    void* values = this->copy_input();
    check(GxB_Matrix_pack_FullR(b_.handle, &values, this->input_bytes(), false, nullptr),
          "GxB_Matrix_pack_FullR", b_.handle);
  }
  void run() override {
    use_threads(this->problem_.threads);
    buffer<T>& output = this->output_;
    output.zero(this->problem_.threads);
    const GrB_Matrix c = c_.handle;
    check(GxB_Matrix_pack_FullR(c, output.lend(), output.bytes(), false, nullptr),
          "GxB_Matrix_pack_FullR", c);
    check(GrB_mxm(c, nullptr, names<T>::plus(), names<T>::semiring(), this->a_.handle, b_.handle,
                  nullptr),
          "GrB_mxm", c);
    GrB_Index bytes = 0;
    bool iso = false;
    check(GxB_Matrix_unpack_FullR(c, output.lend(), &bytes, &iso, nullptr),
          "GxB_Matrix_unpack_FullR", c);
    refuse_iso(iso);
  }

 private:
  matrix b_, c_;
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
  graphblas.entries = {
      {.name = "graphblas/accumulate",
       .product = operation::spmv,
       .how = "y = 0, GrB_mxv(y += A x, PLUS_TIMES), A by row, x and y full",
       .make = make_any<spmv>},
      {.name = "graphblas/accumulate",
       .product = operation::spmm,
       .how = "C = 0, GrB_mxm(C += A B, PLUS_TIMES), A by row, B and C full by row",
       .make = make_any<spmm>},
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
