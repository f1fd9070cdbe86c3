// Matrix Market: header, body, output. Text comes in as bytes, so that files, inflated files and
// fuzzers use the same code.
#pragma once

#include <optional>

#include "io/build_csr.hpp"
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

/// How elements of the stored triangle stand for those of the other.
mirror mirror_of(const header& head);
/// The elements of the lines that begin in [begin, end) of the text of a coordinate file, for
/// processes that read a range of bytes each. Whether all ranges together have as many as the
/// header announces is left to the caller.
template <real_scalar T>
std::vector<entry_block<std::int64_t, T>> parse_range(const named_bytes& text, const header& head,
                                                      std::size_t begin, std::size_t end,
                                                      const read_options& how);

/// Banner, comments and size line of a general coordinate file.
std::string coordinate_heading(extents shape, index_t nnz, const std::string& comment);
/// The lines of some rows of a matrix, of which the first is `first_row`.
template <scalar T>
std::string coordinate_lines(const csr_view<const T>& rows, index_t first_row);

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
