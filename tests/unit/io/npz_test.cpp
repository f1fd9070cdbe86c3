// SciPy's and NumPy's files, as SciPy and NumPy wrote them (tests/fuzz/corpus/npz).
#include "io/numpy/npy.hpp"
#include "io/numpy/zip.hpp"
#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

const triplets<double> wanted{{0, 0, 1.5}, {0, 2, -2}, {2, 0, 3}, {2, 1, 4}, {2, 3, 1e-3}};

TEST(npz, every_layout_scipy_writes_gives_the_same_matrix) {
  for (const std::string file : {"csr", "csr_deflated", "csc", "coo", "csr_i8"}) {
    const auto a = read_sparse<double>(corpus("npz/" + file + ".npz"));
    EXPECT_EQ(a.shape(), (extents{3, 4})) << file;
    EXPECT_EQ(entries_of(a), wanted) << file;
    EXPECT_EQ(a.index_widths(), (widths{index_width::i32, index_width::i32})) << file;
  }
}

TEST(npz, numbers_of_other_types_are_converted) {
  EXPECT_EQ(read_sparse<double>(corpus("npz/csr_f4.npz")).values()[4], static_cast<double>(1e-3f));
  EXPECT_EQ(entries_of(read_sparse<float>(corpus("npz/csr_i1.npz"))),
            (triplets<float>{{0, 0, 1}, {0, 2, -2}, {2, 0, 3}, {2, 1, 4}, {2, 3, 0}}));
  EXPECT_EQ(entries_of(read_sparse<double>(corpus("npz/csr_bool.npz"))),
            (triplets<double>{{0, 0, 1}, {0, 2, 1}, {2, 0, 1}, {2, 1, 1}, {2, 3, 1}}));
}

TEST(npz, unsorted_rows_are_sorted_and_duplicates_added_up) {
  EXPECT_EQ(entries_of(read_sparse<double>(corpus("npz/csr_untidy.npz"))),
            (triplets<double>{{0, 0, 2}, {0, 2, 5}, {1, 1, 8}}));
}

TEST(npz, other_sparse_formats_are_refused_by_name) {
  const auto bsr = error_text([] { read_sparse<double>(corpus("npz/bsr.npz")); });
  EXPECT_TRUE(bsr.starts_with("bad input")) << bsr;
  EXPECT_NE(bsr.find("'bsr'"), bsr.npos);
  EXPECT_NE(bsr.find("tocsr"), bsr.npos);
  EXPECT_NE(error_text([] { read_sparse<double>(corpus("npz/dia.npz")); }).find("'dia'"),
            std::string::npos);
  EXPECT_TRUE(error_text([] {
                read_sparse<double>(corpus("npz/complex.npz"));
              }).starts_with("not available"));
}

TEST(npz, is_described_without_being_read) {
  const auto info = inspect_file(corpus("npz/coo.npz"));
  EXPECT_EQ(info.kind, file_kind::npz);
  EXPECT_EQ(info.shape, (extents{3, 4}));
  EXPECT_EQ(info.stored, 5);
  EXPECT_EQ(info.field, "real");
  EXPECT_FALSE(info.dense);
}

TEST(npy, dense_arrays_in_either_order) {
  for (const std::string file : {"c_order", "f_order", "f4"}) {
    const auto a = read_dense<double>(corpus("npz/" + file + ".npy"));
    ASSERT_EQ(a.shape(), (extents{2, 3})) << file;
    for (index_t k = 0; k < 6; ++k) EXPECT_EQ(a(k / 3, k % 3), static_cast<double>(k + 1)) << file;
  }
  const auto vector = read_dense<float>(corpus("npz/vector.npy"));
  EXPECT_EQ(vector.shape(), (extents{4, 1}));
  EXPECT_EQ(vector(3, 0), 3);
}

template <class Number>
void expect_seven(std::string_view descr) {
  const index_t shape[] = {1, 1};
  const Number seven{7};
  const auto bytes = io::npy_heading(descr, shape, false) + std::string(io::bytes_of(&seven, 1));
  EXPECT_EQ(io::parse_dense<double>({bytes, "a"}, {})(0, 0), 7) << descr;
}

TEST(npy, numbers_of_every_type_are_read) {
  expect_seven<double>("<f8"), expect_seven<float>("<f4");
  expect_seven<std::int64_t>("<i8"), expect_seven<std::int32_t>("<i4");
  expect_seven<std::int16_t>("<i2"), expect_seven<std::int8_t>("|i1");
  expect_seven<std::uint64_t>("<u8"), expect_seven<std::uint32_t>("<u4");
  expect_seven<std::uint16_t>("<u2"), expect_seven<std::uint8_t>("|u1");
}

TEST(npy, what_cannot_be_read_is_said) {
  EXPECT_NE(error_text([] { read_dense<double>(corpus("npz/big.npy")); }).find("big-endian"),
            std::string::npos);
  EXPECT_NE(error_text([] { read_dense<double>(corpus("npz/cube.npy")); }).find("3 dimensions"),
            std::string::npos);
}

TEST(npy, headers_are_those_numpy_writes) {
  const index_t one[] = {5}, two[] = {2, 3};
  const auto text = io::npy_heading("<f8", one, false);
  EXPECT_EQ(text.size() % 64, 0u);
  EXPECT_NE(text.find("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }"), text.npos);
  EXPECT_NE(io::npy_heading("<i4", two, true).find("'fortran_order': True, 'shape': (2, 3), }"),
            std::string::npos);
  EXPECT_NE(io::npy_heading("|S3", {}, false).find("'shape': (), }"), std::string::npos);
  const auto parsed = io::parse_npy_header({text, "x"});
  EXPECT_EQ(parsed.shape, std::vector<index_t>{5});
  EXPECT_EQ(parsed.data, text.size());
}

class zips : public own_folder {};

TEST_F(zips, come_back_as_written_in_32_and_64_bits) {
  std::string body(3'000'000, '\0');
  for (std::size_t k = 0; k < body.size(); ++k) body[k] = static_cast<char>(k * k >> 7);
  for (const std::uint64_t zip64_from : {std::uint64_t{0xffffffff}, std::uint64_t{0}}) {
    {
      io::atomic_file file(in("a.zip"));
      const write_options how;
      io::zip_writer archive(file, how, zip64_from);
      archive.add("big", "head", body);
      archive.add("empty", "", "");
      archive.add("small", "", "x");
      archive.finish();
      file.commit();
    }
    const auto bytes = slurp(in("a.zip"));
    io::zip_archive archive({bytes, "a.zip"}, {});
    ASSERT_EQ(archive.members().size(), 3u);
    const auto contents = archive.contents(*archive.find("big"));
    EXPECT_TRUE(std::string(contents.data(), static_cast<std::size_t>(contents.size())) ==
                "head" + body);
    EXPECT_EQ(archive.contents(*archive.find("empty")).size(), 0);
    EXPECT_EQ(archive.contents(*archive.find("small"))[0], 'x');
    EXPECT_EQ(archive.find("other"), nullptr);
  }
}

}  // namespace
}  // namespace gossamer::testing
