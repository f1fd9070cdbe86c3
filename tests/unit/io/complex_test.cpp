// Complex values in every file format.
#include "gossamer/io.hpp"
#include "io_testing.hpp"

namespace gossamer::testing {

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

std::string with_symmetry(std::string_view symmetry) {
  return formatted("%%MatrixMarket matrix coordinate complex {}\n2 2 2\n1 1 4 0\n2 1 1.5 -2\n",
                   symmetry);
}

csr_matrix<c128> sample() {
  return sparse_text<c128>(
      "%%MatrixMarket matrix coordinate complex general\n"
      "3 4 5\n1 1 1 2\n1 4 0 -3.5\n2 2 0.1 1e-300\n3 1 -7 0\n3 4 inf nan\n");
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0;
}

class complex_files : public own_folder {};

}  // namespace

TEST(complex_matrix_market, is_read_with_its_symmetry) {
  EXPECT_EQ(entries_of(sparse_text<c128>(with_symmetry("general"))),
            (triplets<c128>{{0, 0, 4}, {1, 0, {1.5, -2}}}));
  EXPECT_EQ(entries_of(sparse_text<c128>(with_symmetry("symmetric"))),
            (triplets<c128>{{0, 0, 4}, {0, 1, {1.5, -2}}, {1, 0, {1.5, -2}}}));
  EXPECT_EQ(entries_of(sparse_text<c64>(with_symmetry("hermitian"))),
            (triplets<c64>{{0, 0, 4}, {0, 1, {1.5F, 2}}, {1, 0, {1.5F, -2}}}));
}

TEST_F(complex_files, are_written_with_their_symmetry) {
  const auto path = in("one_triangle.mtx");
  for (const char* const symmetry : {"symmetric", "hermitian"}) {
    const auto a = sparse_text<c128>(with_symmetry(symmetry));
    write(path, a, {.symmetric = true});
    const auto found = inspect_file(path);
    EXPECT_EQ(found.symmetry, symmetry);
    EXPECT_EQ(found.stored, 2);
    EXPECT_EQ(entries_of(read_sparse<c128>(path)), entries_of(a));
  }
  const auto general = sparse_text<c128>(with_symmetry("general"));
  EXPECT_NE(error_text([&] { write(path, general, {.symmetric = true}); }).find("(2, 1)"),
            std::string::npos);
}

TEST(complex_matrix_market, reads_arrays_and_careful_lines) {
  const auto array = dense_text<c128>(
      "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n 2.5d0   +1\t% why not\n3 0\n");
  EXPECT_EQ(array(1, 0), c128(2.5, 1));
  EXPECT_EQ(array(0, 1), c128(2.5, -1));
  EXPECT_EQ(array(1, 1), c128(3));
}

TEST(complex_matrix_market, says_what_a_line_lacks) {
  const auto found = error_text([] {
    sparse_text<c128>("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 5\n");
  });
  EXPECT_NE(found.find("line 3"), found.npos) << found;
  EXPECT_NE(found.find("imaginary"), found.npos) << found;
  EXPECT_NE(
      error_text([] {
        sparse_text<c128>("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 5 x\n");
      }).find("expected a number"),
      std::string::npos);
}

TEST(complex_matrix_market, real_files_become_complex_and_not_the_other_way) {
  const auto real = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 -4\n";
  EXPECT_EQ(entries_of(sparse_text<c64>(real)), (triplets<c64>{{0, 0, 3}, {0, 1, -4}, {1, 0, -4}}));
  const auto found = error_text([] { sparse_text<float>(with_symmetry("general")); });
  EXPECT_TRUE(found.starts_with("not available")) << found;
  EXPECT_NE(found.find("c128"), found.npos) << found;
}

TEST_F(complex_files, come_back_bit_by_bit_in_every_format) {
  const auto a = sample();
  for (const auto* const file : {"a.mtx", "a.mtx.gz", "a.npz", "a.gsm"}) {
    write(in(file), a);
    const auto info = inspect_file(in(file));
    EXPECT_EQ(info.field, "complex") << file;
    const auto back = read_sparse<c128>(in(file));
    EXPECT_EQ(back.nnz(), a.nnz()) << file;
    EXPECT_TRUE(same_bits(a, back) || std::string_view(file).find("mtx") != std::string_view::npos)
        << file;  // text does not keep the bits of a NaN
    EXPECT_EQ(back.values()[3], c128(-7)) << file;
    EXPECT_EQ(read_sparse<c64>(in(file)).values()[1], c64(0, -3.5F)) << file;
    EXPECT_TRUE(error_text([&] { read_sparse<double>(in(file)); }).starts_with("not available"))
        << file;
  }
}

TEST_F(complex_files, dense_ones_come_back_in_both_orders) {
  for (const auto order : {layout::row_major, layout::column_major}) {
    dense_matrix<c64> a(2, 3, order);
    for (index_t i = 0; i < 2; ++i)
      for (index_t j = 0; j < 3; ++j)
        a(i, j) = {static_cast<float>(i + 1) / 3, static_cast<float>(j) - 1};
    for (const auto* const file : {"a.mtx", "a.npy", "a.gsm"}) {
      write(in(file), a);
      const auto back = read_dense<c64>(in(file));
      for (index_t i = 0; i < 2; ++i)
        for (index_t j = 0; j < 3; ++j) EXPECT_EQ(back(i, j), a(i, j)) << file;
    }
  }
}

TEST_F(complex_files, gsm_of_real_values_is_still_version_1) {
  write(in("real.gsm"),
        sparse_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n"));
  write(in("complex.gsm"), sample());
  EXPECT_EQ(slurp(in("real.gsm"))[8], 1);
  EXPECT_EQ(slurp(in("complex.gsm"))[8], 2);
}

TEST(npz, complex_values_are_read) {
  const auto a = read_sparse<c128>(corpus("npz/complex.npz"));
  EXPECT_GT(a.nnz(), 0);
  EXPECT_EQ(inspect_file(corpus("npz/complex.npz")).field, "complex");
}

}  // namespace gossamer::testing
