// One file of a distributed matrix, written by all ranks at once.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/text.hpp"
#include "distributed/calls.hpp"
#include "distributed/files/readers.hpp"
#include "distributed/files/shared_file.hpp"
#include "io/binary/binary.hpp"
#include "io/binary/checksum.hpp"
#include "io/files/mapped_file.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace gossamer::mpi {
namespace {

/// The sum of this number over the ranks before this one.
index_t before_me(const communicator& ranks, index_t mine) {
  index_t before = 0;
  check(MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, ranks.impl().comm), "MPI_Exscan");
  return ranks.rank() == 0 ? 0 : before;
}

template <real_scalar T>
void write_text(const context& where, const std::filesystem::path& path,
                const distributed_csr<T>& a, const write_options& writing) {
  const auto& ranks = a.ranks();
  shared_file file(ranks, path);
  const auto text = agreed(ranks, [&] {
    const auto rows = local_rows(where, a);
    auto lines = io::matrix_market::coordinate_lines<T>(rows.view(), a.first_row());
    if (ranks.rank() > 0) return lines;
    return io::matrix_market::coordinate_heading(a.shape(), a.nnz(), writing.comment) + lines;
  });
  const index_t at = before_me(ranks, static_cast<index_t>(text.size()));
  agreed(ranks, [&] { file.write(at, text); });
  file.commit();
}

/// Where the sections of a .gsm file go.
template <real_scalar T>
io::binary::header header_of(const distributed_csr<T>& a) {
  using namespace io::binary;
  header head{};
  const auto w = narrowest(a.shape(), a.nnz());
  std::memcpy(head.magic, magic.data(), sizeof head.magic);
  head.what = content::csr;
  head.value_bytes = sizeof(T);
  head.index_bytes = static_cast<std::uint8_t>(bytes(w.indices));
  head.offset_bytes = static_cast<std::uint8_t>(bytes(w.offsets));
  head.rows = a.shape().rows;
  head.cols = a.shape().cols;
  head.entries = a.nnz();
  std::uint64_t end = sizeof(header);
  const auto place = [&](section& part, index_t count, std::uint64_t width) {
    part.begin = (end + alignment - 1) / alignment * alignment;
    part.size = static_cast<std::uint64_t>(count) * width;
    end = part.begin + part.size;
  };
  place(head.offsets, head.rows + 1, head.offset_bytes);
  place(head.columns, head.entries, head.index_bytes);
  place(head.values, head.entries, head.value_bytes);
  head.file_bytes = end;
  return head;
}

/// Indices plus a number, in the width of a file, from `first` to `last`.
std::string packed(index_view indices, index_t first, index_t last, index_t plus, int width) {
  std::string raw;
  raw.reserve(static_cast<std::size_t>((last - first) * width));
  for (index_t k = first; k < last; ++k)
    if (width == 4)
      io::append(raw, static_cast<std::int32_t>(indices[k] + plus));
    else
      io::append(raw, static_cast<std::int64_t>(indices[k] + plus));
  return raw;
}

template <real_scalar T>
void write_sections(shared_file& file, const io::binary::header& head,
                    const csr_view<const T>& rows, index_t first_row, index_t first_entry) {
  const bool last = first_row + rows.shape.rows == head.rows;
  const auto at = [](const io::binary::section& part, index_t number, index_t width) {
    return static_cast<index_t>(part.begin) + number * width;
  };
  // The end of the last row is written by every rank that has none after it: the same number.
  file.write(
      at(head.offsets, first_row, head.offset_bytes),
      packed(rows.offsets, 0, rows.shape.rows + (last ? 1 : 0), first_entry, head.offset_bytes));
  file.write(at(head.columns, first_entry, head.index_bytes),
             packed(rows.columns, 0, rows.nnz(), 0, head.index_bytes));
  file.write(at(head.values, first_entry, head.value_bytes), io::bytes_of(rows.values, rows.nnz()));
}

template <real_scalar T>
void write_binary(const context& where, const std::filesystem::path& path,
                  const distributed_csr<T>& a) {
  const auto& ranks = a.ranks();
  shared_file file(ranks, path);
  auto head = header_of(a);
  const index_t first_entry = before_me(ranks, a.local_nnz());
  agreed(ranks, [&] {
    const auto rows = local_rows(where, a);
    write_sections<T>(file, head, rows.view(), a.first_row(), first_entry);
    // Sections without entries are padding at most: nobody writes there.
    if (ranks.rank() == 0) file.resize(static_cast<index_t>(head.file_bytes));
  });
  // Sums are those of the file, not of arrays: blocks end anywhere in the rows of ranks.
  std::unique_ptr<io::mapped_file> written;
  agreed(ranks, [&] {
    written = std::make_unique<io::mapped_file>(file.temporary());
    if (written->bytes().size() < head.file_bytes)
      throw fail(error_kind::io_failure, "{}: {} of its {} bytes arrived", path.string(),
                 written->bytes().size(), head.file_bytes);
  });
  for (auto* const part : {&head.offsets, &head.columns, &head.values})
    part->checksum =
        shared_checksum(ranks, written->bytes().substr(part->begin, part->size), where.threads());
  agreed(ranks, [&] {
    written.reset();
    if (ranks.rank() != 0) return;
    const auto raw = io::bytes_of(&head, 1);
    head.checksum = io::checksum(raw.substr(0, offsetof(io::binary::header, checksum)), 1);
    file.write(0, raw);
  });
  file.commit();
}

}  // namespace

template <real_scalar T>
void write(const context& where, const std::filesystem::path& path, const distributed_csr<T>& a,
           const write_options& writing) {
  const auto& ranks = a.ranks();
  const auto kind = agreed(ranks, [&] {
    const auto extension = path.extension();
    if (writing.kind) return *writing.kind;
    if (extension == ".mtx") return file_kind::matrix_market;
    return extension == ".gsm" ? file_kind::binary : file_kind::npz;  // any that one rank writes
  });
  if (kind == file_kind::matrix_market && !writing.symmetric)
    return write_text(where, path, a, writing);
  if (kind == file_kind::binary) return write_binary(where, path, a);
  const auto whole = gather(where, a);
  agreed(ranks, [&] {
    auto alone = writing;
    alone.progress = {};
    if (ranks.rank() == 0) gossamer::write(path, whole, alone);
  });
}

template void write(const context&, const std::filesystem::path&, const distributed_csr<float>&,
                    const write_options&);
template void write(const context&, const std::filesystem::path&, const distributed_csr<double>&,
                    const write_options&);

}  // namespace gossamer::mpi
