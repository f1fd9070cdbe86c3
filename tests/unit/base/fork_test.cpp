// Parallel loops in a child of fork(), after the parent used its threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "base/parallel.hpp"

namespace gossamer {

namespace {

int count_calls(int threads) {
  std::atomic<int> calls{0};
  parallel_chunks(threads, 100, [&](index_t) { ++calls; });
  return calls;
}

TEST(Fork, ParentAndChildHaveThreads) {
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(count_calls(3), 100);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(30);  // a child that waits for threads it does not have is ended, and fails the test
      _exit(count_calls(3) == 100 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  }
  EXPECT_EQ(count_calls(3), 100);
}

}  // namespace

}  // namespace gossamer
