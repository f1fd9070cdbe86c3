// Archives and arrays that are wrong in one place each, with everything else right.
#include "unit/io/io_testing.hpp"
#include "unit/io/zip_testing.hpp"

namespace gossamer::testing {
namespace {

std::string refusal(std::string_view bytes) {
  return error_text([&] { static_cast<void>(io::parse<double>({bytes, "a"}, {})); });
}
std::string refusal_of(const std::vector<test_member>& members) { return refusal(zip_of(members)); }

TEST(npz_damage, the_members_are_right_unless_a_test_changes_them) {
  const auto bytes = zip_of(csr_members());
  EXPECT_EQ(entries_of(io::parse_sparse<double>({bytes, "a"}, {})),
            (triplets<double>{{0, 0, 1}, {0, 2, 2}, {1, 1, 3}}));
}

TEST(npz_damage, a_wrong_checksum_is_noticed) {
  for (auto data : {stored("data.npy", npy_of<double>({1, 2, 3})),
                    deflated("data.npy", npy_of<double>({1, 2, 3}))}) {
    data.crc ^= 1;
    EXPECT_NE(refusal_of(csr_members_but(data)).find("wrong checksum"), std::string::npos);
  }
}

TEST(npz_damage, compressed_data_longer_or_shorter_than_its_entry) {
  const auto right = npy_of<double>({1, 2, 3});
  auto longer = deflated("data.npy", right + "more");
  longer.size = static_cast<std::uint32_t>(right.size());
  longer.crc = crc_of(right);  // of what would be taken
  EXPECT_NE(refusal_of(csr_members_but(longer)).find("longer than its directory entry"),
            std::string::npos);
  auto shorter = deflated("data.npy", std::string_view(right).substr(0, right.size() - 8));
  shorter.size = static_cast<std::uint32_t>(right.size());
  EXPECT_NE(refusal_of(csr_members_but(shorter)).find("ends after"), std::string::npos);
}

TEST(npz_damage, no_member_is_believed_to_shrink_by_more_than_deflate_can) {
  auto data = deflated("data.npy", npy_of<double>({1, 2, 3}));
  data.size = static_cast<std::uint32_t>(1032 * data.packed.size() + 65);
  EXPECT_NE(refusal_of(csr_members_but(data)).find("claims"), std::string::npos);
  data.size -= 1;
  EXPECT_NE(refusal_of(csr_members_but(data)).find("ends after"), std::string::npos);
}

TEST(npz_damage, encrypted_members_are_refused_and_other_flags_are_not) {
  auto data = deflated("data.npy", npy_of<double>({1, 2, 3}));
  data.flags = 2;  // how hard the compressor tried
  EXPECT_EQ(refusal_of(csr_members_but(data)), "");
  data.flags = 1;
  EXPECT_NE(refusal_of(csr_members_but(data)).find("is encrypted"), std::string::npos);
}

TEST(npz_damage, offsets_beyond_the_indices) {
  const auto indptr = stored("indptr.npy", npy_of<std::int32_t>({0, 2, 4}));
  EXPECT_NE(refusal_of(csr_members_but(indptr)).find("the last offset is 4; expected 0 to 3"),
            std::string::npos);
  const auto negative = stored("indptr.npy", npy_of<std::int32_t>({0, 2, -1}));
  EXPECT_NE(refusal_of(csr_members_but(negative)).find("the last offset is -1"), std::string::npos);
  const auto spare = stored("indptr.npy", npy_of<std::int32_t>({0, 1, 2}));
  EXPECT_EQ(refusal_of(csr_members_but(spare)), "");  // SciPy keeps spare places behind the last
}

TEST(npz_damage, negative_shapes) {
  for (const auto& shape : {std::vector<std::int64_t>{-2, 3}, std::vector<std::int64_t>{2, -3}}) {
    const auto found = refusal_of(csr_members_but(stored("shape.npy", npy_of(shape))));
    EXPECT_NE(found.find("a [shape]: the shape is"), found.npos) << found;
  }
}

std::string npy_with(std::string text) {
  text.append(118 - text.size(), ' ');
  text.back() = '\n';
  std::string bytes("\x93NUMPY\1\0\x76\0", 10);
  return bytes + text + std::string(16, '\0');
}

TEST(npy_damage, the_header_is_a_dictionary_and_nothing_more) {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)";
  EXPECT_EQ(refusal(npy_with(good + ", }")), "");
  for (const std::string rest : {", } rubbish", "}, {}", "} + 1"})
    EXPECT_NE(refusal(npy_with(good + rest)).find("expected the end"), std::string::npos) << rest;
}

TEST(npy_damage, keys_come_once) {
  EXPECT_NE(refusal(npy_with("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, "
                             "'shape': (2,)}"))
                .find("twice"),
            std::string::npos);
}

TEST(npy_damage, numbers_of_other_sizes_are_refused) {
  for (const std::string descr : {"<f2", "<i3", "|S2"}) {
    const auto found =
        refusal(npy_with("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" +
                         (descr == "<i3" ? "4" : "8") + ",)}"));
    EXPECT_FALSE(found.empty()) << descr;
  }
  EXPECT_NE(refusal(npy_with("{'descr': '<f2', 'fortran_order': False, 'shape': (8,)}"))
                .find("NumPy type f2; expected float32"),
            std::string::npos);
}

TEST(npy_damage, byte_orders_are_those_of_numpy) {
  const auto with = [](const std::string& descr) {
    return npy_with("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,)}");
  };
  for (const std::string order : {"<", "=", "|"}) EXPECT_EQ(refusal(with(order + "f8")), "");
  for (const std::string order : {"x", "?", "f", " "})
    EXPECT_NE(refusal(with(order + "f8")).find("is not read"), std::string::npos) << order;
}

}  // namespace
}  // namespace gossamer::testing
