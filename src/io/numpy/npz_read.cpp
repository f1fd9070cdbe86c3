#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "io/checked_csr.hpp"
#include "io/numpy/npy.hpp"
#include "io/numpy/npz.hpp"
#include "io/numpy/zip.hpp"

namespace gossamer::io {

namespace {

constexpr index_t grain = 1 << 14;
constexpr index_t block_size = 1 << 16;

/// An array of the archive together with the bytes it lies in.
struct held_array {
  buffer<char> bytes;
  npy_array array;
};

std::string member_name(const named_bytes& file, std::string_view array) {
  return formatted("{} [{}]", file.name, array);
}

const zip_member& require_member(const zip_archive& archive, const named_bytes& file,
                                 const std::string& array) {
  if (const auto* const found = archive.find(array + ".npy")) return *found;
  throw fail(error_kind::bad_input,
             "{}: it has no array '{}'; expected what scipy.sparse.save_npz writes", file.name,
             array);
}

held_array load_array(zip_archive& archive, const named_bytes& file, const std::string& array) {
  held_array held{archive.contents(require_member(archive, file, array)), {}};
  held.array = parse_npy(
      {{held.bytes.data(), static_cast<std::size_t>(held.bytes.size())}, member_name(file, array)});
  return held;
}

held_array load_indices(zip_archive& archive, const named_bytes& file, const std::string& array) {
  auto held = load_array(archive, file, array);
  require_indices(held.array);
  if (held.array.head.shape.size() != 1)
    throw fail(error_kind::bad_input, "{}: it has {} dimensions; expected 1", held.array.name,
               held.array.head.shape.size());
  return held;
}

template <class T>
held_array load_values(zip_archive& archive, const named_bytes& file) {
  auto held = load_array(archive, file, "data");
  require_values<T>(held.array);
  if (held.array.head.shape.size() != 1)
    throw fail(error_kind::bad_input, "{}: it has {} dimensions; expected 1", held.array.name,
               held.array.head.shape.size());
  return held;
}

/// "csr", "csc", ... kept as bytes or, by old versions, as 32-bit characters.
std::string format_of(zip_archive& archive, const named_bytes& file) {
  const auto held = load_array(archive, file, "format");
  const auto kind = held.array.head.kind;
  if (kind != npy_kind::bytes && kind != npy_kind::unicode)
    throw fail(error_kind::bad_input, "{}: it is no text; expected csr, csc or coo",
               held.array.name);
  const std::size_t step = kind == npy_kind::bytes ? 1 : 4;
  std::string format;
  for (std::size_t k = 0; k < held.array.data.size() && format.size() < 16; k += step)
    if (held.array.data[k] != '\0') format += held.array.data[k];
  return format;
}

extents shape_of(zip_archive& archive, const named_bytes& file) {
  const auto held = load_indices(archive, file, "shape");
  if (held.array.count() != 2)
    throw fail(error_kind::bad_input, "{}: it has {} numbers; expected rows and columns",
               held.array.name, held.array.count());
  const extents shape{index_at(held.array, 0), index_at(held.array, 1)};
  constexpr auto most = std::numeric_limits<index_t>::max() - 1;
  if (shape.rows < 0 || shape.cols < 0 || shape.rows > most || shape.cols > most)
    throw fail(error_kind::bad_input, "{}: the shape is {}", held.array.name, shape_text(shape));
  return shape;
}

void require_same_length(const held_array& a, const held_array& b) {
  if (a.array.count() != b.array.count())
    throw fail(error_kind::bad_input, "{}: it has {} numbers, but {} has {}; expected as many",
               a.array.name, a.array.count(), b.array.name, b.array.count());
}

/// Two arrays of indices and the values, as all sparse formats of SciPy have them.
struct loaded_arrays {
  held_array first, second, values;
};
template <class T>
loaded_arrays load_arrays(zip_archive& archive, const named_bytes& file, const std::string& first,
                          const std::string& second, const read_options& how) {
  auto indices = load_indices(archive, file, first);
  auto others = load_indices(archive, file, second);
  report(how.progress, "reading", 0.4);
  auto values = load_values<T>(archive, file);
  report(how.progress, "reading", 0.9);
  return {std::move(indices), std::move(others), std::move(values)};
}

/// indptr, indices, data as compressed rows of `shape` (for CSC: of its transpose).
template <class T>
csr_matrix<T> compressed(zip_archive& archive, const named_bytes& file, extents shape,
                         const read_options& how) {
  const auto loaded = load_arrays<T>(archive, file, "indptr", "indices", how);
  const auto &offsets = loaded.first, &indices = loaded.second, &values = loaded.values;
  require_same_length(indices, values);
  if (offsets.array.count() != shape.rows + 1)
    throw fail(error_kind::bad_input, "{}: it has {} offsets; expected {}", offsets.array.name,
               offsets.array.count(), shape.rows + 1);
  const auto nnz = index_at(offsets.array, shape.rows);  // SciPy allows room after the last entry
  if (nnz < 0 || nnz > indices.array.count())
    throw fail(error_kind::bad_input,
               "{}: the last offset is {}; expected 0 to {} (the number of "
               "indices)",
               offsets.array.name, nnz, indices.array.count());
  csr_matrix<T> result(shape, nnz);
  const int threads = threads_of(how.threads);
  auto view = result.mutable_view();
  const auto copy = [&](const npy_array& from, index_t count, index_t limit, index_span to) {
    parallel_ranges(threads, count, grain, [&](index_t begin, index_t end) {
      if (to.width() == index_width::i32)
        copy_indices(from, {begin, end}, limit, static_cast<std::int32_t*>(to.data()) + begin);
      else
        copy_indices(from, {begin, end}, limit, static_cast<std::int64_t*>(to.data()) + begin);
    });
  };
  copy(offsets.array, shape.rows + 1, nnz, view.offsets);
  copy(indices.array, nnz, shape.cols - 1, view.columns);
  parallel_ranges(threads, nnz, grain, [&](index_t begin, index_t end) {
    copy_values(values.array, {begin, end}, view.values + begin);
  });
  report(how.progress, "reading", 1);
  return result;
}

template <class I, class T>
csr_matrix<T> from_triplets(const held_array& rows, const held_array& columns,
                            const held_array& values, extents shape, const read_options& how) {
  const auto count = values.array.count();
  std::vector<entry_block<I, T>> blocks(
      static_cast<std::size_t>((count + block_size - 1) / block_size));
  parallel_chunks(threads_of(how.threads), static_cast<index_t>(blocks.size()), [&](index_t b) {
    const range items{b * block_size, std::min((b + 1) * block_size, count)};
    const auto size = items.end - items.begin;
    std::vector<I> i(static_cast<std::size_t>(size)), j(static_cast<std::size_t>(size));
    std::vector<T> x(static_cast<std::size_t>(size));
    copy_indices(rows.array, items, shape.rows - 1, i.data());
    copy_indices(columns.array, items, shape.cols - 1, j.data());
    copy_values(values.array, items, x.data());
    entry_block<I, T> block{buffer<entry<I, T>>(size), size};
    for (std::size_t k = 0; k < x.size(); ++k) block.entries.data()[k] = {i[k], j[k], x[k]};
    blocks[static_cast<std::size_t>(b)] = std::move(block);
  });
  return build_csr(shape, std::move(blocks), mirror::none, how);
}

template <class T>
csr_matrix<T> triplets(zip_archive& archive, const named_bytes& file, extents shape,
                       const read_options& how) {
  const auto [rows, columns, values] = load_arrays<T>(archive, file, "row", "col", how);
  require_same_length(rows, values);
  require_same_length(columns, values);
  return narrowest(shape, 0).indices == index_width::i32
             ? from_triplets<std::int32_t, T>(rows, columns, values, shape, how)
             : from_triplets<std::int64_t, T>(rows, columns, values, shape, how);
}

std::string field_text(const npy_header& head) {
  if (head.kind == npy_kind::complex) return "complex";
  return head.kind == npy_kind::real ? "real" : "integer";
}

}  // namespace

namespace npz {

bool looks_like_zip(std::string_view bytes) {
  return bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6");
}

file_info describe(const named_bytes& file, const read_options& how) {
  zip_archive archive(file, how);
  file_info info;
  info.kind = file_kind::npz;
  static_cast<void>(format_of(archive, file));
  info.shape = shape_of(archive, file);
  const auto start = archive.prefix(require_member(archive, file, "data"), 1 << 16);
  const auto head = parse_npy_header(
      {{start.data(), static_cast<std::size_t>(start.size())}, member_name(file, "data")});
  info.field = field_text(head);
  info.type = formatted("{}{}", static_cast<char>(head.kind), 8 * head.item_bytes);
  info.symmetry = "general";
  info.stored = head.count();
  return info;
}

template <scalar T>
csr_matrix<T> parse(const named_bytes& file, const read_options& how) {
  zip_archive archive(file, how);
  const auto format = format_of(archive, file);
  const auto shape = shape_of(archive, file);
  if (format == "csr") return checked(compressed<T>(archive, file, shape, how), file.name, how);
  if (format == "csc" || format == "coo")
    require_backed_rows(how, file.name, shape, file.bytes.size());
  if (format == "coo") return triplets<T>(archive, file, shape, how);
  if (format == "csc") {
    const auto columns = compressed<T>(archive, file, transposed(shape), how);
    require_sound(columns.view(), file.name, threads_of(how.threads));
    return rebuilt(columns.view(), orientation::transposed, how);
  }
  throw fail(error_kind::bad_input,
             "{}: its sparse format is {}; csr, csc and coo are read (save it again with .tocsr())",
             file.name, shown(format));
}

#define GOSSAMER_INSTANTIATE(T) \
  template csr_matrix<T> parse<T>(const named_bytes&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace npz

namespace npy {

namespace {

extents dense_shape(const npy_header& head, const std::string& file) {
  if (head.shape.empty() || head.shape.size() > 2)
    throw fail(error_kind::bad_input, "{}: the array has {} dimensions; expected 1 or 2", file,
               head.shape.size());
  return {head.shape[0], head.shape.size() == 2 ? head.shape[1] : 1};
}

}  // namespace

file_info describe(const named_bytes& file) {
  const auto head = parse_npy_header(file);
  file_info info;
  info.kind = file_kind::npy;
  info.dense = true;
  info.field = field_text(head);
  info.type = formatted("{}{}", static_cast<char>(head.kind), 8 * head.item_bytes);
  info.symmetry = "general";
  info.shape = dense_shape(head, file.name);
  info.stored = head.count();
  return info;
}

template <scalar T>
dense_matrix<T> parse(const named_bytes& file, const read_options& how) {
  const auto array = parse_npy(file);
  require_values<T>(array);
  const auto shape = dense_shape(array.head, file.name);
  dense_matrix<T> result(shape.rows, shape.cols,
                         array.head.fortran_order ? layout::column_major : layout::row_major);
  parallel_ranges(threads_of(how.threads), array.count(), grain, [&](index_t begin, index_t end) {
    copy_values(array, {begin, end}, result.values().data() + begin);
  });
  return result;
}

#define GOSSAMER_INSTANTIATE(T) \
  template dense_matrix<T> parse<T>(const named_bytes&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace npy
}  // namespace gossamer::io
