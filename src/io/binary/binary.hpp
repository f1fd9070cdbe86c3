// Gossamer's own format (.gsm), for fast reloading: a 192-byte header and up to three sections,
// each aligned to 64 bytes so that a mapped file can be used in place. docs/guide/formats.md
// defines it.
#pragma once

#include <cstdint>

#include "io/common.hpp"

namespace gossamer::io::binary {

inline constexpr std::string_view magic = "\x89GSM\r\n\x1a\n";
/// Files of real values are of version 1; version 2 says in its header whether values are complex.
inline constexpr std::uint32_t version = 1, version_with_complex = 2;
inline constexpr std::uint64_t alignment = 64;

enum class content : std::uint8_t { csr = 1, dense = 2 };

struct section {
  std::uint64_t begin = 0, size = 0;  ///< bytes; begin is a multiple of 64
  std::uint64_t checksum = 0;
};

/// As it lies in the file: little-endian, no padding.
struct header {
  char magic[8];
  std::uint32_t version = binary::version;
  content what = content::csr;
  std::uint8_t value_bytes = 8;   ///< 4 or 8: IEEE floating point; of both parts if complex
  std::uint8_t index_bytes = 0;   ///< 4 or 8, signed; 0 when dense
  std::uint8_t offset_bytes = 0;  ///< 4 or 8, signed; 0 when dense
  std::int64_t rows = 0, cols = 0, entries = 0;
  std::uint64_t column_major = 0;  ///< dense: 1 when columns are contiguous
  std::uint64_t file_bytes = 0;
  section offsets, columns, values;
  std::uint64_t complex = 0;   ///< version 2: 1 when values are pairs of real and imaginary part
  char reserved[48] = {};      ///< zero
  std::uint64_t checksum = 0;  ///< of the bytes before it
};
static_assert(sizeof(header) == 192);

bool looks_like_binary(std::string_view bytes);
/// Everything the header says, checked against itself and the size of the file.
header parse_header(const named_bytes& file);
file_info describe(const named_bytes& file);
template <scalar T>
file_matrix<T> parse(const named_bytes& file, const read_options& how);
template <scalar T>
void write(const std::filesystem::path& path, const csr_view<const T>& a, const write_options& how);
template <scalar T>
void write(const std::filesystem::path& path, const dense_view<const T>& a,
           const write_options& how);

}  // namespace gossamer::io::binary
