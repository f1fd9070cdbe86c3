// Matrix Market: header, body, output. Text comes in as bytes, so that files, inflated files and
// fuzzers use the same code.
#pragma once

#include <optional>

#include "io/common.hpp"

namespace gossamer::io::matrix_market {

enum class shape_kind { coordinate, array };
enum class field_kind { real, integer, natural, pattern, complex };
enum class symmetry_kind { general, symmetric, skew_symmetric, hermitian };

struct header {
  shape_kind kind = shape_kind::coordinate;
  field_kind field = field_kind::real;
  symmetry_kind symmetry = symmetry_kind::general;
  extents shape;
  index_t entries = 0;   ///< lines the body must have
  std::size_t body = 0;  ///< where the body starts in the text

  bool mirrored() const { return symmetry != symmetry_kind::general; }
};

/// Nothing when the text ends before the size line; throws error(bad_input) on a broken header.
std::optional<header> parse_header(const named_bytes& text);
/// As above, and a missing size line is an error.
header require_header(const named_bytes& text);

file_info describe(const header& head);

/// "name, line 12: problem", where the line is the one that holds `offset`.
[[nodiscard]] error broken_at(const named_bytes& text, std::size_t offset,
                              std::string_view problem);

/// Coordinate files give a CSR matrix, array files a dense one in column-major order.
template <scalar T>
file_matrix<T> parse(const named_bytes& text, const read_options& how);

enum class packing { plain, gzip };
template <scalar T>
void write(const std::filesystem::path& path, const csr_view<const T>& a, packing packed,
           const write_options& how);
template <scalar T>
void write(const std::filesystem::path& path, const dense_view<const T>& a, packing packed,
           const write_options& how);

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
/// The first character at or after `from` that is no blank, or `end`.
constexpr const char* skip_blanks(const char* from, const char* end) {
  while (from != end && is_blank(*from)) ++from;
  return from;
}
/// The next word of a line, taken off its front; empty at its end or at a '%' comment.
std::string_view next_word(std::string_view& line);

}  // namespace gossamer::io::matrix_market
