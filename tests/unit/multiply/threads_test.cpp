// Calls from several threads, from inside parallel regions, and one plan shared by all.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

class Threads : public testing::Test {
 protected:
  context cpu = context::openmp(3);
  csr_matrix<double> a = generate::rmat<double>(cpu, 10, 8);
  std::vector<double> x = std::vector<double>(static_cast<std::size_t>(a.cols()), 0.5);
  std::vector<double> wanted = std::vector<double>(static_cast<std::size_t>(a.rows()));
  void SetUp() override { multiply(cpu, a, x, wanted, {.algorithm = "merge"}); }
};

TEST_F(Threads, TwoContextsInTwoThreads) {
  std::vector<std::thread> callers;
  std::vector<std::vector<double>> results(2, std::vector<double>(wanted.size()));
  std::vector<csr_matrix<double>> squares(2);
  for (std::size_t t = 0; t < 2; ++t)
    callers.emplace_back([&, t] {
      const auto mine = context::openmp(1 + static_cast<int>(t));
      for (int repeat = 0; repeat < 5; ++repeat) {
        multiply(mine, a, x, results[t], {.algorithm = "merge"});
        squares[t] = multiply(mine, a, a);
      }
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(results[0], wanted);
  EXPECT_EQ(results[1], wanted);
  EXPECT_TRUE(std::ranges::equal(squares[0].values(), squares[1].values()));
}

TEST_F(Threads, CallsFromInsideARegion) {
  std::vector<std::vector<double>> results(4, std::vector<double>(wanted.size()));
  parallel_chunks(2, 4, [&](index_t chunk) {
    multiply(cpu, a, x, results[static_cast<std::size_t>(chunk)], {.algorithm = "merge"});
  });
  for (const auto& result : results) EXPECT_EQ(result, wanted);
}

TEST_F(Threads, OnePlanForAll) {
  std::vector<double> y(wanted.size());
  const plan shared = multiply_inspect(cpu, a, x, y, {.algorithm = "merge"});
  std::vector<std::vector<double>> results(3, y);
  std::vector<std::thread> callers;
  for (auto& result : results) callers.emplace_back([&] { multiply(shared, a, x, result); });
  for (auto& caller : callers) caller.join();
  for (const auto& result : results) EXPECT_EQ(result, wanted);
}

TEST_F(Threads, AnErrorInAMemberReachesTheCaller) {
  class failing_memory final : public memory_resource {
   public:
    void* allocate(std::size_t) override { throw error(error_kind::out_of_memory, "none left"); }
    void deallocate(void*, std::size_t) noexcept override {}
  };
  const auto poor = cpu.with_memory(std::make_shared<failing_memory>());
  EXPECT_THROW(multiply(poor, a, a), error);
}

}  // namespace
}  // namespace gossamer
