#include "io/numpy/npy.hpp"

#include <charconv>

#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// Just enough of Python's literals: strings, True and False, tuples of whole numbers.
class dictionary_reader {
 public:
  dictionary_reader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  char peek() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t'))
      rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool finished() {
    peek();
    return rest_.empty();
  }
  void expect(char wanted) {
    if (!take(wanted)) refuse(formatted("'{}'", wanted));
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("a string");
    const auto end = rest_.find(quote, 1);
    if (end == rest_.npos) refuse("the end of a string");
    const std::string found(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return found;
  }
  bool boolean() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    refuse("True or False");
  }
  std::vector<index_t> tuple() {
    std::vector<index_t> numbers;
    expect('(');
    while (!take(')')) {
      peek();
      index_t number = 0;
      const auto [stop, problem] =
          std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      if (problem != std::errc() || number < 0) refuse("a whole number");
      rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
      take('L');  // Python 2 wrote long integers so
      numbers.push_back(number);
      if (!take(',') && peek() != ')') refuse("',' or ')'");
    }
    return numbers;
  }
  [[noreturn]] void refuse(std::string_view expected) const {
    throw fail(error_kind::bad_input, "{}: NumPy header: found {}; expected {}", file_,
               rest_.empty() ? "its end" : shown(rest_), expected);
  }

 private:
  std::string_view rest_;
  const std::string& file_;
};

void parse_descr(const std::string& descr, npy_header& head, const std::string& file) {
  const auto refuse = [&] {
    return fail(error_kind::bad_input,
                "{}: NumPy type {} is not read; expected float32, float64, complex64, "
                "complex128, an integer or bool",
                file, shown(descr));
  };
  constexpr std::string_view orders = "<=|>", kinds = "biufcSU";
  if (descr.size() < 3 || orders.find(descr[0]) == orders.npos ||
      kinds.find(descr[1]) == kinds.npos)
    throw refuse();
  head.kind = static_cast<npy_kind>(descr[1]);
  const auto* const end = descr.data() + descr.size();
  const auto [stop, problem] = std::from_chars(descr.data() + 2, end, head.item_bytes);
  if (problem != std::errc() || stop != end || head.item_bytes < 0 || head.item_bytes > 1 << 20)
    throw refuse();
  if (head.kind == npy_kind::unicode) head.item_bytes *= 4;
  if (descr[0] == '>' && head.item_bytes > 1)
    throw fail(error_kind::bad_input,
               "{}: its numbers are big-endian ({}), which is not read; save it again with "
               "astype('{}')",
               file, shown(descr), "<" + descr.substr(1));
}

/// The dictionary of a header: the three keys that NumPy writes, each once, and nothing after it.
void read_keys(std::string_view header_text, npy_header& head, const std::string& file) {
  dictionary_reader text(header_text, file);
  int seen = 0;  // a bit for each of the three keys
  text.expect('{');
  while (!text.take('}')) {
    const auto key = text.string();
    text.expect(':');
    const int bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (bit == 0 || (seen & bit) != 0)
      throw fail(error_kind::bad_input, "{}: NumPy header has the {} key {}", file,
                 bit == 0 ? "unknown" : "same", shown(key) + (bit == 0 ? "" : " twice"));
    seen |= bit;
    if (bit == 1)
      parse_descr(text.string(), head, file);
    else if (bit == 2)
      head.fortran_order = text.boolean();
    else
      head.shape = text.tuple();
    if (!text.take(',') && text.peek() != '}') text.refuse("',' or '}'");
  }
  if (!text.finished()) text.refuse("the end of the header");
  if (seen != 7)
    throw fail(error_kind::bad_input, "{}: NumPy header lacks one of descr, fortran_order, shape",
               file);
}

/// Calls f(Number{}) for the type of the items, real ones for a real T and complex ones for a
/// complex T; false for other kinds.
template <scalar T, class F>
bool with_number(const npy_header& head, F&& f) {
  const auto is = [&](npy_kind kind, std::size_t size) {
    return head.kind == kind && head.item_bytes == static_cast<index_t>(size);
  };
  const auto run = [&](auto zero) { return f(zero), true; };
  if constexpr (complex_scalar<T>) {
    if (is(npy_kind::complex, 16)) return run(std::complex<double>{});
    return is(npy_kind::complex, 8) && run(std::complex<float>{});
  }
  if (is(npy_kind::real, 8)) return run(double{});
  if (is(npy_kind::real, 4)) return run(float{});
  if (is(npy_kind::integer, 8)) return run(std::int64_t{});
  if (is(npy_kind::integer, 4)) return run(std::int32_t{});
  if (is(npy_kind::integer, 2)) return run(std::int16_t{});
  if (is(npy_kind::integer, 1)) return run(std::int8_t{});
  if (is(npy_kind::natural, 8)) return run(std::uint64_t{});
  if (is(npy_kind::natural, 4)) return run(std::uint32_t{});
  if (is(npy_kind::natural, 2)) return run(std::uint16_t{});
  if (is(npy_kind::natural, 1) || is(npy_kind::boolean, 1)) return run(std::uint8_t{});
  return false;
}

}  // namespace

index_t npy_header::count() const {
  index_t product = 1;
  for (const auto size : shape)  // an array with a side of 0 is empty, however long the others are
    if (size == 0) return 0;
  for (const auto size : shape)
    if (__builtin_mul_overflow(product, size, &product)) return std::numeric_limits<index_t>::max();
  return product;
}

bool looks_like_npy(std::string_view bytes) { return bytes.starts_with(magic); }

npy_header parse_npy_header(const named_bytes& file) {
  const auto bytes = file.bytes;
  if (!looks_like_npy(bytes) || bytes.size() < 10)
    throw fail(error_kind::bad_input, "{}: it does not begin as a NumPy array does", file.name);
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    throw fail(error_kind::bad_input, "{}: NumPy format version {} is not known; expected 1 to 3",
               file.name, version);
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start)
    throw fail(error_kind::bad_input, "{}: its NumPy header is cut off", file.name);
  const std::size_t length =
      version == 1 ? load<std::uint16_t>(bytes.data() + 8) : load<std::uint32_t>(bytes.data() + 8);
  if (length > bytes.size() - start)
    throw fail(error_kind::bad_input, "{}: its NumPy header is cut off: {} of {} bytes are there",
               file.name, bytes.size() - start, length);
  npy_header head;
  head.data = start + length;
  read_keys(bytes.substr(start, length), head, file.name);
  return head;
}

npy_array parse_npy(const named_bytes& file) {
  npy_array array{parse_npy_header(file), {}, file.name};
  array.data = file.bytes.substr(array.head.data);
  index_t wanted = 0;
  if (__builtin_mul_overflow(array.count(), array.head.item_bytes, &wanted) ||
      static_cast<std::size_t>(wanted) != array.data.size())
    throw fail(error_kind::bad_input,
               "{}: the header announces {} items of {} bytes, but {} bytes of data are there",
               file.name, array.count(), array.head.item_bytes, array.data.size());
  return array;
}

std::string npy_heading(std::string_view descr, std::span<const index_t> shape,
                        bool fortran_order) {
  std::string sizes;
  for (const auto size : shape) sizes += formatted("{}, ", size);
  if (sizes.size() > 1) sizes.pop_back();  // "3," and "2, 3,": Python reads both,
  if (shape.size() > 1) sizes.pop_back();  // but writes "(2, 3)"
  std::string text = formatted("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", descr,
                               fortran_order ? "True" : "False", sizes);
  const std::size_t before = magic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string heading(magic);
  append<std::uint16_t>(heading, 1);  // version 1.0
  append(heading, static_cast<std::uint16_t>(text.size()));
  return heading + text;
}

template <scalar T>
void require_values(const npy_array& from) {
  if (with_number<T>(from.head, [](auto) {})) return;
  const bool complex = from.head.kind == npy_kind::complex;
  if (real_scalar<T> && complex) throw complex_file(from.name);
  throw fail(error_kind::bad_input, "{}: its values have NumPy type {}; expected {}", from.name,
             from.head.type_text(),
             complex ? "complex64 or complex128" : "float32, float64, an integer or bool");
}

void require_indices(const npy_array& from) {
  const bool wide_enough = from.head.item_bytes == 4 || from.head.item_bytes == 8;
  if (from.head.kind != npy_kind::integer || !wide_enough)
    throw fail(error_kind::bad_input, "{}: its indices have NumPy type {}; expected i4 or i8",
               from.name, from.head.type_text());
}

template <scalar T>
void copy_values(const npy_array& from, range items, T* to) {
  with_number<T>(from.head, [&]<class Number>(Number) {
    const char* at = from.data.data() + static_cast<std::size_t>(items.begin) * sizeof(Number);
    for (index_t k = items.begin; k < items.end; ++k, at += sizeof(Number))
      *to++ = cast<T>(load<Number>(at));
  });
}

index_t index_at(const npy_array& from, index_t item) {
  const char* const at = from.data.data() + item * from.head.item_bytes;
  return from.head.item_bytes == 4 ? load<std::int32_t>(at) : load<std::int64_t>(at);
}

template <stored_index I>
void copy_indices(const npy_array& from, range items, index_t limit, I* to) {
  for (index_t k = items.begin; k < items.end; ++k) {
    const auto index = index_at(from, k);
    if (index < 0 || index > limit)
      throw fail(error_kind::bad_input, "{}: number {} is {}; expected 0 to {}", from.name, k,
                 index, limit);
    *to++ = static_cast<I>(index);
  }
}

#define GOSSAMER_INSTANTIATE(T)                           \
  template void copy_values(const npy_array&, range, T*); \
  template void require_values<T>(const npy_array&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE
template void copy_indices(const npy_array&, range, index_t, std::int32_t*);
template void copy_indices(const npy_array&, range, index_t, std::int64_t*);

}  // namespace gossamer::io
