// Damaged files: the corpus of the fuzzers, and good files cut off and changed at every byte.
#include <sys/stat.h>
#include <sys/wait.h>

#include "fuzz/try_parse.hpp"
#include "io/files/compress.hpp"
#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

void expect_good_reader(std::string_view bytes, const std::string& what) {
  const auto fault = fuzz::try_parse(bytes);
  EXPECT_FALSE(fault.has_value()) << what << ": " << fault.value_or("");
}

TEST(damage, the_corpus_is_read_or_refused) {
  std::size_t seen = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(GOSSAMER_FUZZ_CORPUS)) {
    if (!file.is_regular_file()) continue;
    const auto bytes = slurp(file.path());
    expect_good_reader(bytes, file.path().filename());
    expect_good_reader(fuzz::with_gsm_checksums(bytes), file.path().filename());
    expect_good_reader(fuzz::with_zip_checksums(bytes), file.path().filename());
    ++seen;
  }
  EXPECT_GT(seen, 40u);
}

class damaged : public ::testing::TestWithParam<const char*> {};

TEST_P(damaged, a_file_cut_off_anywhere_is_read_or_refused) {
  const auto bytes = slurp(corpus(GetParam()));
  ASSERT_FALSE(bytes.empty());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    expect_good_reader(std::string_view(bytes).substr(0, size), formatted("{} bytes", size));
}

TEST_P(damaged, a_file_changed_anywhere_is_read_or_refused) {
  const auto bytes = slurp(corpus(GetParam()));
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int change : {0x01, 0x10, 0x80, 0xff}) {
      auto changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const auto what = formatted("byte {} changed by {:#x}", at, change);
      expect_good_reader(changed, what);
      if (std::string_view(GetParam()).ends_with("gsm"))
        expect_good_reader(fuzz::with_gsm_checksums(changed), what);
      if (std::string_view(GetParam()).ends_with("npz"))
        expect_good_reader(fuzz::with_zip_checksums(changed), what);
    }
}

INSTANTIATE_TEST_SUITE_P(files, damaged,
                         ::testing::Values("matrix_market/general.mtx",
                                           "matrix_market/odd_spacing.mtx",
                                           "matrix_market/members.mtx.gz", "npz/csr.npz",
                                           "npz/csr_deflated.npz", "npz/coo.npz", "npz/c_order.npy",
                                           "gsm/general.gsm", "gsm/array.gsm"));

std::string refusal(std::string_view bytes) {
  return error_text([&] { static_cast<void>(io::parse<double>({bytes, "a"}, {})); });
}

TEST(damage, every_changed_byte_of_a_gsm_file_is_noticed) {
  const auto bytes = slurp(corpus("gsm/general.gsm"));
  const auto head = io::binary::parse_header({bytes, "a"});
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const bool padding = at >= sizeof head && (at - head.offsets.begin >= head.offsets.size) &&
                         (at - head.columns.begin >= head.columns.size) &&
                         (at - head.values.begin >= head.values.size);
    if (padding) continue;
    auto changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    EXPECT_TRUE(refusal(changed).starts_with("bad input: a")) << at;
  }
}

TEST(damage, the_last_byte_of_any_size_is_in_the_checksum) {
  std::string bytes((std::size_t{1} << 21) + 2, 'x');
  for (std::size_t power = 1; power < bytes.size(); power *= 2)
    for (const std::size_t size : {power, power + 1, power + 2}) {
      const auto before = io::checksum(std::string_view(bytes).substr(0, size), 2);
      bytes[size - 1] = 'y';
      EXPECT_NE(io::checksum(std::string_view(bytes).substr(0, size), 2), before) << size;
      bytes[size - 1] = 'x';
    }
}

class streams : public own_folder {};

TEST_F(streams, are_read_to_their_end) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  const auto bytes = slurp(corpus("matrix_market/general.mtx"));
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    spill(in("pipe"), bytes);
    ::_exit(0);
  }
  EXPECT_EQ(entries_of(read_sparse<double>(in("pipe"))), entries_of(sparse_text(bytes)));
  EXPECT_EQ(::waitpid(writer, nullptr, 0), writer);
}

TEST(damage, members_of_a_gzip_file_follow_each_other) {
  const auto whole = entries_of(sparse_text(slurp(corpus("matrix_market/general.mtx"))));
  for (const std::string file : {"one", "members", "stored"}) {
    const auto a = read_sparse<double>(corpus("matrix_market/" + file + ".mtx.gz"));
    EXPECT_TRUE(entries_of(a) == whole) << file;
  }
}

TEST(damage, broken_gzip_says_what_is_wrong) {
  const auto bytes = slurp(corpus("matrix_market/one.mtx.gz"));
  const auto cut = refusal(std::string_view(bytes).substr(0, bytes.size() - 20));
  EXPECT_NE(cut.find("cut off"), cut.npos) << cut;
  auto changed = bytes;
  changed[bytes.size() - 6] ^= 1;  // in the CRC
  EXPECT_NE(refusal(changed).find("data check"), std::string::npos) << refusal(changed);
  EXPECT_NE(refusal(bytes + "rubbish").find("no gzip data"), std::string::npos);
}

TEST(damage, a_gsm_file_of_another_version_is_named) {
  auto bytes = slurp(corpus("gsm/general.gsm"));
  bytes[8] = 9;
  EXPECT_NE(refusal(bytes).find("version 9"), std::string::npos);
}

TEST(damage, indices_are_checked_behind_the_checksums) {
  auto bytes = slurp(corpus("gsm/general.gsm"));
  const auto head = io::binary::parse_header({bytes, "a"});
  bytes[head.columns.begin] = 77;
  const auto text = refusal(fuzz::with_gsm_checksums(bytes));
  EXPECT_NE(text.find("column index 0 is 77; expected 0 to 3"), text.npos) << text;
}

}  // namespace
}  // namespace gossamer::testing
