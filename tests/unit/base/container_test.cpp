// Memory limits of control groups, in a tree of files as the kernel would show it.
#include "base/container.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "gossamer/machine.hpp"

namespace gossamer {
namespace {

class container_files : public testing::Test {
 protected:
  ~container_files() override { std::filesystem::remove_all(root); }

  void add(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text << '\n';
  }
  std::optional<index_t> limit(const std::string& self) {
    std::istringstream text(self);
    return container_memory(text, root);
  }
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("gossamer_groups_" + std::to_string(getpid()));
};

TEST_F(container_files, version_2_takes_the_smallest_on_the_way_up) {
  add("jobs/one/memory.max", "max");
  add("jobs/memory.max", "734003200");
  add("memory.max", "1000000000");
  EXPECT_EQ(limit("0::/jobs/one\n"), 734003200);
  EXPECT_EQ(limit("0::/other\n"), 1000000000);
  add("jobs/one/memory.max", "5000000");
  EXPECT_EQ(limit("0::/jobs/one\n"), 5000000);
}

TEST_F(container_files, version_1_has_a_tree_per_controller) {
  add("memory/docker/abc/memory.limit_in_bytes", "700000000");
  add("memory/memory.limit_in_bytes", "9223372036854771712");  // none
  const std::string self = "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n";
  EXPECT_EQ(limit(self), 700000000);
  EXPECT_EQ(limit("4:hugetlb,memory:/docker/abc\n"), 700000000);
  EXPECT_EQ(limit("4:memory:/\n"), std::nullopt);
  EXPECT_EQ(limit("4:cpu:/docker/abc\n"), std::nullopt);
}

TEST_F(container_files, inside_a_container_the_root_is_the_group) {
  add("memory/memory.limit_in_bytes", "700000000");
  EXPECT_EQ(limit("4:memory:/docker/a-path-of-the-host\n"), 700000000);
}

TEST_F(container_files, what_the_files_do_not_say_is_no_limit) {
  EXPECT_EQ(limit("0::/jobs\n"), std::nullopt);
  add("memory.max", "max");
  EXPECT_EQ(limit("0::/\n"), std::nullopt);
  EXPECT_EQ(limit("nonsense\n\n:\n"), std::nullopt);
  add("memory.max", "12apples");
  EXPECT_EQ(limit("0::/\n"), std::nullopt);
}

TEST(Container, TheMachineHasNoMoreThanIsAllowed) {
  const auto allowed = container_memory();
  EXPECT_LE(this_machine().memory, allowed.value_or(this_machine().memory));
  EXPECT_GT(this_machine().memory, 0);
}

}  // namespace
}  // namespace gossamer
