// The banner, the comments and the size line.
#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/text.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace gossamer::io::matrix_market {

namespace {

std::string lowered(std::string_view word) {
  std::string low(word);
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return low;
}

/// Lines of a text, one after the other, with the place where each starts.
class line_reader {
 public:
  explicit line_reader(std::string_view text) : text_(text) {}
  bool done() const { return next_ >= text_.size(); }
  std::size_t start() const { return start_; }
  std::size_t next_start() const { return next_; }
  std::string_view next() {
    start_ = next_;
    const auto end = std::min(text_.find('\n', start_), text_.size());
    next_ = std::min(end + 1, text_.size());
    return text_.substr(start_, end - start_);
  }

 private:
  std::string_view text_;
  std::size_t start_ = 0, next_ = 0;
};

template <class Kind>
struct spelled {
  std::string_view word;
  Kind kind;
};
constexpr std::array<spelled<shape_kind>, 2> formats{
    {{"coordinate", shape_kind::coordinate}, {"array", shape_kind::array}}};
constexpr std::array<spelled<field_kind>, 6> fields{{{"real", field_kind::real},
                                                     {"integer", field_kind::integer},
                                                     {"pattern", field_kind::pattern},
                                                     {"complex", field_kind::complex},
                                                     {"double", field_kind::real},
                                                     {"unsigned-integer", field_kind::natural}}};
constexpr std::array<spelled<symmetry_kind>, 4> symmetries{
    {{"general", symmetry_kind::general},
     {"symmetric", symmetry_kind::symmetric},
     {"skew-symmetric", symmetry_kind::skew_symmetric},
     {"hermitian", symmetry_kind::hermitian}}};

template <class Kind, std::size_t N>
std::string_view word_of(const std::array<spelled<Kind>, N>& choices, Kind kind) {
  return std::find_if(choices.begin(), choices.end(), [&](auto& c) { return c.kind == kind; })
      ->word;
}

/// The kind a word of the banner names, whatever its case.
template <class Kind, std::size_t N>
Kind choose(const std::array<spelled<Kind>, N>& choices, std::string_view word,
            const named_bytes& text, std::size_t at) {
  const auto low = lowered(word);
  for (const auto& choice : choices)
    if (choice.word == low) return choice.kind;
  std::string expected;
  for (const auto& choice : choices)
    expected += formatted("{}{}", expected.empty() ? "" : ", ", choice.word);
  throw broken_at(text, at,
                  formatted("the banner has {}; expected one of {}",
                            word.empty() ? "too few words" : shown(word), expected));
}

/// The next word as it stands; empty at the end of the line.
std::string_view raw_word(std::string_view& line) {
  const char* const end = line.data() + line.size();
  const char* const begin = skip_blanks(line.data(), end);
  const char* stop = begin;
  while (stop != end && !is_blank(*stop)) ++stop;
  line = {stop, static_cast<std::size_t>(end - stop)};
  return {begin, static_cast<std::size_t>(stop - begin)};
}

void parse_banner(std::string_view line, header& head, const named_bytes& text, std::size_t at) {
  const auto whole = line;
  if (lowered(raw_word(line)) != "%%matrixmarket")
    throw broken_at(text, at,
                    formatted("found {}; a Matrix Market file begins with '%%MatrixMarket "
                              "matrix', or is this another kind of file?",
                              shown(whole)));
  const auto object = next_word(line);
  if (lowered(object) != "matrix")
    throw broken_at(text, at,
                    formatted("the banner announces {}; only 'matrix' is read", shown(object)));
  head.kind = choose(formats, next_word(line), text, at);
  head.field = choose(fields, next_word(line), text, at);
  head.symmetry = choose(symmetries, next_word(line), text, at);
  if (const auto extra = next_word(line); !extra.empty())
    throw broken_at(text, at,
                    formatted("the banner goes on with {}; expected its end", shown(extra)));
  if (head.kind == shape_kind::array && head.field == field_kind::pattern)
    throw broken_at(text, at, "an array file cannot be a pattern: every place has a value");
  if (head.field == field_kind::pattern && head.symmetry == symmetry_kind::hermitian)
    throw broken_at(text, at, "a pattern cannot be hermitian; expected general or symmetric");
}

index_t parse_count(std::string_view word, std::string_view what, const named_bytes& text,
                    std::size_t at) {
  index_t count = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (problem == std::errc::result_out_of_range)
    throw broken_at(
        text, at,
        formatted("the number of {} is {}, which does not fit 64 bits", what, shown(word)));
  if (problem != std::errc() || end != word.data() + word.size() || count < 0)
    throw broken_at(text, at,
                    formatted("the number of {} is {}; expected a whole number, 0 or "
                              "more",
                              what, shown(word)));
  return count;
}

/// Values an array file must list: everything, or the lower triangle with or without its diagonal.
index_t array_entries(const header& head, const named_bytes& text, std::size_t at) {
  index_t product = 0;
  const auto n = head.shape.rows;
  const auto other = !head.mirrored()                                 ? head.shape.cols
                     : head.symmetry == symmetry_kind::skew_symmetric ? std::max<index_t>(n - 1, 0)
                                                                      : n + 1;
  if (__builtin_mul_overflow(n, other, &product))
    throw broken_at(
        text, at,
        formatted("an array of {} has more values than any file can hold", shape_text(head.shape)));
  return head.mirrored() ? product / 2 : product;
}

void parse_sizes(std::string_view line, header& head, const named_bytes& text, std::size_t at) {
  const bool coordinate = head.kind == shape_kind::coordinate;
  std::vector<std::string_view> words;
  for (auto rest = line;;) {
    const auto word = next_word(rest);
    if (word.empty()) break;
    words.push_back(word);
    if (words.size() > 3) break;
  }
  if (words.size() != (coordinate ? 3u : 2u))
    throw broken_at(text, at,
                    formatted("found {}; expected the size line: {}", shown(line),
                              coordinate ? "rows, columns, entries" : "rows, columns"));
  head.shape = {parse_count(words[0], "rows", text, at),
                parse_count(words[1], "columns", text, at)};
  if (std::max(head.shape.rows, head.shape.cols) == std::numeric_limits<index_t>::max())
    throw broken_at(text, at,
                    formatted("a matrix of {} is beyond what 64-bit indices can count",
                              shape_text(head.shape)));
  if (head.mirrored() && head.shape.rows != head.shape.cols)
    throw broken_at(text, at,
                    formatted("a {} matrix is square, but the size line says {}",
                              word_of(symmetries, head.symmetry), shape_text(head.shape)));
  head.entries =
      coordinate ? parse_count(words[2], "entries", text, at) : array_entries(head, text, at);
}

}  // namespace

std::string_view next_word(std::string_view& line) {
  const auto word = raw_word(line);
  if (!word.starts_with('%')) return word;
  line = {};
  return {};
}

error broken_at(const named_bytes& text, std::size_t offset, std::string_view problem) {
  const auto before = text.bytes.substr(0, offset);
  return fail(error_kind::bad_input, "{}, line {}: {}", text.name,
              1 + std::count(before.begin(), before.end(), '\n'), problem);
}

std::optional<header> parse_header(const named_bytes& text) {
  line_reader lines(text.bytes);
  header head;
  bool banner_seen = false;
  while (!lines.done()) {
    auto line = lines.next();
    if (!banner_seen && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // UTF-8 mark
    const auto* const end = line.data() + line.size();
    const auto* const first = skip_blanks(line.data(), end);
    if (first == end) continue;
    if (!banner_seen) {
      parse_banner(line, head, text, lines.start());
      banner_seen = true;
    } else if (*first != '%') {
      parse_sizes(line, head, text, lines.start());
      head.body = lines.next_start();
      return head;
    }
  }
  return std::nullopt;
}

header require_header(const named_bytes& text) {
  if (const auto head = parse_header(text)) return *head;
  if (text.bytes.find_first_not_of(" \t\r\n") == text.bytes.npos)
    throw fail(error_kind::bad_input, "{}: the file is empty", text.name);
  throw broken_at(text, text.bytes.size(),
                  "the file ends before the size line (rows, columns, entries)");
}

file_info describe(const header& head) {
  file_info info;
  info.kind = file_kind::matrix_market;
  info.dense = head.kind == shape_kind::array;
  info.field =
      word_of(fields, head.field == field_kind::natural ? field_kind::integer : head.field);
  info.symmetry = word_of(symmetries, head.symmetry);
  info.shape = head.shape;
  info.stored = head.entries;
  return info;
}

}  // namespace gossamer::io::matrix_market
