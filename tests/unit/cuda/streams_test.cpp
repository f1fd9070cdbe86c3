// Several contexts, streams and host threads at once.
#include <thread>

#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_streams : public on_gpu {};

constexpr int workers = 6;

/// work(worker) on threads of their own; what they throw ends up here.
template <class Work>
void all_at_once(Work&& work) {
  std::vector<std::thread> team;
  std::vector<std::string> failures(workers);
  for (int w = 0; w < workers; ++w)
    team.emplace_back([&, w] {
      try {
        work(w);
      } catch (const std::exception& e) {
        failures[static_cast<std::size_t>(w)] = e.what();
      }
    });
  for (auto& one : team) one.join();
  for (const auto& text : failures) EXPECT_EQ(text, "");
}

TEST_F(cuda_streams, a_context_each) {
  const auto a = some_matrix();
  std::vector<std::vector<double>> found(workers);
  all_at_once([&](int w) {
    const auto gpu = context::cuda();
    const auto moved = copy_to(gpu, a);
    const auto x = some_vector(a.cols(), static_cast<std::uint64_t>(w));
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto moved_x = copy_to(gpu, x);
      vector<double> y(gpu, a.rows());
      multiply(gpu, moved, moved_x, y);
      found[static_cast<std::size_t>(w)] = copy_to_host(gpu, y);
    }
  });
  for (int w = 0; w < workers; ++w)
    expect_close(found[static_cast<std::size_t>(w)],
                 reference_product(a, some_vector(a.cols(), static_cast<std::uint64_t>(w))));
}

TEST_F(cuda_streams, one_context_and_one_plan_for_all) {
  const auto gpu = context::cuda();
  const auto a = some_matrix();
  const auto moved = copy_to(gpu, a);
  const auto any_x = copy_to(gpu, some_vector(a.cols()));
  vector<double> any_y(gpu, a.rows());
  const auto prepared = multiply_inspect(gpu, moved, any_x, any_y, {.expected_calls = 1000});
  std::vector<std::vector<double>> found(workers);
  all_at_once([&](int w) {
    const auto x = copy_to(gpu, some_vector(a.cols(), static_cast<std::uint64_t>(w)));
    vector<double> y(gpu, a.rows());
    for (int repeat = 0; repeat < 20; ++repeat) multiply(prepared, moved, x, y);
    found[static_cast<std::size_t>(w)] = copy_to_host(gpu, y);
  });
  for (int w = 0; w < workers; ++w)
    expect_close(found[static_cast<std::size_t>(w)],
                 reference_product(a, some_vector(a.cols(), static_cast<std::uint64_t>(w))));
}

TEST_F(cuda_streams, contexts_have_streams_of_their_own) {
  const auto one = context::cuda(), other = context::cuda();
  EXPECT_NE(one.stream(), nullptr);
  EXPECT_NE(one.stream(), other.stream());
  const context copy = one;
  EXPECT_EQ(copy.stream(), one.stream());
  EXPECT_THROW(context::cuda(1000), error);
}

}  // namespace
}  // namespace gossamer
