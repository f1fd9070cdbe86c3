// Device memory: the caller's source, failures, and that nothing is left behind.
#include <atomic>

#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_memory : public on_gpu {};

/// Passes on to a device source, counts what is held, and refuses beyond a limit.
class limited_memory final : public memory_resource {
 public:
  limited_memory(std::shared_ptr<memory_resource> from, index_t limit)
      : from_(std::move(from)), limit_(limit) {}
  void* allocate(std::size_t bytes) override {
    if (held_ + static_cast<index_t>(bytes) > limit_)
      throw error(error_kind::out_of_memory, "the limit of this test");
    void* data = from_->allocate(bytes);
    held_ += static_cast<index_t>(bytes);
    return data;
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    from_->deallocate(data, bytes);
    held_ -= static_cast<index_t>(bytes);
  }
  memory where() const noexcept override { return memory::device; }
  index_t held() const { return held_; }

 private:
  std::shared_ptr<memory_resource> from_;
  index_t limit_;
  std::atomic<index_t> held_{0};
};

TEST_F(cuda_memory, the_callers_source_is_used) {
  const auto plain = context::cuda();
  const auto counted = std::make_shared<limited_memory>(plain.memory(), index_t{1} << 30);
  const auto gpu = plain.with_memory(counted);
  const auto a = some_matrix();
  const auto x = some_vector(a.cols());
  {
    const auto moved = copy_to(gpu, a);
    const auto moved_x = copy_to(gpu, x);
    EXPECT_GE(counted->held(), a.nnz() * 12);
    vector<double> y(gpu, a.rows());
    multiply(gpu, moved, moved_x, y);
    expect_close(copy_to_host(gpu, y), reference_product(a, x));
  }
  EXPECT_EQ(counted->held(), 0);
}

TEST_F(cuda_memory, a_refusal_leaves_nothing_behind) {
  const auto plain = context::cuda();
  const auto a = some_matrix();
  const index_t all = (a.rows() + 1) * 4 + a.nnz() * 12;
  for (const index_t limit : {index_t{0}, all / 8, all / 2, all - 8}) {
    const auto counted = std::make_shared<limited_memory>(plain.memory(), limit);
    EXPECT_THROW(copy_to(plain.with_memory(counted), a), error) << limit;
    EXPECT_EQ(counted->held(), 0) << limit;
  }
}

TEST_F(cuda_memory, too_much_is_refused_and_the_context_lives_on) {
  const auto gpu = context::cuda();
  try {
    vector<double> huge(gpu, index_t{1} << 40);
    FAIL() << "8 TB on one device";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::out_of_memory) << e.what();
    EXPECT_NE(std::string(e.what()).find("are free"), std::string::npos) << e.what();
  }
  EXPECT_EQ(copy_to_host(gpu, copy_to(gpu, some_vector(5))), some_vector(5));
}

TEST_F(cuda_memory, arrays_outlive_their_context) {
  const auto result = [] {
    const auto gpu = context::cuda();
    auto x = copy_to(gpu, some_vector(1000));
    gpu.synchronise();
    return x;
  }();
  EXPECT_EQ(copy_to_host(context::cuda(), result), some_vector(1000));
  release_memory();
}

TEST_F(cuda_memory, device_arrays_are_not_copied_by_value) {
  const auto gpu = context::cuda();
  const auto x = copy_to(gpu, some_vector(3));
  EXPECT_THROW(auto copy = x, error);
}

/// A copy of A that a plan keeps, with values that are floats and with one that is not.
TEST_F(cuda_memory, plans_keep_doubles_as_floats_if_that_loses_nothing) {
  const auto plain = context::cuda();
  auto a = some_matrix();
  for (index_t k = 0; k < a.nnz(); ++k)
    a.values()[static_cast<std::size_t>(k)] = k % 9 == 0 ? -0.0 : 0.25 * static_cast<double>(k % 7);
  auto other = a;
  other.values().back() = 0.1;  // in the last row alone
  const auto x = some_vector(a.cols());
  for (const std::string kernel : {"spmv/csr/sliced/cuda", "spmv/csr/packed/cuda"}) {
    const auto held_and_product = [&](const csr_matrix<double>& of) {
      const auto counted = std::make_shared<limited_memory>(plain.memory(), index_t{1} << 30);
      const auto gpu = plain.with_memory(counted);
      const auto moved = copy_to(gpu, of);
      const auto moved_x = copy_to(gpu, x);
      vector<double> y(gpu, of.rows());
      const index_t before = counted->held();
      const auto prepared =
          multiply_inspect(gpu, moved, moved_x, y, {.algorithm = kernel, .constant_values = true});
      const index_t held = counted->held() - before;
      multiply(prepared, moved, moved_x, y);
      return std::pair(held, copy_to_host(gpu, y));
    };
    const auto [narrow_held, narrow] = held_and_product(a);
    const auto [wide_held, wide] = held_and_product(other);
    EXPECT_LT(narrow_held, wide_held) << kernel;
    expect_close(narrow, reference_product(a, x));
    expect_close(wide, reference_product(other, x));
    EXPECT_TRUE(std::equal(narrow.begin(), narrow.end() - 1, wide.begin())) << kernel;
  }
}

}  // namespace
}  // namespace gossamer
