// Matrix Market output: the shortest text that reads back to the same bits, formatted in parallel.
// A gzip file has one member a block, so that blocks are compressed in parallel too.
#include <charconv>

#include "base/text.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"
#include "io/files/compress.hpp"
#include "io/files/ordered_output.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/matrix_market/symmetric_part.hpp"

namespace gossamer::io::matrix_market {

namespace {

constexpr index_t lines_per_block = 1 << 15;
constexpr index_t longest_line = 104;  // two 64-bit indices, two doubles, blanks, the line end

template <class Number>
char* put(char* at, Number number) {
  return std::to_chars(at, at + 32, number).ptr;
}

template <class T>
char* put(char* at, const std::complex<T>& number) {
  at = put(at, number.real());
  *at++ = ' ';
  return put(at, number.imag());
}

template <class T, class I, class O>
std::string format_entries(const csr_ref<T, I, O>& a, range entries, index_t first_row = 0) {
  buffer<char> text((entries.end - entries.begin) * longest_line);
  char* at = text.data();
  auto row = std::upper_bound(a.offsets, a.offsets + a.rows + 1, static_cast<O>(entries.begin)) -
             a.offsets - 1;
  for (index_t p = entries.begin; p < entries.end; ++p) {
    while (p >= a.offsets[row + 1]) ++row;
    at = put(at, first_row + row + 1);
    *at++ = ' ';
    at = put(at, static_cast<index_t>(a.columns[p]) + 1);
    *at++ = ' ';
    at = put(at, a.values[p]);
    *at++ = '\n';
  }
  return std::string(text.data(), at);
}

template <class T>
std::string format_values(const dense_view<const T>& a, range places) {
  buffer<char> text((places.end - places.begin) * longest_line);
  char* at = text.data();
  index_t i = places.begin % a.shape.rows, j = places.begin / a.shape.rows;
  for (index_t k = places.begin; k < places.end; ++k) {
    at = put(at, a(i, j));
    *at++ = '\n';
    if (++i == a.shape.rows) i = 0, ++j;
  }
  return std::string(text.data(), at);
}

std::string heading(std::string_view kind, value_type values, std::string_view symmetry,
                    const std::string& comment, const std::string& sizes) {
  std::string text = formatted("%%MatrixMarket matrix {} {} {}\n", kind,
                               is_complex(values) ? "complex" : "real", symmetry);
  for (std::size_t begin = 0; begin < comment.size();) {
    const auto end = std::min(comment.find('\n', begin), comment.size());
    text += formatted("% {}\n", comment.substr(begin, end - begin));
    begin = end + 1;
  }
  return text + sizes + '\n';
}

/// format(range) gives the text of some lines; `lines` of them in all.
template <class Format>
void write_blocks(const std::filesystem::path& path, const std::string& head, index_t lines,
                  packing packed, const write_options& how, Format&& format) {
  const auto pack = [&](std::string text) {
    return packed == packing::plain ? text : deflate_block(text, deflate_form::gzip_member);
  };
  atomic_file file(path);
  file.write(pack(head));
  in_order((lines + lines_per_block - 1) / lines_per_block, how,
           [&](index_t block) {
             const auto begin = block * lines_per_block;
             return pack(format(range{begin, std::min(begin + lines_per_block, lines)}));
           },
           [&](const std::string& text) { file.write(text); });
  file.commit();
}

}  // namespace

namespace {

template <class T>
void write_rows(const std::filesystem::path& path, const csr_view<const T>& a,
                std::string_view symmetry, packing packed, const write_options& how) {
  const auto sizes = formatted("{} {} {}", a.shape.rows, a.shape.cols, a.nnz());
  const auto head = heading("coordinate", value_type_of<T>, symmetry, how.comment, sizes);
  typed(a, [&](const auto& ref) {
    write_blocks(path, head, a.nnz(), packed, how,
                 [&](range entries) { return format_entries(ref, entries); });
  });
}

}  // namespace

std::string coordinate_heading(extents shape, index_t nnz, const std::string& comment) {
  return heading("coordinate", value_type::f64, "general", comment,
                 formatted("{} {} {}", shape.rows, shape.cols, nnz));
}

template <scalar T>
std::string coordinate_lines(const csr_view<const T>& rows, index_t first_row) {
  std::string text;
  typed(rows, [&](const auto& ref) {
    for (index_t begin = 0; begin < rows.nnz(); begin += lines_per_block)
      text +=
          format_entries(ref, {begin, std::min(begin + lines_per_block, rows.nnz())}, first_row);
  });
  return text;
}
template std::string coordinate_lines(const csr_view<const float>&, index_t);
template std::string coordinate_lines(const csr_view<const double>&, index_t);

template <scalar T>
void write(const std::filesystem::path& path, const csr_view<const T>& a, packing packed,
           const write_options& how) {
  if (!how.symmetric) return write_rows(path, a, "general", packed, how);
  const auto symmetry = symmetry_of(path, a);
  const auto lower = lower_triangle(a);
  write_rows(path, std::as_const(lower).view(), symmetry, packed, how);
}

template <scalar T>
void write(const std::filesystem::path& path, const dense_view<const T>& a, packing packed,
           const write_options& how) {
  if (how.symmetric)
    throw fail(error_kind::bad_argument, "{}: only sparse matrices are written as symmetric ones",
               path.string());
  const auto sizes = formatted("{} {}", a.shape.rows, a.shape.cols);
  const auto head = heading("array", value_type_of<T>, "general", how.comment, sizes);
  write_blocks(path, head, a.nnz(), packed, how,
               [&](range places) { return format_values(a, places); });
}

#define GOSSAMER_INSTANTIATE(T)                                                          \
  template void write(const std::filesystem::path&, const csr_view<const T>&, packing,   \
                      const write_options&);                                             \
  template void write(const std::filesystem::path&, const dense_view<const T>&, packing, \
                      const write_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io::matrix_market
