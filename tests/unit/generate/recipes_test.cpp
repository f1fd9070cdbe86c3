// Every kind by name: what holds for all of them, and the settings.
#include "support.hpp"

namespace gossamer::generate {
namespace {

using settings_list = std::vector<std::string>;

/// Large enough that teams really share the work (2^14 rows or nonzeros and more).
settings_list moderate(const std::string& kind) {
  const std::map<std::string, settings_list> chosen{
      {"poisson2d", {"nx=150", "ny=130", "stencil=9"}},
      {"poisson3d", {"nx=30", "nz=25", "stencil=27"}},
      {"aggregation", {"nx=30", "nz=25", "smooth=element"}},
      {"fem", {"domain=ball", "n=3000"}},
      {"rmat", {"scale=12", "edge-factor=9"}},
      {"er", {"scale=13", "edge-factor=7"}},
      {"banded", {"rows=5000"}},
      {"power-law", {"rows=20000", "longest=900"}},
      {"aspect", {"rows=100", "cols=3000", "nnz=60000"}},
      {"dense-row", {"rows=9000", "dense=7000"}},
      {"dense-column", {"rows=9000", "dense=7000"}},
      {"random", {"rows=9000", "cols=500", "per-row=3"}}};
  return chosen.at(kind);
}

bool has_seed(const recipe& r) {
  for (const auto& p : r.parameters)
    if (p.name == "seed") return true;
  return false;
}

TEST(Recipes, SameBitsForAnyNumberOfThreads) {
  for (const auto& r : recipes()) {
    const auto one = by_name<double>(context::openmp(1), r.kind, moderate(r.kind));
    expect_sorted_rows(one);
    EXPECT_GT(one.nnz(), 16384) << r.kind;
    EXPECT_TRUE(same_bits(one, by_name<double>(context::reference(), r.kind, moderate(r.kind))));
    for (const int threads : {2, 5})
      EXPECT_TRUE(
          same_bits(one, by_name<double>(context::openmp(threads), r.kind, moderate(r.kind))))
          << r.kind << " with " << threads;
  }
}

TEST(Recipes, SeedsDifferAndFloatsShareThePattern) {
  for (const auto& r : recipes()) {
    auto chosen = moderate(r.kind);
    const auto doubles = by_name<double>(context::openmp(2), r.kind, chosen);
    const auto floats = by_name<float>(context::openmp(2), r.kind, chosen);
    ASSERT_EQ(doubles.nnz(), floats.nnz()) << r.kind;
    for (index_t p = 0; p < doubles.nnz(); ++p)
      ASSERT_EQ(doubles.column_indices()[p], floats.column_indices()[p]) << r.kind;
    if (!has_seed(r)) continue;
    chosen.push_back("seed=2");
    EXPECT_FALSE(same_bits(doubles, by_name<double>(context::openmp(2), r.kind, chosen))) << r.kind;
  }
}

TEST(Recipes, EveryParameterIsExplained) {
  for (const auto& r : recipes()) {
    EXPECT_FALSE(r.summary.empty()) << r.kind;
    for (const auto& p : r.parameters) {
      EXPECT_FALSE(p.value.empty()) << r.kind << " " << p.name;
      EXPECT_FALSE(p.help.empty()) << r.kind << " " << p.name;
      // Each parameter is read: nonsense is noticed (cols and stencil included).
      const auto text = error_of([&] { by_name<double>(one_thread(), r.kind, {p.name + "=?"}); });
      expect_mentions(text, {"bad", r.kind, p.name, "'?'"});
    }
  }
}

TEST(Recipes, ValuesMayBePowersOrNamesOfOtherParameters) {
  EXPECT_EQ(by_name<double>(one_thread(), "poisson2d", {"nx=2^3", "ny=5"}).rows(), 40);
  EXPECT_EQ(by_name<double>(one_thread(), "poisson2d", {"nx=7"}).rows(), 49);
  EXPECT_EQ(by_name<double>(one_thread(), "poisson2d", {"ny=3", "nx=ny"}).rows(), 9);
  EXPECT_EQ(by_name<double>(one_thread(), "rmat", {"scale=3", "edge_factor=2"}).rows(), 8);
  const auto tall = by_name<double>(one_thread(), "aspect", {"rows=2^4", "nnz=100"});
  EXPECT_EQ(tall.shape(), (extents{16, 7}));
}

TEST(Recipes, WrongSettingsAreNamed) {
  const auto text = [](const char* kind, settings_list s) {
    return error_of([&] { by_name<double>(one_thread(), kind, s); });
  };
  expect_mentions(text("poison", {}), {"bad", "'poison'", "poisson2d", "dense-column"});
  expect_mentions(text("rmat", {"edges=3"}),
                  {"rmat", "'edges'", "scale, edge-factor, a, b, c, seed"});
  expect_mentions(text("rmat", {"scale"}), {"'scale'", "name=value"});
  expect_mentions(text("rmat", {"scale=3", "scale=4"}), {"scale", "twice"});
  expect_mentions(text("rmat", {"scale=-3"}), {"scale", "'-3'"});
  expect_mentions(text("rmat", {"scale=3 "}), {"scale", "'3 '"});
  expect_mentions(text("rmat", {"scale=1e3"}), {"scale", "'1e3'"});
  expect_mentions(text("rmat", {"scale=5000000000"}), {"scale", "5,000,000,000"});
  expect_mentions(text("rmat", {"seed=-1"}), {"seed", "'-1'"});
  expect_mentions(text("rmat", {"a=half"}), {"a is 'half'"});
  expect_mentions(text("poisson2d", {"nx=2^63"}), {"nx", "'2^63'"});
  expect_mentions(text("poisson2d", {"nx=99999999999999999999"}), {"nx", "below 2^63"});
  expect_mentions(text("poisson2d", {"nx=ny"}), {"refers to itself"});
  expect_mentions(text("poisson2d", {"stencil=7"}), {"stencil is '7'", "5, 9"});
  expect_mentions(text("aggregation", {"smooth=9"}),
                  {"smooth is '9'", "none, difference, element"});
  expect_mentions(text("fem", {"domain=cube"}), {"domain is 'cube'", "disc, l-shape, ball"});
  expect_mentions(text("poisson3d", {"nx=10000000000"}), {"overflow", "poisson3d"});
  expect_mentions(text("random", {"rows=2^40", "per-row=2^40"}), {"overflow", "random"});
}

TEST(Recipes, WidthsAreTheNarrowest) {
  const auto a = by_name<double>(one_thread(), "random", {"rows=3", "cols=2^31", "per-row=2"});
  EXPECT_EQ(a.index_widths(), (widths{index_width::i64, index_width::i64}));
  expect_sorted_rows(a);
  const auto b =
      by_name<double>(one_thread(), "random", {"rows=3", "cols=2147483647", "per-row=2"});
  EXPECT_EQ(b.index_widths(), (widths{index_width::i32, index_width::i32}));
}

}  // namespace
}  // namespace gossamer::generate
