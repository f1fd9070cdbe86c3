// What goes to a device comes back the same.
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_copies : public on_gpu {};

TEST_F(cuda_copies, every_format_there_and_back) {
  const auto gpu = context::cuda();
  const auto check = [&](const auto& a) { expect_same(copy_to_host(gpu, copy_to(gpu, a)), a); };
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    const convert_options free{.slice = 8, .sort_window = 16, .padding_limit = 0};
    const auto a = cases::as_csr<double>(c, narrow);
    check(a);
    check(convert<csc_matrix<double>>(a));
    check(convert<coo_matrix<double>>(a));
    check(convert<ell_matrix<double>>(a, free));
    check(convert<sellp_matrix<double>>(a, free));
    check(convert<hyb_matrix<double>>(a, free));
    check(convert<dense_matrix<float>>(a, free));
  }
}

TEST_F(cuda_copies, large_arrays_go_in_pieces) {
  const auto gpu = context::cuda();
  // Around the size of one and two staging buffers, and not a multiple of anything.
  for (const index_t n : {index_t{1}, index_t{8191}, index_t{8193}, index_t{524288},
                          index_t{524289}, index_t{3'000'001}}) {
    const auto x = some_vector(n);
    const auto there = copy_to(gpu, x);
    EXPECT_EQ(there.where(), memory::device);
    EXPECT_EQ(copy_to_host(gpu, there), x) << n;
    auto again = vector<double>(gpu, n);
    EXPECT_EQ(copy_to_host(gpu, again), std::vector<double>(static_cast<std::size_t>(n))) << n;
    copy_into(gpu, there, again);
    EXPECT_EQ(copy_to_host(gpu, again), x) << n;
  }
}

TEST_F(cuda_copies, blocks_with_gaps) {
  const auto gpu = context::cuda();
  std::vector<double> storage(5 * 7);
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<double>(i);
  const dense_view<const double> block({5, 4}, layout::row_major, 7, storage.data());
  const auto there = copy_to(gpu, block);
  const auto back = copy_to_host(gpu, there);
  for (index_t i = 0; i < 5; ++i)
    for (index_t j = 0; j < 4; ++j) EXPECT_EQ(back(i, j), block(i, j));
  dense_matrix<double> flipped(5, 4, layout::column_major);
  copy_into(gpu, there, flipped);
  for (index_t i = 0; i < 5; ++i)
    for (index_t j = 0; j < 4; ++j) EXPECT_EQ(flipped(i, j), block(i, j));
}

TEST_F(cuda_copies, a_host_context_has_no_business_there) {
  const auto gpu = context::cuda();
  const auto there = copy_to(gpu, some_vector(10));
  std::vector<double> back(10);
  EXPECT_THROW(copy_into(context::openmp(), there, back), error);
}

}  // namespace
}  // namespace gossamer
