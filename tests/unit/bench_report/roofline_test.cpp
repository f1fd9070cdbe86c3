#include "bench/report/roofline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace gossamer::bench {
namespace {

// Tags that open close again, in order, and quotes within them are even. (By hand: GCC 12 warns
// about the inside of std::regex under sanitizers.)
bool well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const auto end = svg.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag.empty() || tag.find('<') != std::string::npos) return false;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    const bool closes = tag.front() == '/';
    const std::string name =
        tag.substr(closes ? 1 : 0, tag.find_first_of(" \n/", 1) - (closes ? 1 : 0));
    if (closes) {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

roofline example() {
  roofline known;
  known.stream = {{1, 9e9, 9e9, 1e10, 1e10}, {2, 1.8e10, 1.8e10, 2e10, 2e10}};
  known.caches = {{1, {}, 1e11, 5e10, 3e10, 1e10}, {2, {}, 2e11, 1e11, 6e10, 2e10}};
  known.devices = {{"device <0> & co", 4e12, 1.5e11}};
  known.points = {{"a \"b\" <c>", "k", 0.1, 1, 2, false, false},
                  {"d", "p", 0.1, 0.5, 2, true, true}};
  return known;
}

TEST(Roofline, BoundsAreThoseOfTheModel) {
  // cf = 1, b = 16: 1/16, 1/48, 1/80 products per byte.
  EXPECT_DOUBLE_EQ(spgemm_intensity(spgemm_bound::upper, 1, 16), 1.0 / 16);
  EXPECT_DOUBLE_EQ(spgemm_intensity(spgemm_bound::row, 1, 16), 1.0 / 48);
  EXPECT_DOUBLE_EQ(spgemm_intensity(spgemm_bound::outer, 1, 16), 1.0 / 80);
  EXPECT_DOUBLE_EQ(spgemm_intensity(spgemm_bound::outer, 2, 12), 2.0 / 84);
  EXPECT_DOUBLE_EQ(spgemm_gflops(spgemm_bound::upper, 1, 16, 1.6e10), 2);
}

TEST(Roofline, SvgIsWellFormedAndSelfContained) {
  const auto known = example();
  const std::string svg = to_svg({ceilings_plot(known), spgemm_plot(known, "f64")}, "a & b");
  EXPECT_TRUE(well_formed(svg)) << svg;
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(svg.find("device &lt;0&gt; &amp; co"), std::string::npos);
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Roofline, TerminalKeepsItsWidth) {
  const auto known = example();
  for (const int columns : {60, 80, 120})
    for (const auto& p : {ceilings_plot(known), spgemm_plot(known, "f32")}) {
      const std::string text = plain(draw(p, columns, 18));
      int width = 0;
      for (const char c : text) {
        if (c == '\n') {
          EXPECT_LE(width, columns) << text;
          width = 0;
        } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
          ++width;
        }
      }
    }
}

TEST(Roofline, PointsAreOursAndTheFastestPeer) {
  raced_case c;
  c.operation = "spmv", c.matrix = "m", c.threads = 2, c.flop = 2, c.bytes = 16;
  for (const auto& [name, kind, gflops] :
       {std::tuple{"k", record_kind::kernel, 9.0}, std::tuple{"best", record_kind::choice, 3.0},
        std::tuple{"p", record_kind::peer, 1.0}, std::tuple{"q", record_kind::peer, 2.0}}) {
    record r;
    r.contestant = name, r.kind = kind, r.gflops = gflops, r.backend = "openmp", r.mode = "whole";
    r.kernel = kind == record_kind::peer ? "" : "k";
    c.records.push_back(r);
  }
  results file;
  file.cases = {c};
  const auto points = points_of(file, 2, "");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_DOUBLE_EQ(points[0].gflops, 3);
  EXPECT_DOUBLE_EQ(points[0].intensity, 0.125);
  EXPECT_EQ(points[1].contestant, "q");
  EXPECT_TRUE(points_of(file, 1, "").empty());
  EXPECT_TRUE(points_of(file, 2, "spgemm").empty());
}

TEST(Phases, AreSummedOverCasesAndCountedOncePerKernel) {
  raced_case c;
  c.operation = "spgemm", c.matrix = "m", c.threads = 2, c.flop = 2, c.bytes = 16;
  record kernel, choice, device, numeric;
  kernel.kind = record_kind::kernel, kernel.kernel = "k", kernel.mode = "whole";
  kernel.backend = "openmp";
  kernel.phases = {{"expand", 1, 4e9}, {"sort", 3, 6e9}};
  choice = device = numeric = kernel;
  choice.kind = record_kind::choice;
  device.backend = "cuda";
  numeric.mode = "numeric";
  c.records = {kernel, choice, device, numeric};
  raced_case chosen = c;  // here only the choice ran
  chosen.records = {choice};
  chosen.records[0].phases = {{"expand", 1, 2e9}, {"sort", 1, 2e9}, {"convert", 1, 1e9}};
  results file;
  file.bandwidth = {{1, 0, 0, 0, 1}, {2, 0, 0, 0, 8e9}};
  file.cases = {c, chosen};
  const double triad = triad_of(file, 2);
  const std::vector<phased_case> both{{&c, triad}, {&chosen, triad}};
  const auto found = phases_of(both);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "expand");
  EXPECT_EQ(found[0].cases, 2u);
  EXPECT_DOUBLE_EQ(found[0].seconds, 2);
  EXPECT_DOUBLE_EQ(found[0].rate(), 3e9);
  EXPECT_DOUBLE_EQ(found[0].share().value(), 3.0 / 8);
  EXPECT_DOUBLE_EQ(found[1].all_seconds, 7);
  EXPECT_EQ(found[2].cases, 1u);
  const std::vector<phased_case> unknown{{&c, triad}, {&chosen, triad_of(file, 3)}};
  EXPECT_FALSE(phases_of(unknown)[0].share());
  const auto by_case = phases_by_case(file, 2, "spgemm");
  ASSERT_EQ(by_case.size(), 2u);
  EXPECT_EQ(by_case[1].phases.size(), 3u);
  EXPECT_TRUE(phases_by_case(file, 2, "spmv").empty());
  EXPECT_TRUE(phases_by_case(file, 1, "").empty());
}

TEST(Caches, SetsBelongToTheLevelTheyFill) {
  machine here;
  here.l1 = 32, here.l2 = 256, here.l3 = 4096;
  const auto found = by_level(
      1, {{16, 100}, {32, 90}, {64, 50}, {128, 55}, {256, 40}, {1024, 20}, {2048, 25}, {16384, 7}},
      here);
  EXPECT_EQ(found.l1, 100);
  EXPECT_EQ(found.l2, 55);
  EXPECT_EQ(found.l3, 25);
  EXPECT_EQ(found.memory, 7);
}

TEST(Axis, HoldsWhatIsIncludedBetweenPowersOfTwo) {
  log_axis axis{"x", 1, 2};
  axis.include(0.3), axis.include(9);
  EXPECT_DOUBLE_EQ(axis.low, 0.25);
  EXPECT_DOUBLE_EQ(axis.high, 16);
  EXPECT_DOUBLE_EQ(axis.position(2), 0.5);
  EXPECT_EQ(axis.ticks(7).size(), 7u);
  EXPECT_EQ(axis.ticks(4).size(), 4u);
  EXPECT_EQ(power_text(0.125), "1/8");
  EXPECT_EQ(power_text(16), "16");
}

}  // namespace
}  // namespace gossamer::bench
