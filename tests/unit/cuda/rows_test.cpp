// Filters, sorted rows, duplicates, sums and masks on a device: the arrays of the host, bit by bit.
#include "kernels/spgemm/cuda/device_mask.hpp"

#include "random_matrices.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_rows : public on_gpu {};

template <class T>
void check_filters(const context& gpu, const csr_matrix<T>& a) {
  const auto cpu = context::openmp(2);
  const auto moved = copy_to(gpu, a);
  expect_same(copy_to_host(gpu, drop_zeros(gpu, moved.view())), drop_zeros(cpu, a.view()));
  for (const filter which : {filter{.magnitude = 0.4}, filter{.largest = 1}, filter{.largest = 3},
                             filter{.magnitude = 0.2, .largest = 2}, filter{}}) {
    SCOPED_TRACE(std::to_string(which.magnitude) + " " + std::to_string(which.largest));
    expect_same(copy_to_host(gpu, keep(gpu, moved.view(), which)), keep(cpu, a.view(), which));
  }
}

template <class T>
void check_order(const context& gpu, const csr_matrix<T>& a) {
  const auto cpu = context::openmp(2);
  const auto moved = copy_to(gpu, a);
  expect_same(copy_to_host(gpu, sort_columns(gpu, moved.view())), sort_columns(cpu, a.view()));
  expect_same(copy_to_host(gpu, sum_duplicates(gpu, moved.view())), sum_duplicates(cpu, a.view()));
}

template <class T>
void check_sum(const context& gpu, const csr_matrix<T>& a, const csr_matrix<T>& b) {
  const auto cpu = context::openmp(2);
  const auto moved_a = copy_to(gpu, a), moved_b = copy_to(gpu, b);
  const T odd = static_cast<T>(-0.3);  // rounds
  expect_same(copy_to_host(gpu, add(gpu, moved_a, moved_b)), add(cpu, a, b));
  expect_same(copy_to_host(gpu, add(gpu, scaled(odd, moved_a), scaled(T{7}, moved_b))),
              add(cpu, scaled(odd, a), scaled(T{7}, b)));
  expect_same(copy_to_host(gpu, add(gpu, scaled(T{0}, moved_a), moved_b)),
              add(cpu, scaled(T{0}, a), b));
}

TEST_F(cuda_rows, every_case_as_on_the_host) {
  const auto gpu = context::cuda();
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    for (const widths w : {narrow, widths{index_width::i64, index_width::i64}}) {
      check_filters(gpu, cases::as_csr<double>(c, w));
      check_filters(gpu, cases::as_csr<float>(c, w));
      check_order(gpu, cases::as_csr<double>(c, w));
    }
    const auto a = cases::as_csr<double>(c, narrow);
    check_sum(gpu, a, a);
    if (a.rows() == a.cols()) {
      const auto moved = copy_to(gpu, a);
      expect_same(copy_to_host(gpu, add(gpu, moved, scaled(2.0, transposed(moved)))),
                  add(context::openmp(2), a, scaled(2.0, transposed(a))));
    }
    if (HasFatalFailure()) return;
  }
}

TEST_F(cuda_rows, random_ones_as_on_the_host) {
  const auto gpu = context::cuda();
  random_source draw(7);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const extents shape{draw.number(0, 40), draw.number(0, 40)};
    const auto a = cases::as_csr<float>(draw.matrix(shape), draw.any_widths());
    const auto b = cases::as_csr<float>(draw.matrix(shape), draw.any_widths());
    check_filters(gpu, a);
    check_order(gpu, a);
    check_sum(gpu, a, b);
    if (HasFatalFailure()) return;
  }
}

TEST_F(cuda_rows, products_with_an_addend_and_filters) {
  const auto gpu = context::cuda();
  const auto reference = context::reference();
  const auto a = cases::as_csr<double>(cases::named("power_law"), narrow);
  const auto moved = copy_to(gpu, a);
  const options how{.algorithm = "esc", .keep = {.magnitude = 0.05, .largest = 4}};
  const options plain{.keep = how.keep};
  expect_same(copy_to_host(gpu, multiply(gpu, moved, moved, scaled(-2.0, moved), how)),
              multiply(reference, a, a, scaled(-2.0, a), plain));
  expect_same(copy_to_host(gpu, multiply(gpu, moved, moved, how)),
              multiply(reference, a, a, plain));
  const options zeros{.algorithm = "esc", .drop_zeros = true};
  expect_same(copy_to_host(gpu, multiply(gpu, moved, moved, zeros)),
              multiply(reference, a, a, {.drop_zeros = true}));
  EXPECT_EQ(multiply(gpu, scaled(0.0, moved), moved, zeros).nnz(), 0);
}

TEST_F(cuda_rows, host_functions_refuse_a_device) {
  const auto gpu = context::cuda();
  const auto a = some_matrix();
  const auto moved = copy_to(gpu, a);
  EXPECT_THROW(symmetrise(gpu, moved.view()), error);
  EXPECT_THROW(keep(context::openmp(1), moved.view(), {.largest = 1}), error);
  EXPECT_THROW(keep(gpu, a.view(), {.largest = 1}), error);
  EXPECT_THROW(add(gpu, a, moved), error);
}

/// A mask on the host, sorted and without duplicates.
csr_matrix<float> tidy(const csr_matrix<float>& mask) {
  return sum_duplicates(context::openmp(1), mask.view());
}

TEST_F(cuda_rows, masks_are_sorted_and_lose_duplicates) {
  const auto gpu = context::cuda();
  random_source draw(11);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const extents shape{draw.number(0, 50), draw.number(0, 30)};
    const auto w = draw.any_widths();
    const auto mask = cases::as_csr<float>(draw.matrix(shape), w);
    const auto moved = copy_to(gpu, mask);
    const auto sorted = device::sorted_mask(gpu, complement(pattern_of(moved)));
    const pattern& view = sorted.view();
    EXPECT_EQ(view.shape, shape);
    EXPECT_TRUE(view.complemented);
    EXPECT_EQ(view.offsets.width(), w.offsets);
    EXPECT_EQ(view.columns.width(), w.indices);
    const auto wanted = tidy(mask);
    ASSERT_EQ(view.nnz(), wanted.nnz());
    if (mask.nnz() == 0) continue;
    const vector<float> values(gpu, view.nnz());
    const auto back = copy_to_host(
        gpu, csr_view<const float>(shape, view.offsets, view.columns, values.data(), view.where));
    for (index_t i = 0; i <= shape.rows; ++i)
      ASSERT_EQ(back.row_offsets()[i], wanted.row_offsets()[i]) << "row " << i;
    for (index_t p = 0; p < wanted.nnz(); ++p)
      ASSERT_EQ(back.column_indices()[p], wanted.column_indices()[p]) << "place " << p;
    const auto again = device::sorted_mask(gpu, view);
    EXPECT_EQ(again.bytes(), 0) << "a sorted mask was copied";
    EXPECT_LE(sorted.bytes(), device::sorted_mask_bytes(pattern_of(moved)));
  }
}

}  // namespace
}  // namespace gossamer
