// What is written reads back bit for bit, in every format, for sparse and dense, float and double.
#include <bit>
#include <cmath>
#include <random>

#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

template <class T>
csr_matrix<T> awkward_matrix(widths w = {}) {
  const T limit = std::numeric_limits<T>::max(), tiny = std::numeric_limits<T>::denorm_min();
  const std::vector<T> values{
      T(0.1), -limit, tiny, T(0), -T(0), T(1) / 3, std::numeric_limits<T>::infinity(), T(1e5)};
  const std::vector<index_t> offsets{0, 3, 3, 5, 8}, columns{0, 1, 4, 2, 3, 0, 2, 4};
  csr_matrix<T> a({4, 5}, 8, w);
  auto view = a.mutable_view();
  const auto put = [](index_span to, const std::vector<index_t>& from) {
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (to.width() == index_width::i32)
        to.as<std::int32_t>()[k] = static_cast<std::int32_t>(from[k]);
      else
        to.as<std::int64_t>()[k] = from[k];
    }
  };
  put(view.offsets, offsets);
  put(view.columns, columns);
  std::copy(values.begin(), values.end(), view.values);
  return a;
}

template <class T>
void expect_same(const csr_matrix<T>& a, const csr_matrix<T>& b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  EXPECT_TRUE(entries_of(a) == entries_of(b)) << what;
  for (index_t k = 0; k < a.nnz(); ++k)
    EXPECT_EQ(std::signbit(a.values()[static_cast<std::size_t>(k)]),
              std::signbit(b.values()[static_cast<std::size_t>(k)]))
        << what;
}

class round_trip : public own_folder {};

TEST_F(round_trip, sparse_in_every_format) {
  for (const std::string file : {"a.mtx", "a.mtx.gz", "a.npz", "a.gsm", "A.MTX"}) {
    write(in(file), awkward_matrix<double>());
    write(in("f" + file), awkward_matrix<float>());
    expect_same(awkward_matrix<double>(), read_sparse<double>(in(file)), file);
    expect_same(awkward_matrix<float>(), read_sparse<float>(in("f" + file)), file);
    // A float file read as double has the floats' values; a text is read as double by itself.
    if (file.ends_with("npz") || file.ends_with("gsm")) {
      EXPECT_EQ(read_sparse<double>(in("f" + file)).values()[0], static_cast<double>(0.1f)) << file;
      EXPECT_EQ(read_sparse<float>(in(file)).values()[0], 0.1f) << file;
    }
  }
}

TEST_F(round_trip, wide_indices) {
  for (const auto w :
       {widths{index_width::i32, index_width::i64}, widths{index_width::i64, index_width::i64}})
    for (const std::string file : {"a.mtx", "a.npz", "a.gsm"}) {
      const auto a = awkward_matrix<double>(w);
      write(in(file), a);
      expect_same(a, read_sparse<double>(in(file)), file);
    }
}

TEST_F(round_trip, dense_in_every_format_and_order) {
  std::vector<double> places(40, 99);
  for (const auto order : {layout::row_major, layout::column_major}) {
    const dense_view<double> a({3, 4}, order, 7, places.data());  // lines lie apart
    for (index_t i = 0; i < 3; ++i)
      for (index_t j = 0; j < 4; ++j)
        a(i, j) = i == j ? 0 : 1.0 / static_cast<double>(1 + i + 10 * j);
    for (const std::string file : {"a.mtx", "a.mtx.gz", "a.npy", "a.gsm"}) {
      write<double>(in(file), a);
      const auto back = read_dense<double>(in(file));
      ASSERT_EQ(back.shape(), (extents{3, 4})) << file;
      for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 4; ++j) EXPECT_EQ(back(i, j), a(i, j)) << file;
      EXPECT_EQ(read_sparse<double>(in(file)).nnz(), 9) << file << ": zeros are dropped";
    }
  }
}

TEST_F(round_trip, empty_matrices) {
  for (const std::string file : {"a.mtx", "a.mtx.gz", "a.npz", "a.gsm"})
    for (const extents shape : {extents{0, 0}, extents{0, 5}, extents{5, 0}, extents{3, 3}}) {
      write(in(file), csr_matrix<double>(shape, 0));
      EXPECT_EQ(read_sparse<double>(in(file)).shape(), shape) << file;
    }
  for (const std::string file : {"a.mtx", "a.npy", "a.gsm"}) {
    write(in(file), dense_matrix<float>(0, 3));
    EXPECT_EQ(read_dense<float>(in(file)).shape(), (extents{0, 3})) << file;
  }
}

/// Enough nonzeros for several blocks of output; random bits, so every exponent.
csr_matrix<double> large_matrix() {
  const index_t rows = 20000, per_row = 5;
  csr_matrix<double> a({rows, 1 << 20}, rows * per_row);
  auto view = a.mutable_view();
  std::mt19937_64 random(7);
  for (index_t i = 0; i < rows; ++i) {
    view.offsets.as<std::int32_t>()[static_cast<std::size_t>(i) + 1] =
        static_cast<std::int32_t>((i + 1) * per_row);
    for (index_t k = 0; k < per_row; ++k) {
      const auto p = static_cast<std::size_t>(i * per_row + k);
      view.columns.as<std::int32_t>()[p] =
          static_cast<std::int32_t>(k * 200000 + static_cast<index_t>(random() % 200000));
      auto value = std::bit_cast<double>(random());
      view.values[p] = std::isfinite(value) ? value : 1.5;
    }
  }
  return a;
}

TEST_F(round_trip, large_files_do_not_depend_on_threads) {
  const auto a = large_matrix();
  for (const std::string file : {"a.mtx", "a.mtx.gz", "a.npz", "a.gsm"}) {
    write(in("1" + file), a, {.threads = 1});
    write(in("3" + file), a, {.threads = 3});
    EXPECT_TRUE(slurp(in("1" + file)) == slurp(in("3" + file))) << file;
    expect_same(a, read_sparse<double>(in("1" + file), {.threads = 2}), file);
  }
}

TEST_F(round_trip, comments_are_written_behind_the_banner) {
  write(in("a.mtx"), csr_matrix<double>({2, 2}, 0), {.comment = "first\nsecond"});
  EXPECT_EQ(slurp(in("a.mtx")),
            "%%MatrixMarket matrix coordinate real general\n% first\n% second\n2 2 0\n");
}

TEST_F(round_trip, files_are_known_by_their_contents) {
  write(in("a.mtx.gz"), awkward_matrix<double>());
  std::filesystem::rename(in("a.mtx.gz"), in("a.npz"));
  EXPECT_EQ(detect_file_kind(in("a.npz")), file_kind::matrix_market_gz);
  EXPECT_EQ(read_matrix_market<double>(in("a.npz")).nnz(), 8);
  EXPECT_EQ(detect_file_kind(in("missing.gsm")), file_kind::binary);
  EXPECT_TRUE(error_text([&] { detect_file_kind(in("missing.txt")); }).starts_with("bad argument"));
}

TEST_F(round_trip, headers_are_described) {
  write(in("a.mtx.gz"), awkward_matrix<double>(), {.comment = std::string(500000, 'x')});
  const auto info = inspect_file(in("a.mtx.gz"));
  EXPECT_EQ(info.kind, file_kind::matrix_market_gz);
  EXPECT_EQ(info.shape, (extents{4, 5}));
  EXPECT_EQ(info.stored, 8);
  EXPECT_EQ(info.field, "real");
  EXPECT_EQ(info.symmetry, "general");
  write(in("a.gsm"), dense_matrix<float>(3, 2));
  EXPECT_TRUE(inspect_file(in("a.gsm")).dense);
  EXPECT_EQ(inspect_file(in("a.gsm")).stored, 6);
}

TEST_F(round_trip, missing_files_are_bad_input_and_wrong_names_bad_arguments) {
  EXPECT_TRUE(error_text([&] { read<double>(in("none.mtx")); }).starts_with("bad input"));
  EXPECT_TRUE(error_text([&] { read<double>(in(".")); }).starts_with("bad input"));
  EXPECT_TRUE(error_text([&] { inspect_file(in("none.mtx")); }).starts_with("bad input"));
  EXPECT_TRUE(
      error_text([&] { write(in("a.txt"), csr_matrix<double>()); }).starts_with("bad argument"));
  EXPECT_TRUE(
      error_text([&] { write(in("a.npy"), csr_matrix<double>()); }).starts_with("bad argument"));
  EXPECT_TRUE(error_text([&] {
                write(in("a.npz"), dense_matrix<double>(1, 1));
              }).starts_with("bad argument"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(round_trip, a_writer_that_is_interrupted_leaves_nothing) {
  spill(in("a.mtx"), "old");
  const auto stop = [](std::string_view, double) {
    throw error(error_kind::bad_argument, "enough");
  };
  for (const std::string file : {"a.mtx", "b.mtx.gz", "c.npz", "d.gsm"})
    EXPECT_EQ(error_text([&] { write(in(file), large_matrix(), {.progress = stop}); }),
              "bad argument: enough");
  EXPECT_EQ(slurp(in("a.mtx")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(round_trip, sparse_files_are_expanded_within_reason) {
  write(in("a.gsm"), awkward_matrix<double>());
  const auto a = read_dense<double>(in("a.gsm"));
  EXPECT_EQ(a(3, 4), 1e5);
  EXPECT_EQ(a(1, 1), 0);
  write(in("b.mtx"), csr_matrix<double>({1000000, 1000000}, 0));
  EXPECT_NE(error_text([&] { read_dense<double>(in("b.mtx")); }).find("dense values"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer::testing
