// Conversions on a device give the arrays of the host: every pair of formats, every case.
#include <complex>

#include "same.hpp"

namespace gossamer {
namespace {

class cuda_conversions : public on_gpu {};

constexpr widths all_widths[] = {{index_width::i32, index_width::i32},
                                 {index_width::i32, index_width::i64},
                                 {index_width::i64, index_width::i64}};

/// Small slices, windows and strides, so that small cases have several; nothing is refused.
convert_options free_options() { return {.slice = 8, .sort_window = 24, .padding_limit = 0}; }

bool small_enough_for_dense(extents shape) { return shape.rows * shape.cols <= 4'000'000; }

template <class To, class A>
void check_target(const context& gpu, const A& a, const A& moved, const convert_options& how) {
  expect_same(copy_to_host(gpu, convert<To>(gpu, moved, how)), convert<To>(a, how));
}

/// Into every format, from this one.
template <class T, class A>
void check_from(const char* what, const context& gpu, const A& a, const convert_options& how) {
  SCOPED_TRACE(what);
  const auto moved = copy_to(gpu, a);
  check_target<csr_matrix<T>>(gpu, a, moved, how);
  check_target<csc_matrix<T>>(gpu, a, moved, how);
  check_target<coo_matrix<T>>(gpu, a, moved, how);
  check_target<ell_matrix<T>>(gpu, a, moved, how);
  check_target<sellp_matrix<T>>(gpu, a, moved, how);
  check_target<hyb_matrix<T>>(gpu, a, moved, how);
  if (small_enough_for_dense(a.shape())) check_target<dense_matrix<T>>(gpu, a, moved, how);
}

template <class T, class From>
void check_all_pairs(const context& gpu, const csr_matrix<From>& a, const convert_options& how) {
  check_from<T>("csr", gpu, a, how);
  check_from<T>("csc", gpu, convert<csc_matrix<From>>(a), how);
  check_from<T>("coo", gpu, convert<coo_matrix<From>>(a), how);
  check_from<T>("ell", gpu, convert<ell_matrix<From>>(a, how), how);
  check_from<T>("sellp", gpu, convert<sellp_matrix<From>>(a, how), how);
  check_from<T>("hyb", gpu, convert<hyb_matrix<From>>(a, how), how);
  if (small_enough_for_dense(a.shape()))
    check_from<T>("dense", gpu, convert<dense_matrix<From>>(a, how), how);
}

TEST_F(cuda_conversions, every_pair_of_formats) {
  const auto gpu = context::cuda();
  for (const auto& c : cases::all())
    for (const auto w : all_widths) {
      SCOPED_TRACE(c.name);
      check_all_pairs<double>(gpu, cases::as_csr<double>(c, w), free_options());
      if (HasFailure()) return;
    }
}

TEST_F(cuda_conversions, complex_values) {
  using complex = std::complex<double>;
  const auto gpu = context::cuda();
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    auto a = convert<csr_matrix<complex>>(cases::as_csr<double>(c, all_widths[0]));
    const auto values = a.mutable_view().values;
    for (index_t k = 0; k < a.nnz(); ++k)
      values[k] = {values[k].real(), static_cast<double>(k % 7) - 3};
    check_all_pairs<complex>(gpu, a, free_options());
    if (HasFailure()) return;
  }
}

TEST_F(cuda_conversions, between_float_and_double) {
  const auto gpu = context::cuda();
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    check_all_pairs<float>(gpu, cases::as_csr<double>(c, narrow), free_options());
    check_all_pairs<double>(gpu, cases::as_csr<float>(c, narrow), free_options());
    if (HasFailure()) return;
  }
}

TEST_F(cuda_conversions, options_of_the_padded_formats) {
  const auto gpu = context::cuda();
  for (const char* name : {"power_law", "empty_rows", "dense_row"}) {
    SCOPED_TRACE(name);
    const auto a = cases::as_csr<double>(cases::named(name), narrow);
    const auto moved = copy_to(gpu, a);
    for (const index_t slice : {1, 32, 64})
      for (const index_t window : {1, 64, 1 << 20})
        for (const index_t factor : {1, 4})
          check_target<sellp_matrix<double>>(
              gpu, a, moved,
              {.slice = slice, .stride_factor = factor, .sort_window = window, .padding_limit = 0});
    check_target<ell_matrix<double>>(gpu, a, moved, {.stride_factor = 32, .padding_limit = 0});
    check_target<dense_matrix<double>>(gpu, a, moved, {.order = layout::column_major});
    for (const auto strategy :
         {hyb_strategy::column_limit, hyb_strategy::imbalance_limit,
          hyb_strategy::imbalance_bounded, hyb_strategy::minimal_storage, hyb_strategy::automatic})
      for (const double quantile : {-1.0, 0.0, 0.5, 1.0})
        check_target<hyb_matrix<double>>(
            gpu, a, moved,
            {.padding_limit = 0,
             .hyb = {.strategy = strategy, .columns = 3, .quantile = quantile, .bound = 0.01}});
  }
}

TEST_F(cuda_conversions, scaled_and_transposed) {
  const auto gpu = context::cuda();
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    const auto a = cases::as_csr<double>(c, narrow);
    const auto moved = copy_to(gpu, a);
    const auto how = free_options();
    expect_same(
        copy_to_host(gpu, convert<csr_matrix<double>>(gpu, scaled(-0.3, transposed(moved)), how)),
        convert<csr_matrix<double>>(scaled(-0.3, transposed(a)), how));
    const auto ell = convert<ell_matrix<double>>(a, how);
    const auto moved_ell = copy_to(gpu, ell);
    expect_same(copy_to_host(gpu, convert<coo_matrix<double>>(gpu, transposed(moved_ell), how)),
                convert<coo_matrix<double>>(transposed(ell), how));
    if (HasFailure()) return;
  }
}

TEST_F(cuda_conversions, triplets_out_of_order) {
  const auto gpu = context::cuda();
  // Rows from the last to the first, and one entry twice: the sort must keep its order.
  const auto sorted = convert<coo_matrix<double>>(some_matrix());
  const index_t n = sorted.nnz();
  coo_matrix<double> shuffled(sorted.shape(), n, index_width::i32);
  const auto to = shuffled.mutable_view();
  for (index_t p = 0; p < n; ++p) {
    const index_t from = n - 1 - p;
    to.rows.as<std::int32_t>()[static_cast<std::size_t>(p)] =
        static_cast<std::int32_t>(sorted.row_indices()[from]);
    to.columns.as<std::int32_t>()[static_cast<std::size_t>(p)] =
        static_cast<std::int32_t>(sorted.column_indices()[from] / 2);
    to.values[p] = sorted.values()[static_cast<std::size_t>(from)];
  }
  check_from<double>("coo", gpu, shuffled, free_options());
}

TEST_F(cuda_conversions, refusals_are_those_of_the_host) {
  const auto gpu = context::cuda();
  const auto a = cases::as_csr<double>(cases::named("power_law"), narrow);
  const auto moved = copy_to(gpu, a);
  EXPECT_THROW(convert<sellp_matrix<double>>(gpu, moved, {.slice = 0}), error);
  EXPECT_THROW(convert<ell_matrix<double>>(gpu, moved, {.padding_limit = -1}), error);
  EXPECT_THROW(convert<csc_matrix<double>>(gpu, a), error) << "host arrays, device context";
  EXPECT_THROW(convert<csc_matrix<double>>(context::openmp(1), moved), error);
}

}  // namespace
}  // namespace gossamer
