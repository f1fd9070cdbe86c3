// Parts, sums and rearrangements on a device: the arrays of the host, bit by bit.
#include "gossamer/structure.hpp"

#include "random_matrices.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_structure : public on_gpu {};

template <class T>
void check_lines(const context& gpu, const csr_matrix<T>& a, const csr_matrix<T>& moved) {
  const auto cpu = context::openmp(2);
  for (const auto what :
       {reduction::sum, reduction::norm1, reduction::norm2, reduction::norm_max}) {
    const auto rows = copy_to_host(gpu, reduce_rows(gpu, moved, what));
    expect_same<T>("rows", rows, copy_to_host(cpu, reduce_rows(cpu, a, what)));
    const auto columns = copy_to_host(gpu, reduce_columns(gpu, moved, what));
    expect_same<T>("columns", columns, copy_to_host(cpu, reduce_columns(cpu, a, what)));
  }
  expect_same<T>("diagonal", copy_to_host(gpu, diagonal_of(gpu, moved)),
                 copy_to_host(cpu, diagonal_of(cpu, a)));
  const auto by_row = copy_to_host(cpu, reduce_rows(cpu, a, reduction::norm1));
  const auto by_column = copy_to_host(cpu, reduce_columns(cpu, a, reduction::norm1));
  expect_same(copy_to_host(gpu, scale_rows(gpu, moved, copy_to(gpu, by_row))),
              scale_rows(cpu, a, by_row));
  expect_same(copy_to_host(gpu, scale_columns(gpu, moved, copy_to(gpu, by_column))),
              scale_columns(cpu, a, by_column));
}

template <class T>
void check_parts(const context& gpu, const csr_matrix<T>& a, const csr_matrix<T>& moved) {
  const auto cpu = context::openmp(2);
  for (const index_t k : {-2, 0, 3}) {
    expect_same(copy_to_host(gpu, tril(gpu, moved, k)), tril(cpu, a, k));
    expect_same(copy_to_host(gpu, triu(gpu, moved, k)), triu(cpu, a, k));
  }
  std::vector<int> rows, columns;
  for (index_t i = a.rows(); i-- > 0;)
    if (i % 3 != 1) rows.push_back(static_cast<int>(i)), rows.push_back(static_cast<int>(i / 2));
  for (index_t j = a.cols(); j-- > 0;)
    if (j % 4 != 2) columns.push_back(static_cast<int>(j));
  expect_same(copy_to_host(gpu, submatrix(gpu, moved, rows, columns)),
              submatrix(cpu, a, rows, columns));
  expect_same(copy_to_host(gpu, permute_rows(gpu, moved, rows)), permute_rows(cpu, a, rows));
  expect_same(copy_to_host(gpu, permute_columns(gpu, moved, columns)),
              permute_columns(cpu, a, columns));
  const index_t first = a.rows() / 3, last = a.rows() - a.rows() / 4;
  const auto part = slice_rows(gpu, moved, first, last);
  EXPECT_TRUE(same(copy_to_host(gpu, part.view()), slice_rows(cpu, a, first, last)));
}

TEST_F(cuda_structure, is_that_of_the_host) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp(2);
  random_source random(5);
  for (int k = 0; k < 25; ++k) {
    const extents shape{random.number(0, 60), random.number(0, 60)};
    const auto drawn = random.matrix(shape);
    SCOPED_TRACE(k);
    const auto a = cases::as_csr<double>(drawn, random.any_widths());
    const auto moved = copy_to(gpu, a);
    check_lines(gpu, a, moved);
    check_parts(gpu, a, moved);
    const auto f = cases::as_csr<float>(drawn, narrow);
    const auto moved_f = copy_to(gpu, f);
    check_lines(gpu, f, moved_f);
    check_parts(gpu, f, moved_f);
    const auto b = cases::as_csr<double>(random.matrix({5, 7}), random.any_widths());
    expect_same(copy_to_host(gpu, kron(gpu, moved, copy_to(gpu, b))), kron(cpu, a, b));
    if (HasFailure()) return;
  }
}

template <class T>
csr_matrix<T> complex_values(const csr_matrix<double>& a) {
  auto made = convert<csr_matrix<T>>(a);
  real_of<T> next = 1;
  for (T& value : made.values()) value += T(0, next), next = -next / 2 + 3;
  return made;
}

template <class T>
void check_complex(const csr_matrix<double>& real) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp(2);
  const auto a = complex_values<T>(real);
  const auto moved = copy_to(gpu, a);
  check_parts(gpu, a, moved);
  EXPECT_TRUE(
      same(copy_to_host(gpu, kron(gpu, moved, conjugated(moved))), kron(cpu, a, conjugated(a))));
  EXPECT_TRUE(
      same(copy_to_host(gpu, transpose(gpu, conjugated(moved))), transpose(cpu, conjugated(a))));
  for (const auto what :
       {reduction::sum, reduction::norm1, reduction::norm2, reduction::norm_max}) {
    const auto found = copy_to_host(gpu, reduce_rows(gpu, moved, what));
    const auto wanted = reduce_rows(cpu, a, what);
    for (index_t i = 0; i < a.rows(); ++i)  // the device's hypot may round otherwise
      EXPECT_LE(std::abs(found[static_cast<std::size_t>(i)] - wanted.data()[i]),
                8 * std::numeric_limits<real_of<T>>::epsilon() * std::abs(wanted.data()[i]));
  }
  const auto d = copy_to_host(cpu, diagonal_of(cpu, a));
  EXPECT_EQ(copy_to_host(gpu, diagonal_of(gpu, moved)), d);
  const auto by = reduce_rows(cpu, a, reduction::sum);
  const auto factors = copy_to_host(cpu, by);
  EXPECT_TRUE(same(copy_to_host(gpu, scale_rows(gpu, moved, copy_to(gpu, factors))),
                   scale_rows(cpu, a, factors)));
}

TEST_F(cuda_structure, complex_matrices) {
  random_source random(6);
  for (int k = 0; k < 5; ++k) {
    auto drawn = cases::as_csr<double>(random.matrix({20, 25}), random.any_widths());
    for (double& value : drawn.values())
      if (!std::isfinite(value)) value = 1;
    check_complex<std::complex<float>>(drawn);
    check_complex<std::complex<double>>(drawn);
    if (HasFailure()) return;
  }
}

TEST_F(cuda_structure, predicates_and_indices_out_of_range_are_refused) {
  const auto gpu = context::cuda();
  const auto moved = copy_to(gpu, some_matrix());
  EXPECT_THROW(select(gpu, moved, [](auto, auto, auto) { return true; }), error);
  EXPECT_THROW(submatrix(gpu, moved, std::vector<int>{-1}, std::vector<int>{0}), error);
  EXPECT_THROW(slice_rows(gpu, moved, 0, moved.rows() + 1), error);
}

}  // namespace
}  // namespace gossamer
