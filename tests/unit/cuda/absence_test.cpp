// Where there is no device, or no backend, the library loads, runs and says why.
#include "gpu.hpp"

namespace gossamer {
namespace {

TEST(cuda_absence, a_context_is_refused_with_the_reason) {
  if (available(backend::cuda)) GTEST_SKIP() << "there is a device here";
  const auto why = why_not_available(backend::cuda);
  EXPECT_FALSE(why.empty());
  try {
    context::cuda();
    FAIL() << "a context without a device";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::not_available);
    EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("context::openmp()"), std::string::npos) << e.what();
  }
}

/// Builds without CUDA have this one test of a device: with GOSSAMER_REQUIRE_GPU they must not
/// pass.
TEST_F(on_gpu, is_there) { EXPECT_TRUE(available(backend::cuda)); }

TEST(cuda_absence, memory_can_be_released) { EXPECT_NO_THROW(release_memory()); }

TEST(cuda_absence, host_contexts_have_no_stream) {
  const auto cpu = context::openmp(1);
  EXPECT_EQ(cpu.stream(), nullptr);
  EXPECT_NO_THROW(cpu.synchronise());
  EXPECT_THROW(cpu.with_stream(nullptr), error);
}

TEST(cuda_absence, a_host_context_refuses_device_arrays) {
  const auto cpu = context::openmp(1);
  const auto a = some_matrix();
  const auto x = some_vector(a.cols());
  std::vector<double> y(static_cast<std::size_t>(a.rows()));
  // Addresses that nobody may read: a check that comes too late would crash.
  const auto nowhere = reinterpret_cast<const void*>(std::uintptr_t{64});
  const auto indices = static_cast<const std::int32_t*>(nowhere);
  const csr_view<const double> far(static_cast<const double*>(nowhere), indices, indices, a.shape(),
                                   a.nnz(), memory::device);
  try {
    multiply(cpu, far, x, y);
    FAIL() << "device arrays under a host context";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    EXPECT_NE(std::string(e.what()).find("lives in device memory"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("copy_to"), std::string::npos) << e.what();
  }
  EXPECT_THROW(copy_to(cpu, far), error);
  EXPECT_THROW(multiply(cpu, far, far), error);
  EXPECT_THROW(add(cpu, far, far), error);
  EXPECT_THROW(drop_zeros(cpu, far), error);
  EXPECT_THROW(sort_columns(cpu, far), error);
}

TEST(host_copies, are_copies) {
  const auto cpu = context::openmp(1);
  const auto a = some_matrix();
  const auto again = copy_to(cpu, a);
  EXPECT_EQ(again.nnz(), a.nnz());
  EXPECT_NE(again.values().data(), a.values().data());
  EXPECT_TRUE(std::equal(a.values().begin(), a.values().end(), again.values().begin()));
  const auto sliced = convert<sellp_matrix<double>>(a, {.slice = 8, .sort_window = 16});
  EXPECT_EQ(
      reference_product(convert<csr_matrix<double>>(copy_to(cpu, sliced)), some_vector(a.cols())),
      reference_product(convert<csr_matrix<double>>(sliced), some_vector(a.cols())));

  dense_matrix<double> b(3, 2);
  for (index_t i = 0; i < 3; ++i)
    for (index_t j = 0; j < 2; ++j) b(i, j) = static_cast<double>(10 * i + j);
  dense_matrix<double> flipped(3, 2, layout::column_major);
  copy_into(cpu, b, flipped);
  EXPECT_EQ(flipped(2, 1), 21);
  EXPECT_EQ(flipped(1, 0), 10);
  EXPECT_THROW(copy_into(cpu, b, dense_matrix<double>(2, 3).mutable_view()), error);
}

TEST(host_vectors, start_as_zeros) {
  const auto cpu = context::openmp(1);
  vector<double> y(cpu, 3);
  EXPECT_EQ(copy_to_host(cpu, y), (std::vector<double>{0, 0, 0}));
  const auto x = copy_to(cpu, std::vector<double>{1, 2, 3});
  EXPECT_EQ(x.size(), 3);
  EXPECT_EQ(x.where(), memory::host);
  EXPECT_EQ(copy_to_host(cpu, x), (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace gossamer
