// What conversions refuse, before they allocate, and what the message must say.
#include <gtest/gtest.h>

#include "gossamer/convert.hpp"
#include "triplets.hpp"
#include "unit/refusal.hpp"

namespace gossamer::test {
namespace {

/// An arrow: one full row in a matrix of otherwise empty ones.
matrix_case arrow(index_t n) {
  matrix_case drawn{"arrow", {n, n}, {}};
  for (index_t j = 0; j < n; ++j) drawn.entries.push_back({n / 2, j, 1});
  return drawn;
}

void expect_mentions(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Refusal, EllNamesTheBytesAndTheWayOut) {
  const auto a = make_csr<double>(arrow(20000));  // 4.8 GB as ELL, 320 KB as CSR
  expect_mentions(refusal(error_kind::memory_limit, [&] { convert<ell_matrix<double>>(a); }),
                  {"20000 x 20000", "20,000 rows", "20,000 entries", "4.8 GB", "320 KB", "HYB",
                   "SELL-P", "padding_limit"});
  EXPECT_EQ(convert<hyb_matrix<double>>(a).nnz(), 20000);
  EXPECT_EQ(convert<sellp_matrix<double>>(a).nnz(), 20000);
}

TEST(Refusal, SellpWithHugeSlices) {
  const auto a = make_csr<double>(arrow(20000));
  expect_mentions(refusal(error_kind::memory_limit,
                          [&] { convert<sellp_matrix<double>>(a, {.slice = 20000}); }),
                  {"SELL-P", "4.8 GB", "320 KB", "smaller slices"});
}

TEST(Refusal, DenseNamesTheBytes) {
  const auto a = make_csr<float>(arrow(20000));
  expect_mentions(refusal(error_kind::memory_limit, [&] { convert<dense_matrix<float>>(a); }),
                  {"1.6 GB", "dense", "240 KB"});
}

TEST(Refusal, HybWithAnAbsurdColumnLimit) {
  const auto a = make_csr<double>(arrow(20000));
  expect_mentions(refusal(error_kind::memory_limit,
                          [&] {
                            convert<hyb_matrix<double>>(
                                a, {.hyb = {.strategy = hyb_strategy::column_limit,
                                            .columns = index_t{1} << 62}});
                          }),
                  {"HYB", "4.8 GB", "minimal_storage"});
}

TEST(Refusal, TheLimitIsAChoice) {
  const auto a = make_csr<double>(arrow(3000));  // 108 MB as ELL
  EXPECT_THROW(convert<ell_matrix<double>>(a), error);
  EXPECT_EQ(convert<ell_matrix<double>>(a, {.padding_limit = 0}).width(), 3000);
  EXPECT_EQ(convert<ell_matrix<double>>(a, {.padding_limit = 5000}).width(), 3000);
  refusal(error_kind::bad_argument, [&] { convert<ell_matrix<double>>(a, {.padding_limit = -1}); });
  refusal(error_kind::bad_argument,
          [&] { convert<ell_matrix<double>>(a, {.padding_limit = std::nan("")}); });
}

TEST(Refusal, SizesThatDoNotFit64Bits) {
  const coo_view<const double> vast({8, index_t{1} << 61}, index_view(nullptr, 0, index_width::i64),
                                    index_view(nullptr, 0, index_width::i64), nullptr);
  refusal(error_kind::memory_limit, [&] { convert<dense_matrix<double>>(vast); });
  refusal(error_kind::overflow, [&] { convert<dense_matrix<double>>(vast, {.padding_limit = 0}); });
}

TEST(Refusal, ViewsWhoseArraysDoNotMatchTheirShape) {
  const auto a = make_csr<double>(arrow(3));
  auto view = a.view();
  view.shape.rows = 4;
  expect_mentions(refusal(error_kind::bad_argument, [&] { convert<coo_matrix<double>>(view); }),
                  {"4 x 3", "4 offsets were given, expected 5"});
}

TEST(Refusal, OptionsThatMakeNoSense) {
  const auto a = make_csr<double>(arrow(3));
  const auto bad = error_kind::bad_argument;
  expect_mentions(refusal(bad, [&] { convert<sellp_matrix<double>>(a, {.slice = 0}); }),
                  {"slice", "0"});
  refusal(bad, [&] { convert<sellp_matrix<double>>(a, {.slice = index_t{1} << 60}); });
  refusal(bad, [&] { convert<sellp_matrix<double>>(a, {.stride_factor = 0}); });
  refusal(bad, [&] { convert<sellp_matrix<double>>(a, {.sort_window = -3}); });
  refusal(bad, [&] { convert<ell_matrix<double>>(a, {.stride_factor = -1}); });
}

TEST(Refusal, DeviceMemory) {
  const auto a = make_csr<double>(arrow(3));
  auto view = a.view();
  view.where = memory::device;
  expect_mentions(refusal(error_kind::bad_argument, [&] { convert<coo_matrix<double>>(view); }),
                  {"3 x 3", "device"});
}

}  // namespace
}  // namespace gossamer::test
