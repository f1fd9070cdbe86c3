// What one launch on the device sees of the rows is what the host sees of a copy.
#include "analysis/row_sample.hpp"

#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_row_sample : public on_gpu {};

template <class T>
index_t longest_row(const csr_matrix<T>& a) {
  index_t longest = 0;
  for (index_t i = 0; i < a.rows(); ++i)
    longest = std::max(longest, a.view().offsets[i + 1] - a.view().offsets[i]);
  return longest;
}

template <class T>
void check_sample(const context& gpu, const csr_matrix<T>& a) {
  const auto moved = copy_to(gpu, a);
  for (const bool columns : {false, true}) {
    const auto wanted =
        analysis::sample_rows<T>(context::reference(), a.view(), {.columns = columns});
    const auto seen = analysis::sample_rows<T>(gpu, moved.view(), {.columns = columns});
    EXPECT_EQ(seen.longest_on_device, longest_row(a));
    EXPECT_EQ(seen.x_lines, wanted.x_lines);
  }
}

TEST_F(cuda_row_sample, sees_what_the_host_sees) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp();
  check_sample(gpu, generate::poisson2d<double>(cpu, 250, 250));
  check_sample(gpu, generate::erdos_renyi<float>(cpu, 16, 9));
  check_sample(gpu, generate::rmat<double>(cpu, 15, 8));
  check_sample(gpu, generate::one_dense_row<float>(cpu, {5000, 300'000}, 30, 200'000));
  check_sample(gpu, generate::poisson2d<double>(cpu, 10, 10));  // too few nonzeros for columns
}

TEST_F(cuda_row_sample, a_matrix_without_rows_has_none) {
  const auto gpu = context::cuda();
  const auto seen =
      analysis::sample_rows<double>(gpu, copy_to(gpu, csr_matrix<double>({0, 5}, 0)).view(), {});
  EXPECT_EQ(seen.longest_on_device, 0);
}

}  // namespace
}  // namespace gossamer
