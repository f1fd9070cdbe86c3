#include <zlib.h>

#include <algorithm>

#include "base/text.hpp"
#include "io/files/compress.hpp"
#include "io/numpy/zip.hpp"

namespace gossamer::io {

namespace {

constexpr std::uint32_t local_mark = 0x04034b50, directory_mark = 0x02014b50, end_mark = 0x06054b50,
                        end64_mark = 0x06064b50, locator64_mark = 0x07064b50;
constexpr std::size_t local_size = 30, directory_size = 46, end_size = 22, end64_size = 56,
                      locator64_size = 20;
constexpr std::uint32_t in_extra = 0xffffffff;  // "see the 64-bit extra field"

/// A record of `size` bytes at `at`, or an empty view when the file has no room for it or it does
/// not begin with its mark.
std::string_view record(std::string_view bytes, std::uint64_t at, std::size_t size,
                        std::uint32_t mark) {
  if (at > bytes.size() || bytes.size() - at < size) return {};
  const auto found = bytes.substr(at, size);
  return load<std::uint32_t>(found.data()) == mark ? found : std::string_view();
}

/// Where the end record is; a comment of up to 65535 bytes may follow it.
std::size_t find_end(std::string_view bytes) {
  if (bytes.size() < end_size) return bytes.npos;
  const auto last = bytes.size() - end_size;
  const auto first = last > 0xffff ? last - 0xffff : 0;
  for (auto at = last + 1; at-- > first;)
    if (load<std::uint32_t>(bytes.data() + at) == end_mark &&
        load<std::uint16_t>(bytes.data() + at + 20) == bytes.size() - at - end_size)
      return at;
  return bytes.npos;
}

/// Replaces the sizes that say "see the 64-bit extra field" by what it says; false if it is short.
bool read_zip64(std::string_view extra, zip_member& member) {
  while (extra.size() >= 4) {
    const auto id = load<std::uint16_t>(extra.data()), size = load<std::uint16_t>(extra.data() + 2);
    extra.remove_prefix(4);
    if (size > extra.size()) return false;
    auto field = extra.substr(0, size);
    extra.remove_prefix(size);
    if (id != 1) continue;
    for (auto* const number : {&member.size, &member.packed, &member.header}) {
      if (*number != in_extra) continue;
      if (field.size() < 8) return false;
      *number = load<std::uint64_t>(field.data());
      field.remove_prefix(8);
    }
    return true;
  }
  return true;
}

std::uint32_t crc_of(const buffer<char>& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()),
                                            static_cast<z_size_t>(bytes.size())));
}

}  // namespace

zip_archive::zip_archive(const named_bytes& file, const read_options& how)
    : file_(file), how_(how) {
  const auto bytes = file_.bytes;
  const auto end = find_end(bytes);
  if (end == bytes.npos) refuse("its directory, at the end of the file, is missing; it is cut off");
  const char* const tail = bytes.data() + end;
  std::uint64_t count = load<std::uint16_t>(tail + 10), size = load<std::uint32_t>(tail + 12),
                at = load<std::uint32_t>(tail + 16);
  const auto locator = end >= locator64_size
                           ? record(bytes, end - locator64_size, locator64_size, locator64_mark)
                           : std::string_view();
  if (!locator.empty()) {
    const auto wide =
        record(bytes, load<std::uint64_t>(locator.data() + 8), end64_size, end64_mark);
    if (wide.empty()) refuse("its 64-bit directory record is missing");
    count = load<std::uint64_t>(wide.data() + 32);
    size = load<std::uint64_t>(wide.data() + 40);
    at = load<std::uint64_t>(wide.data() + 48);
  }
  read_directory(at, size, count);
}

void zip_archive::read_directory(std::uint64_t at, std::uint64_t size, std::uint64_t count) {
  if (at > file_.bytes.size() || size > file_.bytes.size() - at)
    refuse("its directory reaches beyond the file; it is cut off or damaged");
  auto rest = file_.bytes.substr(at, size);
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto fixed = record(rest, 0, directory_size, directory_mark);
    if (fixed.empty())
      refuse(formatted("entry {} of {} of its directory is damaged", k + 1, count));
    const std::size_t name = load<std::uint16_t>(fixed.data() + 28),
                      extra = load<std::uint16_t>(fixed.data() + 30),
                      comment = load<std::uint16_t>(fixed.data() + 32);
    rest.remove_prefix(directory_size);
    if (rest.size() < name + extra + comment) refuse("its directory is cut off");
    zip_member member;
    member.name = rest.substr(0, name);
    member.method = load<std::uint16_t>(fixed.data() + 10);
    member.crc = load<std::uint32_t>(fixed.data() + 16);
    member.packed = load<std::uint32_t>(fixed.data() + 20);
    member.size = load<std::uint32_t>(fixed.data() + 24);
    member.header = load<std::uint32_t>(fixed.data() + 42);
    if (!read_zip64(rest.substr(name, extra), member))
      refuse("a 64-bit size in its directory is cut off");
    if ((load<std::uint16_t>(fixed.data() + 8) & 1) != 0)
      refuse(formatted("member {} is encrypted", shown(member.name)));
    rest.remove_prefix(name + extra + comment);
    members_.push_back(std::move(member));
  }
}

const zip_member* zip_archive::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const auto& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

std::string_view zip_archive::packed_bytes(const zip_member& member) const {
  const auto bytes = file_.bytes;
  const auto local = record(bytes, member.header, local_size, local_mark);
  if (local.empty()) refuse(formatted("the header of member {} is damaged", shown(member.name)));
  const auto begin = member.header + local_size + load<std::uint16_t>(local.data() + 26) +
                     load<std::uint16_t>(local.data() + 28);
  if (begin > bytes.size() || member.packed > bytes.size() - begin)
    refuse(formatted("member {} reaches beyond the file", shown(member.name)));
  if (member.method != 0 && member.method != 8)
    refuse(
        formatted("member {} is compressed by method {}; only stored (0) and deflated (8) are "
                  "read",
                  shown(member.name), member.method));
  // Deflate cannot shrink by more than 1032, so a size beyond that is a lie and is not allocated.
  const auto most = member.method == 0 ? member.packed : 1032 * member.packed + 64;
  if (member.size > most || (member.method == 0 && member.size != member.packed))
    refuse(formatted("member {} claims {} bytes, but has {} in the file", shown(member.name),
                     member.size, member.packed));
  return bytes.substr(begin, member.packed);
}

buffer<char> zip_archive::contents(const zip_member& member) {
  const auto packed = packed_bytes(member);
  inflated_ += member.size;  // cannot overflow: packed_bytes() bounds each
  require_inflatable(how_, file_.name, inflated_, file_.bytes.size());
  buffer<char> out(static_cast<index_t>(member.size));
  if (member.method == 0)
    std::copy(packed.begin(), packed.end(), out.data());
  else if (const auto problem = inflate_raw(packed, out.data(), member.size))
    refuse(formatted("member {}: {}", shown(member.name), *problem));
  if (crc_of(out) != member.crc)
    refuse(formatted("member {} has the wrong checksum; the file is damaged", shown(member.name)));
  return out;
}

buffer<char> zip_archive::prefix(const zip_member& member, index_t most) const {
  const auto packed = packed_bytes(member);
  buffer<char> raw(std::min(most, static_cast<index_t>(member.size)));
  const auto wanted = static_cast<std::size_t>(raw.size());
  std::size_t filled = wanted;
  if (member.method == 0)
    std::copy_n(packed.begin(), wanted, raw.data());
  else
    filled = inflate_raw_prefix(packed, raw.data(), wanted);
  return buffer<char>(std::span<const char>(raw.data(), filled));
}

void zip_archive::refuse(std::string_view what) const {
  throw fail(error_kind::bad_input, "{}: zip archive: {}", file_.name, what);
}

}  // namespace gossamer::io
