// Suites and subjects: what is measured, by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/subjects/subject.hpp"
#include "gossamer/error.hpp"

namespace gossamer::bench {
namespace {

namespace fs = std::filesystem;

class suites : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("suites-" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  std::string refusal(const std::string& text) const {
    try {
      load_suite(file("suite.json", text), {});
    } catch (const error& e) {
      return e.what();
    }
    return "";
  }
  fs::path folder;
};

constexpr auto identity = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n";

TEST_F(suites, every_built_in_one_can_be_read) {
  for (const auto& name : built_in_suites()) {
    if (name == "real" || name.starts_with("choice-")) {  // the matrices of a folder
      EXPECT_THROW(load_suite(name, {}), error) << name;
      continue;
    }
    const suite read = load_suite(name, {});
    EXPECT_EQ(read.name, name);
    EXPECT_FALSE(read.subjects.empty()) << name;
  }
  EXPECT_EQ(built_in_suites().size(), 6);
}

TEST_F(suites, real_asks_for_its_folder) {
  EXPECT_THROW(load_suite("real", {}), error);
  file("b.mtx", identity);
  file("a.mtx.gz", "");
  file("notes.txt", "not a matrix");
  const suite read = load_suite("real", folder);
  ASSERT_EQ(read.subjects.size(), 2);
  EXPECT_EQ(read.subjects[0].name, "a");
  EXPECT_EQ(read.subjects[1].name, "b");
  EXPECT_EQ(read.subjects[1].kind, "real");
}

TEST_F(suites, fields_mean_what_they_say) {
  file("p.mtx", identity);
  const suite read = load_suite(file("own.json", R"({"suite": "own", "matrices": [
      {"name": "one", "class": "mesh", "recipe": "poisson2d:nx=4,ny=4", "labels": ["Fig. 1"],
       "operations": ["spgemm"], "transpose": true, "right": {"multiply": ["A", "p.mtx"]},
       "columns": [2, 4], "size": "large"},
      {"file": "p.mtx"}]})"),
                                {});
  ASSERT_EQ(read.subjects.size(), 2);
  const subject& one = read.subjects[0];
  EXPECT_EQ(one.right, (std::vector<std::string>{"A", (folder / "p.mtx").string()}));
  EXPECT_TRUE(one.transpose);
  EXPECT_TRUE(one.large);
  EXPECT_EQ(one.columns, (std::vector<index_t>{2, 4}));
  EXPECT_TRUE(one.takes_part_in("spgemm"));
  EXPECT_FALSE(one.takes_part_in("spmv"));
  EXPECT_EQ(read.subjects[1].name, "p");
  EXPECT_TRUE(read.subjects[1].takes_part_in("spmm"));
}

TEST_F(suites, what_is_wrong_is_said) {
  EXPECT_NE(refusal("{"), "");
  EXPECT_NE(refusal(R"({"matrices": []})").find("suite"), std::string::npos);
  EXPECT_NE(refusal(R"({"suite": "x", "matrices": [{"name": "a"}]})").find("matrix 1"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"suite": "x", "matrices": [{"recipe": "a", "colour": 1}]})").find("colour"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"suite": "x", "matrices": [{"name": "a", "recipe": "r"},
                                                   {"name": "a", "recipe": "s"}]})")
                .find("two matrices"),
            std::string::npos);
  EXPECT_THROW(load_suite("no such suite", {}), error);
}

TEST_F(suites, words_of_a_command_line) {
  file("m.mtx", identity);
  const auto found = subjects_from({folder.string(), "er:scale=4,edge-factor=2"});
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].name, "m");
  EXPECT_EQ(found[1].name, "er:scale=4,edge-factor=2");
}

TEST_F(suites, factors_of_a_galerkin_product) {
  const subject triple{.name = "PtAP",
                       .source = "aggregation:nx=6,ny=6,nz=1,block=3",
                       .transpose = true,
                       .right = {"poisson2d:nx=6,ny=6", "A"}};
  load_watch nobody;
  const auto of = load_factors<double>(triple, operation::spgemm, {}, nobody);
  EXPECT_EQ(of.a.shape(), (extents{4, 36}));
  EXPECT_EQ(of.sparse().shape(), (extents{36, 4}));
  const auto coarse = multiply(context::reference(), of.a, of.sparse());
  EXPECT_EQ(coarse.nnz(), 12) << "each box meets itself and its two neighbours";
}

TEST_F(suites, shapes_that_do_not_fit_are_refused) {
  const subject tall{.name = "tall", .source = "random:rows=9,cols=4,per-row=2"};
  load_watch nobody;
  EXPECT_THROW(load_factors<double>(tall, operation::spgemm, {}, nobody), error);
  EXPECT_EQ(load_factors<double>(tall, operation::spmm, {.columns = 3}, nobody).dense.shape(),
            (extents{4, 3}));
}

}  // namespace
}  // namespace gossamer::bench
