#include <cstddef>

#include "formats/value_types.hpp"
#include "io/binary/binary.hpp"
#include "io/binary/checksum.hpp"
#include "io/files/atomic_file.hpp"

namespace gossamer::io::binary {

namespace {

header blank_header(content what, extents shape, index_t entries, value_type values) {
  header head{};
  std::memcpy(head.magic, magic.data(), sizeof head.magic);
  head.what = what;
  head.value_bytes = static_cast<std::uint8_t>(bytes(values));
  if (is_complex(values)) head.version = version_with_complex, head.complex = 1;
  head.rows = shape.rows;
  head.cols = shape.cols;
  head.entries = entries;
  return head;
}

/// Where a section of these bytes goes; moves `end` behind it.
section place(std::string_view bytes, std::uint64_t& end, int threads) {
  section part;
  part.begin = (end + alignment - 1) / alignment * alignment;
  part.size = bytes.size();
  part.checksum = checksum(bytes, threads);
  end = part.begin + part.size;
  return part;
}

void write_file(const std::filesystem::path& path, header& head,
                std::initializer_list<std::pair<section*, std::string_view>> sections,
                const write_options& how) {
  const int threads = threads_of(how.threads);
  std::uint64_t end = sizeof(header);
  for (const auto& [where, bytes] : sections) *where = place(bytes, end, threads);
  head.file_bytes = end;
  const auto raw = bytes_of(&head, 1);
  head.checksum = checksum(raw.substr(0, offsetof(header, checksum)), 1);
  constexpr std::size_t step = 1 << 24;
  atomic_file file(path);
  file.write(raw);
  for (const auto& [where, bytes] : sections) {
    file.write(std::string(where->begin - static_cast<std::uint64_t>(file.size()), '\0'));
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      file.write(bytes.substr(at, step));
      if (how.progress)
        how.progress("writing", static_cast<double>(file.size()) / static_cast<double>(end));
    }
  }
  file.commit();
}

std::string_view bytes_of_indices(index_view indices) {
  return {static_cast<const char*>(indices.data()),
          static_cast<std::size_t>(indices.size() * bytes(indices.width()))};
}

}  // namespace

template <scalar T>
void write(const std::filesystem::path& path, const csr_view<const T>& a,
           const write_options& how) {
  auto head = blank_header(content::csr, a.shape, a.nnz(), value_type_of<T>);
  head.index_bytes = static_cast<std::uint8_t>(bytes(a.columns.width()));
  head.offset_bytes = static_cast<std::uint8_t>(bytes(a.offsets.width()));
  write_file(path, head,
             {{&head.offsets, bytes_of_indices(a.offsets)},
              {&head.columns, bytes_of_indices(a.columns)},
              {&head.values, bytes_of(a.values, a.nnz())}},
             how);
}

template <scalar T>
void write(const std::filesystem::path& path, const dense_view<const T>& a,
           const write_options& how) {
  auto head = blank_header(content::dense, a.shape, a.nnz(), value_type_of<T>);
  head.column_major = a.order == layout::column_major ? 1 : 0;
  const auto line = a.order == layout::column_major ? a.shape.rows : a.shape.cols;
  buffer<T> gathered;  // strided lines are packed first
  const T* values = a.values;
  if (a.stride != line && a.nnz() > 0) {
    gathered = buffer<T>(a.nnz());
    parallel_ranges(threads_of(how.threads), a.nnz() / line, 64, [&](index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k)
        std::copy_n(a.values + k * a.stride, line, gathered.data() + k * line);
    });
    values = gathered.data();
  }
  write_file(path, head, {{&head.values, bytes_of(values, a.nnz())}}, how);
}

#define GOSSAMER_INSTANTIATE(T)                                                 \
  template void write(const std::filesystem::path&, const csr_view<const T>&,   \
                      const write_options&);                                    \
  template void write(const std::filesystem::path&, const dense_view<const T>&, \
                      const write_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io::binary
