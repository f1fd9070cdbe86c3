// A kernel's id, its path and its symbol are one name.
#include "kernels/catalog.hpp"

#include <gtest/gtest.h>

#include <set>

namespace gossamer {
namespace {

TEST(catalog, ids_are_the_paths_of_the_kernels) {
  ASSERT_FALSE(kernel_list().empty());
  for (const auto& [id, listed] : kernel_list()) EXPECT_EQ(id, listed->id);
}

TEST(catalog, no_id_is_listed_twice) {
  std::set<std::string_view> seen;
  for (const auto* k : all_kernels()) EXPECT_TRUE(seen.insert(k->id).second) << k->id;
  EXPECT_EQ(seen.size(), kernel_list().size());
}

TEST(catalog, every_kernel_can_be_read_about) {
  for (const auto* k : all_kernels()) {
    EXPECT_FALSE(k->summary.empty()) << k->id;
    EXPECT_FALSE(k->reference.empty()) << k->id;
    EXPECT_NE(k->consider, nullptr) << k->id;
  }
}

}  // namespace
}  // namespace gossamer
