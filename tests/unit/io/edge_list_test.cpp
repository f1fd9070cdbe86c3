// Edge lists as those of the SNAP collection, and symmetric Matrix Market files on output.
#include <fstream>
#include <sstream>

#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

TEST(edge_lists, nodes_count_from_zero_and_weights_are_optional) {
  const auto a = sparse_text("# Directed graph\n# FromNodeId\tToNodeId\n0\t2\n2\t1\n0\t2\n\n");
  EXPECT_EQ(a.shape(), (extents{3, 3}));
  EXPECT_EQ(entries_of(a), (triplets<double>{{0, 2, 2}, {2, 1, 1}}));  // listed twice: added
  const auto b = sparse_text("3 1 0.5\n1,0,-2\n% also a comment\n  0 3 4 # and this\r\n");
  EXPECT_EQ(entries_of(b), (triplets<double>{{0, 3, 4}, {1, 0, -2}, {3, 1, 0.5}}));
  EXPECT_EQ(sparse_text("# nothing\n").shape(), (extents{0, 0}));
}

TEST(edge_lists, broken_ones_name_the_line) {
  for (const auto& [text, part] :
       {std::pair{"0 1\n2\n", "line 2"}, std::pair{"0 1\n-1 2\n", "line 2"},
        std::pair{"0 1 x\n", "the weight is 'x'"}, std::pair{"0 1 2 3\n", "after the weight"},
        std::pair{"0 1.5\n", "whole numbers"},
        std::pair{"# a\n0 99999999999999999999\n", "line 2"}}) {
    const auto found = error_text([&text = text] { static_cast<void>(sparse_text(text)); });
    EXPECT_TRUE(found.starts_with("bad input: test.mtx")) << found;
    EXPECT_NE(found.find(part), found.npos) << found;
  }
}

TEST(edge_lists, a_large_node_in_a_small_file_is_refused) {
  const auto found = error_text([&] { static_cast<void>(sparse_text("0 999999999999\n")); });
  EXPECT_TRUE(found.starts_with("bad input")) << found;
}

TEST(symmetric_output, lists_one_triangle_and_reads_back) {
  const auto path = std::filesystem::temp_directory_path() / "gossamer_symmetric_test.mtx";
  const auto a = sparse_text(
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 1 -1\n3 1 0\n3 3 5\n");
  write(path, a, {.symmetric = true});
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(
      text.str(),
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 1 -1\n3 1 0\n3 3 5\n");
  EXPECT_EQ(entries_of(read_sparse<double>(path)), entries_of(a));
  const auto general = sparse_text("0 1\n1 0 2\n");
  EXPECT_NE(error_text([&] { write(path, general, {.symmetric = true}); }).find("(1, 2)"),
            std::string::npos);
  const auto wide = sparse_text("%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 1\n");
  EXPECT_NE(error_text([&] { write(path, wide, {.symmetric = true}); }).find("not square"),
            std::string::npos);
  EXPECT_EQ(entries_of(read_sparse<double>(path)), entries_of(a));  // still the one before
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gossamer::testing
