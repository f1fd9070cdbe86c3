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
  const auto made = [] {
    const auto gpu = context::cuda();
    auto x = copy_to(gpu, some_vector(1000));
    gpu.synchronise();
    return x;
  }();
  EXPECT_EQ(copy_to_host(context::cuda(), made), some_vector(1000));
  release_memory();
}

TEST_F(cuda_memory, device_arrays_are_not_copied_by_value) {
  const auto gpu = context::cuda();
  const auto x = copy_to(gpu, some_vector(3));
  EXPECT_THROW(auto copy = x, error);
}

}  // namespace
}  // namespace gossamer
