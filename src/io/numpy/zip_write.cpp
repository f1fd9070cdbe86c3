#include <zlib.h>

#include "io/files/compress.hpp"
#include "io/numpy/zip.hpp"

namespace gossamer::io {

namespace {

constexpr index_t piece_bytes = 1 << 20;
constexpr std::uint16_t date_1980 = (1 << 5) | 1;  // the first day of zip: same input, same bytes

struct packed_piece {
  std::string bytes;
  std::uint32_t crc = 0;
};

packed_piece pack(std::string_view piece, deflate_form form) {
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  return {deflate_block(piece, form), static_cast<std::uint32_t>(crc)};
}

/// The fields that local headers and directory entries share, version to CRC.
void append_common(std::string& to, const zip_member& member, bool wide) {
  append<std::uint16_t>(to, wide ? 45 : 20);
  append<std::uint16_t>(to, 0);  // flags
  append<std::uint16_t>(to, static_cast<std::uint16_t>(member.method));
  append<std::uint16_t>(to, 0);  // time
  append<std::uint16_t>(to, date_1980);
  append<std::uint32_t>(to, member.crc);
}

std::uint32_t narrow_or_mark(std::uint64_t number, bool wide) {
  return wide ? 0xffffffff : static_cast<std::uint32_t>(number);
}

std::string local_header(const zip_member& member, bool wide) {
  std::string text = "PK\3\4";
  append_common(text, member, wide);
  append(text, narrow_or_mark(member.packed, wide));
  append(text, narrow_or_mark(member.size, wide));
  append(text, static_cast<std::uint16_t>(member.name.size()));
  append<std::uint16_t>(text, wide ? 20 : 0);
  text += member.name;
  if (wide) {
    append<std::uint16_t>(text, 1);
    append<std::uint16_t>(text, 16);
    append(text, member.size);
    append(text, member.packed);
  }
  return text;
}

std::string directory_entry(const zip_member& member, bool wide) {
  std::string text = "PK\1\2";
  append<std::uint16_t>(text, (3 << 8) | 45);  // made on Unix, by version 4.5 of the format
  append_common(text, member, wide);
  append(text, narrow_or_mark(member.packed, wide));
  append(text, narrow_or_mark(member.size, wide));
  append(text, static_cast<std::uint16_t>(member.name.size()));
  append<std::uint16_t>(text, wide ? 28 : 0);
  text.append(6, '\0');                      // no comment, first disk, internal attributes
  append<std::uint32_t>(text, 0600u << 16);  // external attributes, as Python writes them
  append(text, narrow_or_mark(member.header, wide));
  text += member.name;
  if (wide) {
    append<std::uint16_t>(text, 1);
    append<std::uint16_t>(text, 24);
    append(text, member.size);
    append(text, member.packed);
    append(text, member.header);
  }
  return text;
}

std::string end_records(std::uint64_t at, std::uint64_t size, std::uint64_t count, bool wide) {
  std::string text;
  if (wide) {
    text += "PK\6\6";
    append<std::uint64_t>(text, 44);
    append<std::uint16_t>(text, (3 << 8) | 45);
    append<std::uint16_t>(text, 45);
    append<std::uint64_t>(text, 0);  // two disk numbers
    append(text, count);
    append(text, count);
    append(text, size);
    append(text, at);
    text += "PK\6\7";
    append<std::uint32_t>(text, 0);
    append(text, at + size);
    append<std::uint32_t>(text, 1);
  }
  text += "PK\5\6";
  append<std::uint32_t>(text, 0);
  append(text, static_cast<std::uint16_t>(count));
  append(text, static_cast<std::uint16_t>(count));
  append(text, narrow_or_mark(size, wide));
  append(text, narrow_or_mark(at, wide));
  append<std::uint16_t>(text, 0);
  return text;
}

}  // namespace

void zip_writer::add(std::string name, const std::string& head, std::string_view body) {
  zip_member member;
  member.name = std::move(name);
  member.method = 8;
  member.size = head.size() + body.size();
  member.header = static_cast<std::uint64_t>(file_.size());
  const auto body_size = static_cast<index_t>(body.size());
  const auto pieces = 1 + (body_size + piece_bytes - 1) / piece_bytes;
  std::vector<std::string> packed;  // sizes come before the data, so it waits in memory
  uLong crc = crc32(0, nullptr, 0);
  index_t done = 0;
  in_order(
      pieces, how_,
      [&](index_t k) {
        const auto piece = k == 0 ? std::string_view(head)
                                  : body.substr(static_cast<std::size_t>((k - 1) * piece_bytes),
                                                static_cast<std::size_t>(piece_bytes));
        return pack(piece, k + 1 == pieces ? deflate_form::raw_last : deflate_form::raw_piece);
      },
      [&](packed_piece& piece) {
        const auto size = done == 0 ? static_cast<index_t>(head.size())
                                    : std::min(piece_bytes, body_size - (done - 1) * piece_bytes);
        crc = crc32_combine(crc, piece.crc, static_cast<z_off_t>(size));
        member.packed += piece.bytes.size();
        packed.push_back(std::move(piece.bytes));
        ++done;
      });
  member.crc = static_cast<std::uint32_t>(crc);
  file_.write(local_header(member, std::max(member.size, member.packed) >= zip64_from_));
  for (const auto& piece : packed) file_.write(piece);
  members_.push_back(std::move(member));
}

void zip_writer::finish() {
  const auto at = static_cast<std::uint64_t>(file_.size());
  for (const auto& member : members_)
    file_.write(directory_entry(
        member, std::max({member.size, member.packed, member.header}) >= zip64_from_));
  const auto size = static_cast<std::uint64_t>(file_.size()) - at;
  file_.write(end_records(at, size, members_.size(), at + size >= zip64_from_));
}

}  // namespace gossamer::io
