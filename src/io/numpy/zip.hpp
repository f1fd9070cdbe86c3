// As much of zip as .npz files need: stored and deflated members, CRC, the 64-bit extension.
// Why not a library: docs/adr.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/common.hpp"
#include "io/files/ordered_output.hpp"

namespace gossamer::io {

struct zip_member {
  std::string name;
  int method = 0;  ///< 0 stored, 8 deflated
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes in the archive, bytes of contents
  std::uint64_t header = 0;            ///< where its local header is
};

/// Reads the directory at the end of the archive; members are read when asked for.
class zip_archive {
 public:
  zip_archive(const named_bytes& file, const read_options& how);
  const std::vector<zip_member>& members() const noexcept { return members_; }
  /// Null when there is none of that name.
  const zip_member* find(std::string_view name) const;
  /// The contents, checked against size and CRC. All that were asked for together may be as large
  /// as read_options::inflated_limit allows.
  buffer<char> contents(const zip_member& member);
  /// The first bytes of the contents, at most `most`, unchecked.
  buffer<char> prefix(const zip_member& member, index_t most) const;

 private:
  std::string_view packed_bytes(const zip_member& member) const;
  void read_directory(std::uint64_t at, std::uint64_t size, std::uint64_t count);
  [[noreturn]] void refuse(std::string_view what) const;
  named_bytes file_;
  read_options how_;
  std::uint64_t inflated_ = 0;  ///< bytes of all contents so far
  std::vector<zip_member> members_;
};

/// Writes members one after the other, deflated in parallel.
class zip_writer {
 public:
  /// Sizes and places from `zip64_from` on are written in 64 bits (tests lower it).
  zip_writer(atomic_file& file, const write_options& how, std::uint64_t zip64_from = 0xffffffff)
      : file_(file), how_(how), zip64_from_(zip64_from) {}
  /// The contents are `head` and then `body`.
  void add(std::string name, const std::string& head, std::string_view body);
  /// Writes the directory. Without it there is no archive.
  void finish();

 private:
  atomic_file& file_;
  const write_options& how_;
  std::uint64_t zip64_from_;
  std::vector<zip_member> members_;
};

}  // namespace gossamer::io
