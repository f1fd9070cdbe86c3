// Products on a device: where operands live, the caller's arrays, and what a plan explains.
#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_multiply : public on_gpu {};

TEST_F(cuda_multiply, as_the_documents_show_it) {
  const auto a = some_matrix();
  const auto x = some_vector(a.cols());
  // [cuda]
  const auto gpu = context::cuda(0);
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> y(gpu, a.rows());
  multiply(gpu, moved, moved_x, y);
  const auto back = copy_to_host(gpu, y);  // waits
  // [cuda]
  expect_close(back, reference_product(a, x));
}

TEST_F(cuda_multiply, operands_must_be_where_the_context_is) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp(1);
  const auto a = some_matrix();
  auto x = some_vector(a.cols());
  std::vector<double> y(static_cast<std::size_t>(a.rows()));
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> moved_y(gpu, a.rows());
  EXPECT_THROW(multiply(gpu, a, moved_x, moved_y), error);
  EXPECT_THROW(multiply(gpu, moved, x, moved_y), error);
  EXPECT_THROW(multiply(gpu, moved, moved_x, y), error);
  EXPECT_THROW(multiply(cpu, moved, x, y), error);
  EXPECT_THROW(multiply(cpu, a, moved_x, y), error);
  EXPECT_THROW(multiply(cpu, a, x, moved_y), error);
  EXPECT_THROW(multiply(gpu, moved, a), error);
  EXPECT_THROW(multiply(gpu, a, a), error);
  EXPECT_THROW(multiply(cpu, moved, moved), error);
}

TEST_F(cuda_multiply, your_own_device_arrays_without_a_copy) {
  const auto gpu = context::cuda();
  const auto a = some_matrix();
  const auto x = some_vector(a.cols());
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> y(gpu, a.rows());
  const auto v = moved.view();
  const csr_view<const double> own(v.values, static_cast<const std::int32_t*>(v.offsets.data()),
                                   static_cast<const std::int32_t*>(v.columns.data()), a.shape(),
                                   a.nnz(), memory::device);
  const dense_view<const double> own_x(moved_x.data(), a.cols(), memory::device);
  multiply(gpu, own, own_x, dense_view<double>(y.data(), a.rows(), memory::device));
  expect_close(copy_to_host(gpu, y), reference_product(a, x));
}

TEST_F(cuda_multiply, another_addend_and_factors_of_zero) {
  const auto gpu = context::cuda();
  const auto a = some_matrix();
  const auto x = some_vector(a.cols());
  const auto z = some_vector(a.rows(), 8);
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x), moved_z = copy_to(gpu, z);
  vector<double> y(gpu, a.rows());
  multiply(gpu, moved, moved_x, scaled(3.0, moved_z), y);
  auto wanted = reference_product(a, x);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] += 3 * z[i];
  expect_close(copy_to_host(gpu, y), wanted);
  multiply(gpu, scaled(0.0, moved), moved_x, scaled(-2.0, moved_z), y);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = -2 * z[i];
  expect_close(copy_to_host(gpu, y), wanted);
}

TEST_F(cuda_multiply, a_plan_says_what_it_rests_on) {
  const auto gpu = context::cuda();
  const auto a = some_matrix();
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, some_vector(a.cols()));
  vector<double> y(gpu, a.rows());
  const auto prepared = multiply_inspect(gpu, moved, moved_x, y, {.expected_calls = 100});
  EXPECT_TRUE(prepared.kernel().ends_with("/cuda")) << prepared.kernel();
  index_t longest = 0;
  for (index_t i = 0; i < a.rows(); ++i)
    longest = std::max(longest, a.row_offsets()[i + 1] - a.row_offsets()[i]);
  EXPECT_NE(prepared.explain().problem.find("a row of at least"), std::string::npos);
  EXPECT_NE(prepared.explain().problem.find(std::to_string(longest)), std::string::npos)
      << prepared.explain().problem;
}

}  // namespace
}  // namespace gossamer
