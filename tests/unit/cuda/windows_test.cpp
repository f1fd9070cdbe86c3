// Rows of sparse products that are summed in dense windows of columns: the bits of the reference.
#include <cmath>

#include "random_matrices.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_windows : public on_gpu {};

/// A B by windows, by what is chosen and without windows, and as a plan that is filled twice.
template <class T>
void check_windows(const context& gpu, const csr_matrix<T>& a, const csr_matrix<T>& b) {
  const T alpha = static_cast<T>(-1.25);
  const auto wanted = multiply(context::reference(), scaled(alpha, a), b);
  const auto moved_a = copy_to(gpu, a), moved_b = copy_to(gpu, b);
  const auto left = scaled(alpha, moved_a);
  for (const char* tuning : {"windows=all,patterns=none", "windows=all,phases=two,patterns=none",
                             "windows=auto", "windows=none"}) {
    SCOPED_TRACE(tuning);
    const options how{.algorithm = "adaptive", .tuning = tuning};
    expect_same(copy_to_host(gpu, multiply(gpu, left, moved_b, how)), wanted);
    const plan filled = multiply_compute(gpu, left, moved_b, how);
    ASSERT_EQ(filled.result_nnz(), wanted.nnz());
    csr_matrix<T> c(filled.result_shape(), filled.result_nnz(),
                    narrowest(wanted.shape(), wanted.nnz()), gpu.memory());
    for (int call = 0; call < 2; ++call) {
      multiply_fill(filled, left, moved_b, c);
      expect_same(copy_to_host(gpu, c), wanted);
    }
  }
}

/// Every row of A adds `added` rows of B, which have `length` nonzeros in `columns` columns from
/// `first` on, more of them at small columns.
struct shape_of_product {
  index_t rows, inner, added, length, first, columns, all_columns;
};

template <class T>
csr_matrix<T> random_rows(random_source& draw, extents shape, index_t length, index_t first,
                          index_t columns) {
  std::vector<index_t> rows, cols;
  std::vector<T> values;
  for (index_t i = 0; i < shape.rows; ++i)
    for (index_t k = 0; k < length; ++k) {
      const double u = static_cast<double>(draw.number(0, 1 << 20)) / (1 << 20);
      rows.push_back(i);
      cols.push_back(first + static_cast<index_t>(u * u * static_cast<double>(columns - 1)));
      values.push_back(static_cast<T>(draw.value()));
    }
  return from_triplets(context::reference(), shape, rows, cols, values);
}

template <class T>
void check_shape(const context& gpu, random_source& draw, const shape_of_product& s) {
  const auto a = random_rows<T>(draw, {s.rows, s.inner}, s.added, 0, s.inner);
  const auto b = random_rows<T>(draw, {s.inner, s.all_columns}, s.length, s.first, s.columns);
  check_windows(gpu, a, b);
}

TEST_F(cuda_windows, rows_of_every_kind_have_the_bits_of_the_reference) {
  const auto gpu = context::cuda();
  random_source draw(20261118);
  for (const shape_of_product s : {
           shape_of_product{40, 300, 60, 40, 0, 5000, 5000},       // cut into windows
           shape_of_product{3, 900, 700, 100, 0, 9000, 9000},      // heavy rows
           shape_of_product{2500, 400, 30, 40, 100, 500, 70'000},  // compact, the narrowest window
           shape_of_product{50, 400, 30, 40, 1000, 900, 70'000},   // compact, the next
           shape_of_product{50, 400, 30, 40, 69'000, 1000, 70'000},  // at the last columns
           shape_of_product{50, 400, 40, 60, 3, 2000, 70'000},       // the widest compact one
           shape_of_product{20, 400, 200, 3, 0, 33, 33},             // nearly all lanes collide
           shape_of_product{20, 3000, 2500, 2, 0, 4000, 4000},       // short parts
           shape_of_product{5, 900, 700, 120, 0, 1, 1},              // one column
       }) {
    SCOPED_TRACE(std::to_string(s.rows) + " rows, " + std::to_string(s.all_columns) + " columns");
    check_shape<double>(gpu, draw, s);
    check_shape<float>(gpu, draw, s);
    if (HasFatalFailure()) return;
  }
}

TEST_F(cuda_windows, power_laws_are_cut_finer_at_hot_columns) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp();
  check_windows(gpu, generate::rmat<double>(cpu, 11, 8), generate::rmat<double>(cpu, 11, 8));
  check_windows(gpu, generate::rmat<float>(cpu, 12, 4), generate::rmat<float>(cpu, 12, 4));
}

TEST_F(cuda_windows, unsorted_and_repeated_columns_are_left_to_others) {
  const auto gpu = context::cuda();
  random_source draw(7);
  for (int k = 0; k < 20; ++k) {
    const auto a = cases::as_csr<double>(draw.matrix({30, 90}), narrow);
    const auto b = cases::as_csr<double>(draw.matrix({90, 2000}), narrow);
    const auto moved_a = copy_to(gpu, a), moved_b = copy_to(gpu, b);
    const options how{.algorithm = "adaptive", .tuning = "windows=all"};
    expect_same(copy_to_host(gpu, multiply(gpu, moved_a, moved_b, how)),
                multiply(context::reference(), a, b));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gossamer
