// What a small file may cost: every reader asks before it allocates what only a header asks for.
#include "io/files/compress.hpp"
#include "unit/io/io_testing.hpp"
#include "unit/io/zip_testing.hpp"

namespace gossamer::testing {
namespace {

std::string sparse_refusal(std::string_view bytes, const read_options& how = {}) {
  return error_text([&] { static_cast<void>(io::parse_sparse<double>({bytes, "a"}, how)); });
}
std::string dense_refusal(std::string_view bytes, const read_options& how = {}) {
  return error_text([&] { static_cast<void>(io::parse_dense<double>({bytes, "a"}, how)); });
}

void expect_refused(const std::string& found, std::string_view what) {
  EXPECT_TRUE(found.starts_with("bad input: a: its")) << found;
  EXPECT_NE(found.find(what), found.npos) << found;
}

read_options within(index_t limit) {
  read_options how;
  how.unbacked_limit = how.inflated_limit = limit;
  return how;
}

// A dense matrix of many rows and no columns has no values, so that its file is tiny; as a sparse
// matrix it has row offsets.
TEST(limits, rows_of_no_columns_are_not_free_as_sparse_rows) {
  const std::string text = "%%MatrixMarket matrix array real general\n1000000000 0\n";
  ASSERT_LT(text.size(), 60u);
  expect_refused(sparse_refusal(text), "row offsets");
  const index_t shape[] = {1'000'000'000, 0};
  expect_refused(sparse_refusal(io::npy_heading("<f8", shape, false)), "row offsets");
  EXPECT_EQ(dense_refusal(text), "");
  EXPECT_EQ(sparse_refusal("%%MatrixMarket matrix array real general\n1000 0\n", within(8000)), "");
}

class limits_of_files : public own_folder {};

TEST_F(limits_of_files, dense_gsm_files_of_no_columns) {
  write<double>(in("a.gsm"), dense_matrix<double>(1'000'000'000, 0));
  const auto found = error_text([&] { static_cast<void>(read_sparse<double>(in("a.gsm"))); });
  EXPECT_NE(found.find("row offsets"), found.npos) << found;
}

TEST(limits, a_header_of_many_rows_is_refused_by_default) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  expect_refused(sparse_refusal(banner + "268435456 1 0\n"), "row offsets");
  expect_refused(dense_refusal(banner + "268435456 1 0\n"), "row offsets");
  expect_refused(dense_refusal(banner + "30000 30000 0\n"), "dense values");
  EXPECT_EQ(sparse_refusal(banner + "1000000 1 0\n"), "");
  expect_refused(sparse_refusal(banner + "1000000 1 0\n", within(1)), "row offsets");
  EXPECT_EQ(sparse_refusal(banner + "1000000 1 0\n", within(0)), "");
}

TEST(limits, columns_and_triplets_of_scipy_need_row_offsets_too) {
  for (const std::string format : {"csc", "coo"}) {
    std::vector<test_member> members{stored("format.npy", npy_of_text(format)),
                                     stored("shape.npy", npy_of<std::int64_t>({1'000'000'000, 1})),
                                     stored("data.npy", npy_of<double>({}))};
    for (const std::string empty : {"indices.npy", "row.npy", "col.npy"})
      members.push_back(stored(empty, npy_of<std::int32_t>({})));
    members.push_back(stored("indptr.npy", npy_of<std::int32_t>({0, 0})));
    expect_refused(sparse_refusal(zip_of(members)), "row offsets");
  }
}

TEST(limits, gzip_that_inflates_without_end_is_refused_on_the_way) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n";
  text.append(4 << 20, '\n');
  const auto packed = io::deflate_block(text, io::deflate_form::gzip_member);
  ASSERT_LT(packed.size(), 10'000u);
  expect_refused(sparse_refusal(packed, within(1 << 20)), "inflated_limit");
  expect_refused(dense_refusal(packed, within(1 << 20)), "inflated_limit");
  EXPECT_EQ(sparse_refusal(packed), "");
  EXPECT_EQ(sparse_refusal(packed, within(0)), "");
}

// The header is found late: the comments before it are what inflates.
TEST(limits, looking_for_a_header_inflates_no_more_than_reading_does) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n%";
  text.append(4 << 20, ' ');
  text += "\n1 1 0\n";
  const auto packed = io::deflate_block(text, io::deflate_form::gzip_member);
  const io::named_bytes file{packed, "a"};
  EXPECT_EQ(io::inspect(file).shape, (extents{1, 1}));
  expect_refused(error_text([&] { static_cast<void>(io::inspect(file, within(1 << 20))); }),
                 "inflated_limit");
}

TEST(limits, arrays_of_an_archive_are_bounded_together) {
  const std::vector<std::int32_t> zeros(300'001, 0);
  const auto bytes = zip_of(std::vector<test_member>{
      deflated("indptr.npy", npy_of(zeros)), deflated("indices.npy", npy_of<std::int32_t>({})),
      deflated("format.npy", npy_of_text("csr")), deflated("data.npy", npy_of<double>({})),
      deflated("shape.npy", npy_of<std::int64_t>({300'000, 1}))});
  ASSERT_LT(bytes.size(), 4'000u);
  EXPECT_EQ(sparse_refusal(bytes), "");
  expect_refused(sparse_refusal(bytes, within(500'000)), "inflated_limit");
  EXPECT_EQ(sparse_refusal(bytes, within(1'300'000)), "");
}

}  // namespace
}  // namespace gossamer::testing
