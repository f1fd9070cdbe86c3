#include <cstddef>

#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "io/binary/binary.hpp"
#include "io/binary/checksum.hpp"
#include "io/checked_csr.hpp"

namespace gossamer::io::binary {

namespace {

constexpr index_t grain = 1 << 14;

[[noreturn]] void refuse(const named_bytes& file, std::string_view what) {
  throw fail(error_kind::bad_input, "{}: {}", file.name, what);
}

bool is_width(int bytes) { return bytes == 4 || bytes == 8; }

void require_plausible(const header& head, const named_bytes& file) {
  const bool csr = head.what == content::csr;
  constexpr auto most = std::numeric_limits<index_t>::max() - 1;
  if (!csr && head.what != content::dense)
    refuse(file, formatted("its contents are of kind {}; expected 1 (csr) or 2 (dense)",
                           static_cast<int>(head.what)));
  if (head.complex > 1 || (head.complex == 1) != (head.version == version_with_complex))
    refuse(file, formatted("its header says {} about complex values, in version {}; expected 0 in "
                           "version 1 and 1 in version 2",
                           head.complex, head.version));
  if (!is_width(head.complex == 1 ? head.value_bytes / 2 : head.value_bytes) ||
      (head.complex == 1 && head.value_bytes % 2 != 0) ||
      (csr && (!is_width(head.index_bytes) || !is_width(head.offset_bytes) ||
               head.index_bytes > head.offset_bytes)))
    refuse(file,
           formatted("its values, indices and offsets have {}, {} and {} bytes; expected 4 or "
                     "8, and offsets at least as wide as indices",
                     head.value_bytes, head.index_bytes, head.offset_bytes));
  if (head.rows < 0 || head.cols < 0 || head.entries < 0 || head.rows > most || head.cols > most)
    refuse(file, formatted("its header says {} with {} entries", shape_text({head.rows, head.cols}),
                           head.entries));
  const auto needed = narrowest({head.rows, head.cols}, head.entries);
  if (csr &&
      (bytes(needed.indices) > head.index_bytes || bytes(needed.offsets) > head.offset_bytes))
    refuse(file, formatted("its header says {} with {} entries, too many for indices of {} bytes "
                           "and offsets of {}",
                           shape_text({head.rows, head.cols}), head.entries, head.index_bytes,
                           head.offset_bytes));
  index_t product = 0;
  if (!csr && (__builtin_mul_overflow(head.rows, head.cols, &product) || product != head.entries))
    refuse(file, formatted("its header says {} values for a dense matrix of {}", head.entries,
                           shape_text({head.rows, head.cols})));
}

/// A section must be where the format puts it: at the next multiple of 64 after the one before.
std::uint64_t require_section(const section& found, std::uint64_t after, index_t count,
                              std::uint64_t width, const named_bytes& file) {
  std::uint64_t size = 0;
  const auto begin = (after + alignment - 1) / alignment * alignment;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(count), width, &size) ||
      found.size != size || found.begin != begin || begin > file.bytes.size() ||
      size > file.bytes.size() - begin)
    refuse(file,
           formatted("a section of {} bytes at byte {} was announced; expected {} numbers of {} "
                     "bytes at byte {} in a file of {}",
                     found.size, found.begin, count, width, begin, file.bytes.size()));
  return begin + size;
}

void require_undamaged(const section& found, std::string_view what, const named_bytes& file,
                       int threads) {
  if (checksum(file.bytes.substr(found.begin, found.size), threads) != found.checksum)
    refuse(file, formatted("the checksum of its {} is wrong; the file is damaged", what));
}

/// Items of a section, widened or narrowed as needed; nothing is read that is not there.
template <class From, class To>
void copy_section(const named_bytes& file, const section& from, To* to, int threads) {
  const char* const data = file.bytes.data() + from.begin;
  const auto count = static_cast<index_t>(from.size / sizeof(From));
  parallel_ranges(threads, count, grain, [&](index_t begin, index_t end) {
    if constexpr (std::is_same_v<From, To>) {
      std::memcpy(to + begin, data + begin * static_cast<index_t>(sizeof(From)),
                  static_cast<std::size_t>(end - begin) * sizeof(From));
    } else {
      for (index_t k = begin; k < end; ++k)
        to[k] = cast<To>(load<From>(data + k * static_cast<index_t>(sizeof(From))));
    }
  });
}

value_type stored_type(const header& head) {
  if (head.complex == 1) return head.value_bytes == 8 ? value_type::c64 : value_type::c128;
  return head.value_bytes == 4 ? value_type::f32 : value_type::f64;
}

template <class T>
void copy_values(const named_bytes& file, const header& head, T* to, int threads) {
  if constexpr (complex_scalar<T>) {
    if (head.value_bytes == sizeof(std::complex<float>))
      copy_section<std::complex<float>>(file, head.values, to, threads);
    else
      copy_section<std::complex<double>>(file, head.values, to, threads);
  } else if (head.value_bytes == 4) {
    copy_section<float>(file, head.values, to, threads);
  } else {
    copy_section<double>(file, head.values, to, threads);
  }
}

index_buffer copy_indices(const named_bytes& file, const section& from, int width, index_t count,
                          int threads) {
  index_buffer indices(count, width == 4 ? index_width::i32 : index_width::i64);
  if (width == 4)
    copy_section<std::int32_t>(file, from, static_cast<std::int32_t*>(indices.view().data()),
                               threads);
  else
    copy_section<std::int64_t>(file, from, static_cast<std::int64_t*>(indices.view().data()),
                               threads);
  return indices;
}

template <class T>
csr_matrix<T> parse_csr(const named_bytes& file, const header& head, const read_options& how) {
  const int threads = threads_of(how.threads);
  require_undamaged(head.offsets, "row offsets", file, threads);
  require_undamaged(head.columns, "columns", file, threads);
  report(how.progress, "reading", 0.25);
  require_undamaged(head.values, "values", file, threads);
  report(how.progress, "reading", 0.5);
  buffer<T> values(head.entries);
  copy_values(file, head, values.data(), threads);
  report(how.progress, "reading", 0.75);
  csr_matrix<T> result({head.rows, head.cols},
                       copy_indices(file, head.offsets, head.offset_bytes, head.rows + 1, threads),
                       copy_indices(file, head.columns, head.index_bytes, head.entries, threads),
                       std::move(values));
  report(how.progress, "reading", 1);
  return checked(std::move(result), file.name, how);
}

template <class T>
dense_matrix<T> parse_dense(const named_bytes& file, const header& head, const read_options& how) {
  const int threads = threads_of(how.threads);
  require_undamaged(head.values, "values", file, threads);
  report(how.progress, "reading", 0.5);
  dense_matrix<T> result(head.rows, head.cols,
                         head.column_major != 0 ? layout::column_major : layout::row_major);
  copy_values(file, head, result.values().data(), threads);
  return result;
}

}  // namespace

bool looks_like_binary(std::string_view bytes) { return bytes.starts_with(magic); }

header parse_header(const named_bytes& file) {
  if (!looks_like_binary(file.bytes)) refuse(file, "it does not begin as a .gsm file does");
  if (file.bytes.size() < sizeof(header))
    refuse(file, formatted("it ends after {} of the {} bytes of its header", file.bytes.size(),
                           sizeof(header)));
  const auto head = load<header>(file.bytes.data());
  if (head.version != version && head.version != version_with_complex)
    refuse(file, formatted("it has version {} of the .gsm format; this library reads versions {} "
                           "and {}",
                           head.version, version, version_with_complex));
  if (checksum(file.bytes.substr(0, offsetof(header, checksum)), 1) != head.checksum)
    refuse(file, "the checksum of its header is wrong; the file is damaged");
  require_plausible(head, file);
  if (head.file_bytes != file.bytes.size())
    refuse(file, formatted("it has {} bytes; its header announces {}", file.bytes.size(),
                           head.file_bytes));
  std::uint64_t end = sizeof(header);
  if (head.what == content::csr) {
    end = require_section(head.offsets, end, head.rows + 1, head.offset_bytes, file);
    end = require_section(head.columns, end, head.entries, head.index_bytes, file);
  }
  end = require_section(head.values, end, head.entries, head.value_bytes, file);
  if (end != head.file_bytes)
    refuse(file, formatted("its sections end at byte {} of {}", end, head.file_bytes));
  return head;
}

file_info describe(const named_bytes& file) {
  const auto head = parse_header(file);
  file_info info;
  info.kind = file_kind::binary;
  info.dense = head.what == content::dense;
  info.field = head.complex == 1 ? "complex" : "real";
  info.type = name(stored_type(head));
  info.symmetry = "general";
  info.shape = {head.rows, head.cols};
  info.stored = head.entries;
  return info;
}

template <scalar T>
file_matrix<T> parse(const named_bytes& file, const read_options& how) {
  const auto head = parse_header(file);
  if (real_scalar<T> && head.complex == 1) throw complex_file(file.name);
  if (head.what == content::dense) return parse_dense<T>(file, head, how);
  return parse_csr<T>(file, head, how);
}

#define GOSSAMER_INSTANTIATE(T) \
  template file_matrix<T> parse<T>(const named_bytes&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io::binary
