// Parses the body in parallel: split into chunks at line ends, each chunk parsed into its own
// block, so that no size in the file is trusted. The error reported is that of the first broken
// line.
#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "io/matrix_market/matrix_market_line.hpp"

namespace gossamer::io::matrix_market {

namespace {

constexpr std::size_t chunk_bytes = 1 << 20;  // stays in L2 between two passes

/// Pieces of the body that end with a line end. A last line without one is copied and given one.
struct chunked_text {
  std::vector<std::string_view> chunks;
  std::vector<std::size_t> offsets;  ///< of each chunk in the whole text
  std::string tail;
};

/// The lines of text.substr(body), which starts a line.
chunked_text cut(std::string_view text, std::size_t body) {
  chunked_text result;
  const auto last_end = text.rfind('\n');
  const auto whole_lines = last_end == text.npos ? body : std::max(last_end + 1, body);
  for (auto begin = body; begin < whole_lines;) {
    const auto nominal = std::min(begin + chunk_bytes, whole_lines) - 1;
    const auto end = text.find('\n', nominal) + 1;
    result.chunks.push_back(text.substr(begin, end - begin));
    result.offsets.push_back(begin);
    begin = end;
  }
  if (whole_lines < text.size()) {
    result.tail = std::string(text.substr(whole_lines)) + '\n';
    result.chunks.push_back(result.tail);
    result.offsets.push_back(whole_lines);
  }
  return result;
}

template <class Item>
struct parsed_chunk {
  buffer<Item> items;
  index_t count = 0;
  std::size_t problem_at = 0;  ///< in the whole text
  std::string problem = {};    ///< empty: none
};

bool is_data(std::string_view line) {
  const auto* const end = line.data() + line.size();
  const auto* const first = skip_blanks(line.data(), end);
  return first != end && *first != '%';
}

template <class Line>
parsed_chunk<typename Line::item> parse_chunk(std::string_view chunk, std::size_t offset,
                                              const Line& line) {
  parsed_chunk<typename Line::item> result;
  const auto size = static_cast<index_t>(chunk.size());
  result.items = buffer<typename Line::item>(std::min<index_t>(
      std::count(chunk.begin(), chunk.end(), '\n'), size / Line::least_bytes + 1));
  auto* out = result.items.data();
  const char* const end = chunk.data() + chunk.size();
  for (const char* at = chunk.data(); at != end;) {
    const char* const start = at;
    if (line.quick(at, end, *out)) {
      ++out;
      continue;
    }
    const auto* const stop =
        static_cast<const char*>(std::memchr(start, '\n', static_cast<std::size_t>(end - start)));
    const std::string_view text(start, static_cast<std::size_t>(stop - start));
    at = stop + 1;
    if (!is_data(text)) continue;
    try {
      *out = line.careful(text);
      ++out;
    } catch (line_problem& found) {
      result.problem_at = offset + static_cast<std::size_t>(start - chunk.data());
      result.problem = std::move(found.text);
      break;
    }
  }
  result.count = out - result.items.data();
  return result;
}

/// Where the line with data number `which` (from 0) of a chunk starts.
std::size_t find_data_line(std::string_view chunk, index_t which) {
  for (std::size_t at = 0;;) {
    const auto end = chunk.find('\n', at);
    if (is_data(chunk.substr(at, end - at)) && which-- == 0) return at;
    at = end + 1;
  }
}

template <class Item>
void require_whole(const std::vector<parsed_chunk<Item>>& parsed, const chunked_text& from,
                   const header& head, const named_bytes& text) {
  const std::string_view what = head.kind == shape_kind::array ? "values" : "entries";
  index_t seen = 0;
  for (std::size_t k = 0; k < parsed.size(); ++k) {
    if (parsed[k].count > head.entries - seen) {
      const auto extra = from.offsets[k] + find_data_line(from.chunks[k], head.entries - seen);
      throw broken_at(text, extra,
                      formatted("one of the {} too many; the header announces {}", what,
                                count_text(head.entries)));
    }
    seen += parsed[k].count;
    if (!parsed[k].problem.empty()) throw broken_at(text, parsed[k].problem_at, parsed[k].problem);
  }
  if (seen < head.entries)
    throw broken_at(text, text.bytes.size(),
                    formatted("the file ends after {} {}; the header announces {}",
                              count_text(seen), what, count_text(head.entries)));
}

/// Chunks after the first broken one may be missing.
template <class Line>
std::vector<parsed_chunk<typename Line::item>> parse_chunks(const chunked_text& from,
                                                            const Line& line,
                                                            const read_options& how) {
  const auto chunks = static_cast<index_t>(from.chunks.size());
  std::vector<parsed_chunk<typename Line::item>> parsed(from.chunks.size());
  std::atomic<index_t> first_broken{chunks};  // chunks after it need not be parsed
  chunks_with_progress(how.threads, how.progress, "reading", chunks, [&](index_t chunk) {
    if (chunk > first_broken.load(std::memory_order_relaxed)) return;
    const auto k = static_cast<std::size_t>(chunk);
    parsed[k] = parse_chunk(from.chunks[k], from.offsets[k], line);
    if (parsed[k].problem.empty()) return;
    auto known = first_broken.load(std::memory_order_relaxed);
    while (chunk < known && !first_broken.compare_exchange_weak(known, chunk)) continue;
  });
  return parsed;
}

template <class Line>
std::vector<parsed_chunk<typename Line::item>> parse_lines(const named_bytes& text,
                                                           const Line& line,
                                                           const read_options& how) {
  const auto from = cut(text.bytes, line.head.body);
  auto parsed = parse_chunks(from, line, how);
  require_whole(parsed, from, line.head, text);
  return parsed;
}

/// The blocks of some chunks; throws for the first broken line.
template <class T, field_kind Field>
std::vector<entry_block<std::int64_t, T>> blocks_between(const named_bytes& text,
                                                         const header& head, std::size_t begin,
                                                         std::size_t end, const read_options& how) {
  const auto from = cut(text.bytes.substr(0, end), begin);
  auto parsed = parse_chunks(from, coordinate_line<std::int64_t, T, Field>{head}, how);
  std::vector<entry_block<std::int64_t, T>> blocks;
  for (auto& chunk : parsed) {
    if (!chunk.problem.empty()) throw broken_at(text, chunk.problem_at, chunk.problem);
    blocks.push_back({std::move(chunk.items), chunk.count});
  }
  return blocks;
}

/// Where the first line begins that begins at `at` or after it.
std::size_t line_start(const named_bytes& text, const header& head, std::size_t at) {
  if (at <= head.body) return head.body;
  if (at >= text.bytes.size()) return text.bytes.size();
  const auto before = text.bytes.find('\n', at - 1);
  return before == text.bytes.npos ? text.bytes.size() : before + 1;
}

template <class I, class T, field_kind Field>
csr_matrix<T> parse_coordinates(const named_bytes& text, const header& head,
                                const read_options& how) {
  auto parsed = parse_lines(text, coordinate_line<I, T, Field>{head}, how);
  require_backed_rows(how, text.name, head.shape, text.bytes.size());
  std::vector<entry_block<I, T>> blocks(parsed.size());
  for (std::size_t k = 0; k < parsed.size(); ++k)
    blocks[k] = {std::move(parsed[k].items), parsed[k].count};
  return build_csr(head.shape, std::move(blocks), mirror_of(head), how);
}

/// Puts values number `from` and on of a lower triangle, column by column, in their places.
template <class T>
void place_triangle(dense_matrix<T>& into, std::span<const T> values, index_t from,
                    mirror mirrored) {
  const auto n = into.rows();
  const index_t skipped = mirrored == mirror::negated ? 1 : 0;  // a skew diagonal is not listed
  const auto column_start = [&](index_t j) { return j * (n - skipped) - j * (j - 1) / 2; };
  index_t low = 0, high = n;  // the last column that starts at or before `from`
  while (high - low > 1) {
    const auto middle = low + (high - low) / 2;
    (column_start(middle) <= from ? low : high) = middle;
  }
  index_t j = low, i = j + skipped + from - column_start(j);
  for (const T value : values) {
    for (; i >= n; i = j + skipped) ++j;
    into(i, j) = value;
    if (i != j)
      into(j, i) = mirrored == mirror::negated
                       ? -value
                       : conjugated_if(mirrored == mirror::conjugated, value);
    ++i;
  }
}

template <class T, field_kind Field>
dense_matrix<T> parse_array(const named_bytes& text, const header& head, const read_options& how) {
  const auto parsed = parse_lines(text, array_line<T, Field>{head}, how);
  std::vector<index_t> starts(parsed.size() + 1, 0);
  for (std::size_t k = 0; k < parsed.size(); ++k) starts[k + 1] = starts[k] + parsed[k].count;
  dense_matrix<T> result(head.shape.rows, head.shape.cols, layout::column_major);
  parallel_chunks(threads_of(how.threads), static_cast<index_t>(parsed.size()), [&](index_t chunk) {
    const auto k = static_cast<std::size_t>(chunk);
    const auto values = parsed[k].items.span().first(static_cast<std::size_t>(parsed[k].count));
    if (!head.mirrored())
      std::copy(values.begin(), values.end(), result.values().begin() + starts[k]);
    else
      place_triangle(result, values, starts[k], mirror_of(head));
  });
  return result;
}

template <class T, field_kind Field>
file_matrix<T> parse_field(const named_bytes& text, const header& head, const read_options& how) {
  if (head.kind == shape_kind::array) {
    if constexpr (Field != field_kind::pattern) return parse_array<T, Field>(text, head, how);
  }
  if (narrowest(head.shape, 0).indices == index_width::i32)
    return parse_coordinates<std::int32_t, T, Field>(text, head, how);
  return parse_coordinates<std::int64_t, T, Field>(text, head, how);
}

}  // namespace

template <scalar T>
file_matrix<T> parse(const named_bytes& text, const read_options& how) {
  const auto head = require_header(text);
  if constexpr (complex_scalar<T>) {
    // Files of real values are read as such, and then become complex (io/files.cpp).
    return parse_field<T, field_kind::complex>(text, head, how);
  } else {
    switch (head.field) {
      case field_kind::real: return parse_field<T, field_kind::real>(text, head, how);
      case field_kind::integer: return parse_field<T, field_kind::integer>(text, head, how);
      case field_kind::natural: return parse_field<T, field_kind::natural>(text, head, how);
      case field_kind::pattern: return parse_field<T, field_kind::pattern>(text, head, how);
      case field_kind::complex: break;
    }
    throw complex_file(text.name);
  }
}

mirror mirror_of(const header& head) {
  if (!head.mirrored()) return mirror::none;
  if (head.symmetry == symmetry_kind::hermitian) return mirror::conjugated;
  return head.symmetry == symmetry_kind::skew_symmetric ? mirror::negated : mirror::same;
}

template <real_scalar T>
std::vector<entry_block<std::int64_t, T>> parse_range(const named_bytes& text, const header& head,
                                                      std::size_t begin, std::size_t end,
                                                      const read_options& how) {
  const auto first = line_start(text, head, begin), last = line_start(text, head, end);
  switch (head.field) {
    case field_kind::real: return blocks_between<T, field_kind::real>(text, head, first, last, how);
    case field_kind::integer:
      return blocks_between<T, field_kind::integer>(text, head, first, last, how);
    case field_kind::natural:
      return blocks_between<T, field_kind::natural>(text, head, first, last, how);
    case field_kind::pattern:
      return blocks_between<T, field_kind::pattern>(text, head, first, last, how);
    case field_kind::complex: break;
  }
  throw complex_file(text.name);
}

template std::vector<entry_block<std::int64_t, float>> parse_range(const named_bytes&,
                                                                   const header&, std::size_t,
                                                                   std::size_t,
                                                                   const read_options&);
template std::vector<entry_block<std::int64_t, double>> parse_range(const named_bytes&,
                                                                    const header&, std::size_t,
                                                                    std::size_t,
                                                                    const read_options&);

#define GOSSAMER_INSTANTIATE(T) \
  template file_matrix<T> parse<T>(const named_bytes&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io::matrix_market
