// Archives as a test wants them, right or wrong: every field of a member is given.
#pragma once

#include <zlib.h>

#include <span>
#include <string>
#include <vector>

#include "io/files/compress.hpp"
#include "io/numpy/npy.hpp"

namespace gossamer::testing {

struct test_member {
  std::string name;
  std::string packed;  ///< bytes in the archive
  std::uint32_t size = 0, crc = 0;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
};

inline std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

inline test_member stored(std::string name, std::string contents) {
  const auto size = static_cast<std::uint32_t>(contents.size());
  const auto crc = crc_of(contents);
  return {.name = std::move(name), .packed = std::move(contents), .size = size, .crc = crc};
}
inline test_member deflated(std::string name, std::string_view contents) {
  return {.name = std::move(name),
          .packed = io::deflate_block(contents, io::deflate_form::raw_last),
          .size = static_cast<std::uint32_t>(contents.size()),
          .crc = crc_of(contents),
          .method = 8};
}

inline std::string zip_of(std::span<const test_member> members) {
  std::string bytes, directory;
  for (const auto& member : members) {
    const auto at = static_cast<std::uint32_t>(bytes.size());
    std::string common;  // what the local header and the directory share
    io::append<std::uint16_t>(common, 20);
    io::append(common, member.flags);
    io::append(common, member.method);
    io::append<std::uint32_t>(common, 0);
    io::append(common, member.crc);
    io::append(common, static_cast<std::uint32_t>(member.packed.size()));
    io::append(common, member.size);
    io::append(common, static_cast<std::uint16_t>(member.name.size()));
    io::append<std::uint16_t>(common, 0);
    bytes += "PK\3\4" + common + member.name + member.packed;
    directory += std::string("PK\1\2\24\0", 6) + common + std::string(10, '\0');
    io::append(directory, at);
    directory += member.name;
  }
  const auto at = static_cast<std::uint32_t>(bytes.size());
  bytes += directory + std::string("PK\5\6\0\0\0\0", 8);
  io::append(bytes, static_cast<std::uint16_t>(members.size()));
  io::append(bytes, static_cast<std::uint16_t>(members.size()));
  io::append(bytes, static_cast<std::uint32_t>(directory.size()));
  io::append(bytes, at);
  return bytes + std::string(2, '\0');
}

/// An array file of one dimension.
template <class Number>
std::string npy_of(const std::vector<Number>& numbers) {
  const index_t shape[] = {static_cast<index_t>(numbers.size())};
  return io::npy_heading(io::npy_descr<Number>(), shape, false) +
         std::string(io::bytes_of(numbers.data(), shape[0]));
}
inline std::string npy_of_text(std::string_view text) {
  return io::npy_heading("|S" + std::to_string(text.size()), {}, false) + std::string(text);
}

/// The members of a 2 x 3 CSR matrix with 3 elements, as save_npz names them.
inline std::vector<test_member> csr_members() {
  return {stored("indices.npy", npy_of<std::int32_t>({0, 2, 1})),
          stored("indptr.npy", npy_of<std::int32_t>({0, 2, 3})),
          stored("format.npy", npy_of_text("csr")),
          stored("shape.npy", npy_of<std::int64_t>({2, 3})),
          stored("data.npy", npy_of<double>({1, 2, 3}))};
}
/// The same with one member replaced.
inline std::vector<test_member> csr_members_but(test_member other) {
  auto members = csr_members();
  for (auto& member : members)
    if (member.name == other.name) member = std::move(other);
  return members;
}

}  // namespace gossamer::testing
