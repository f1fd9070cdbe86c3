// The public readers and writers: detects the format of a file and dispatches.
#include "io/files.hpp"

#include <new>

#include "base/refused_memory.hpp"
#include "formats/entries.hpp"
#include "formats/sizes.hpp"
#include "formats/value_types.hpp"
#include "io/binary/binary.hpp"
#include "io/build_csr.hpp"
#include "io/edge_list/edge_list.hpp"
#include "io/files/compress.hpp"
#include "io/files/mapped_file.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/numpy/npy.hpp"
#include "io/numpy/npz.hpp"

namespace gossamer {

namespace io {

file_kind kind_of(std::string_view bytes) {
  if (looks_like_gzip(bytes)) return file_kind::matrix_market_gz;
  if (npz::looks_like_zip(bytes)) return file_kind::npz;
  if (looks_like_npy(bytes)) return file_kind::npy;
  if (binary::looks_like_binary(bytes)) return file_kind::binary;
  if (edge_list::looks_like_edges(bytes)) return file_kind::edge_list;
  return file_kind::matrix_market;
}

namespace {

/// Runs a reader; whatever it throws, the caller gets an error of the library.
template <class Read>
auto guarded_reading(const std::string& name, Read&& read) try {
  return read();
} catch (const std::bad_alloc&) {
  throw fail(error_kind::out_of_memory, "{}: the system refused memory while it was read", name);
}

/// Bytes of an index array, copied.
index_buffer copied(index_view from) {
  index_buffer copy(from.size(), from.width());
  if (from.size() > 0)
    std::memcpy(copy.view().data(), from.data(),
                static_cast<std::size_t>(from.size() * bytes(from.width())));
  return copy;
}

/// Real values as complex ones.
template <complex_scalar T>
file_matrix<T> widened(const file_matrix<real_of<T>>& real) {
  if (const auto* const a = std::get_if<csr_matrix<real_of<T>>>(&real)) {
    buffer<T> values(a->nnz());
    std::copy(a->values().begin(), a->values().end(), values.data());
    return csr_matrix<T>(a->shape(), copied(a->row_offsets()), copied(a->column_indices()),
                         std::move(values));
  }
  const auto& a = std::get<dense_matrix<real_of<T>>>(real);
  dense_matrix<T> result(a.rows(), a.cols(), a.order());
  std::copy(a.values().begin(), a.values().end(), result.values().begin());
  return result;
}

file_info inspect_as_stored(const named_bytes& file, const read_options& how);

template <scalar T>
file_matrix<T> parse_as_stored(const named_bytes& file, const read_options& how) {
  if constexpr (complex_scalar<T>)
    if (inspect_as_stored(file, how).field != "complex")
      return widened<T>(parse_as_stored<real_of<T>>(file, how));
  switch (kind_of(file.bytes)) {
    case file_kind::matrix_market_gz: {
      const auto text = inflate_gzip(file, how);
      if (edge_list::looks_like_edges(text.bytes()))
        return edge_list::parse<T>({text.bytes(), file.name}, how);
      return matrix_market::parse<T>({text.bytes(), file.name}, how);
    }
    case file_kind::npz: return npz::parse<T>(file, how);
    case file_kind::npy: return npy::parse<T>(file, how);
    case file_kind::binary: return binary::parse<T>(file, how);
    case file_kind::edge_list: return edge_list::parse<T>(file, how);
    case file_kind::matrix_market: break;
  }
  return matrix_market::parse<T>(file, how);
}

/// Inflates no more than the header needs, which is little unless its comments are long.
file_info inspect_gzip(const named_bytes& file, const read_options& how) {
  for (std::size_t wanted = 1 << 16;; wanted *= 4) {
    const auto start = inflate_gzip_prefix(file, how, wanted);
    auto text = start.contents.bytes();
    if (edge_list::looks_like_edges(text)) {
      const auto all = inflate_gzip(file, how);
      return edge_list::describe({all.bytes(), file.name});
    }
    if (!start.complete)
      text = text.substr(0, text.rfind('\n') + 1);  // whole lines (npos + 1 is 0)
    const named_bytes seen{text, file.name};
    if (start.complete) return matrix_market::describe(matrix_market::require_header(seen));
    if (const auto head = matrix_market::parse_header(seen)) return matrix_market::describe(*head);
  }
}

file_info inspect_as_stored(const named_bytes& file, const read_options& how) {
  switch (kind_of(file.bytes)) {
    case file_kind::matrix_market_gz: {
      auto info = inspect_gzip(file, how);
      if (info.kind == file_kind::matrix_market) info.kind = file_kind::matrix_market_gz;
      return info;
    }
    case file_kind::npz: return npz::describe(file, how);
    case file_kind::npy: return npy::describe(file);
    case file_kind::binary: return binary::describe(file);
    case file_kind::edge_list: return edge_list::describe(file);
    case file_kind::matrix_market: break;
  }
  return matrix_market::describe(matrix_market::require_header(file));
}

/// The nonzeros of a dense matrix; NaN is one.
template <class I, class T>
csr_matrix<T> nonzeros(const dense_matrix<T>& a, const read_options& how) {
  constexpr index_t rows_per_block = 256;
  std::vector<entry_block<I, T>> blocks(
      static_cast<std::size_t>((a.rows() + rows_per_block - 1) / rows_per_block));
  parallel_chunks(threads_of(how.threads), static_cast<index_t>(blocks.size()), [&](index_t k) {
    std::vector<entry<I, T>> found;
    const auto end = std::min((k + 1) * rows_per_block, a.rows());
    for (index_t i = k * rows_per_block; i < end; ++i)
      for (index_t j = 0; j < a.cols(); ++j)
        if (const T value = a(i, j); value != T{0})
          found.push_back({static_cast<I>(i), static_cast<I>(j), value});
    blocks[static_cast<std::size_t>(k)] = {buffer<entry<I, T>>(std::span<const entry<I, T>>(found)),
                                           static_cast<index_t>(found.size())};
  });
  return build_csr(a.shape(), std::move(blocks), mirror::none, how);
}

template <class T>
csr_matrix<T> sparse(file_matrix<T> found, const named_bytes& file, const read_options& how) {
  if (auto* const a = std::get_if<csr_matrix<T>>(&found)) return std::move(*a);
  const auto& a = std::get<dense_matrix<T>>(found);
  require_backed_rows(how, file.name, a.shape(), file.bytes.size());  // rows of no columns are free
  return narrowest(a.shape(), 0).indices == index_width::i32 ? nonzeros<std::int32_t>(a, how)
                                                             : nonzeros<std::int64_t>(a, how);
}

template <class T>
dense_matrix<T> dense(file_matrix<T> found, const named_bytes& file, const read_options& how) {
  if (auto* const a = std::get_if<dense_matrix<T>>(&found)) return std::move(*a);
  const auto& a = std::get<csr_matrix<T>>(found);
  require_backed(how, file.name, "dense values",
                 static_cast<double>(sizeof(T)) * static_cast<double>(a.rows()) *
                     static_cast<double>(a.cols()),
                 file.bytes.size());
  dense_matrix<T> result(a.rows(), a.cols());
  auto out = result.mutable_view();
  for_each_entry(a.view(), [&](index_t i, index_t j, T value) { out(i, j) = value; });
  return result;
}

std::string lowered_name(const std::filesystem::path& path) {
  std::string low = path.filename().string();
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return low;
}

file_kind kind_by_extension(const std::filesystem::path& path) {
  const auto file = lowered_name(path);
  if (file.ends_with(".mtx")) return file_kind::matrix_market;
  if (file.ends_with(".mtx.gz")) return file_kind::matrix_market_gz;
  if (file.ends_with(".npz")) return file_kind::npz;
  if (file.ends_with(".npy")) return file_kind::npy;
  if (file.ends_with(".gsm")) return file_kind::binary;
  throw fail(error_kind::bad_argument,
             "{}: its name does not say which format is meant; end it in .mtx, .mtx.gz, .gsm, .npz "
             "(sparse) or .npy (dense)",
             path.string());
}

template <class View>
void require_on_host(const View& a, const std::filesystem::path& path) {
  if (a.where != memory::host)
    throw fail(error_kind::bad_argument,
               "{}: the matrix to write is in {} memory; copy it to the host "
               "first",
               path.string(), name(a.where));
}

/// Runs a writer; whatever it throws, the caller gets an error of the library.
template <class Write>
void guarded(const std::filesystem::path& path, Write&& write) try {
  write();
} catch (const std::bad_alloc&) {
  throw fail(error_kind::out_of_memory, "{}: the system refused memory while it was written",
             path.string());
}

}  // namespace

template <scalar T>
file_matrix<T> parse(const named_bytes& file, const read_options& how) {
  return guarded_reading(file.name, [&] { return parse_as_stored<T>(file, how); });
}

template <scalar T>
csr_matrix<T> parse_sparse(const named_bytes& file, const read_options& how) {
  return guarded_reading(file.name,
                         [&] { return sparse(parse_as_stored<T>(file, how), file, how); });
}

template <scalar T>
dense_matrix<T> parse_dense(const named_bytes& file, const read_options& how) {
  return guarded_reading(file.name,
                         [&] { return dense(parse_as_stored<T>(file, how), file, how); });
}

file_info inspect(const named_bytes& file, const read_options& how) {
  return guarded_reading(file.name, [&] { return inspect_as_stored(file, how); });
}

#define GOSSAMER_INSTANTIATE(T)                                                    \
  template file_matrix<T> parse<T>(const named_bytes&, const read_options&);       \
  template csr_matrix<T> parse_sparse<T>(const named_bytes&, const read_options&); \
  template dense_matrix<T> parse_dense<T>(const named_bytes&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace io

std::string_view name(file_kind kind) {
  switch (kind) {
    case file_kind::matrix_market: return "Matrix Market";
    case file_kind::matrix_market_gz: return "Matrix Market, gzip";
    case file_kind::npz: return "npz";
    case file_kind::npy: return "npy";
    case file_kind::binary: return "gsm";
    case file_kind::edge_list: return "edge list";
  }
  return "?";
}

file_kind detect_file_kind(const std::filesystem::path& path) try {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return io::kind_by_extension(path);
  return io::kind_of(io::mapped_file(path).bytes());
} catch (const std::bad_alloc&) {
  refuse_memory("a file");
}

file_info inspect_file(const std::filesystem::path& path, const read_options& how) try {
  return io::inspect(io::mapped_file(path).named(), how);
} catch (const std::bad_alloc&) {
  refuse_memory("a file");
}

template <scalar T>
file_matrix<T> read(const std::filesystem::path& path, const read_options& how) try {
  const io::mapped_file file(path);
  return io::parse<T>(file.named(), how);
} catch (const std::bad_alloc&) {
  refuse_memory("a file");
}

template <scalar T>
csr_matrix<T> read_sparse(const std::filesystem::path& path, const read_options& how) try {
  const io::mapped_file file(path);
  return io::parse_sparse<T>(file.named(), how);
} catch (const std::bad_alloc&) {
  refuse_memory("a file");
}

template <scalar T>
dense_matrix<T> read_dense(const std::filesystem::path& path, const read_options& how) try {
  const io::mapped_file file(path);
  return io::parse_dense<T>(file.named(), how);
} catch (const std::bad_alloc&) {
  refuse_memory("a file");
}

template <scalar T>
csr_matrix<T> read_matrix_market(const std::filesystem::path& path, const read_options& how) try {
  const io::mapped_file file(path);
  const auto kind = io::kind_of(file.bytes());
  if (kind != file_kind::matrix_market && kind != file_kind::matrix_market_gz)
    throw fail(error_kind::bad_input,
               "{}: it is a {} file; expected Matrix Market (read_sparse takes "
               "both)",
               path.string(), name(kind));
  return io::parse_sparse<T>(file.named(), how);
} catch (const std::bad_alloc&) {
  refuse_memory("a file");
}

namespace io {

namespace {

/// NumPy has one format for sparse matrices and another for dense ones.
template <scalar T>
void write_numpy(const std::filesystem::path& path, const csr_view<const T>& a, file_kind kind,
                 const write_options& how) {
  if (kind == file_kind::npz) return npz::write(path, a, how);
  throw fail(error_kind::bad_argument,
             "{}: .npy files are dense, and the matrix is sparse; use .npz, "
             ".mtx, .mtx.gz or .gsm",
             path.string());
}
template <scalar T>
void write_numpy(const std::filesystem::path& path, const dense_view<const T>& a, file_kind kind,
                 const write_options& how) {
  if (kind == file_kind::npy) return npy::write(path, a, how);
  throw fail(error_kind::bad_argument,
             "{}: .npz files are sparse, and the matrix is dense; use .npy, "
             ".mtx, .mtx.gz or .gsm",
             path.string());
}

template <class View>
void write_view(const std::filesystem::path& path, const View& given, const write_options& how) {
  using matrix_market::packing;
  require_on_host(given, path);
  if (const auto problem = size_problem(given); !problem.empty())
    throw fail(error_kind::bad_argument, "{}: the matrix to write ({}): {}", path.string(),
               shape_text(given.shape), problem);
  const View a = with_offsets(given);
  guarded(path, [&] {
    const auto kind = how.kind ? *how.kind : kind_by_extension(path);
    switch (kind) {
      case file_kind::matrix_market: return matrix_market::write(path, a, packing::plain, how);
      case file_kind::matrix_market_gz: return matrix_market::write(path, a, packing::gzip, how);
      case file_kind::binary: return binary::write(path, a, how);
      case file_kind::npz:
      case file_kind::npy: return write_numpy(path, a, kind, how);
      case file_kind::edge_list:
        throw fail(error_kind::bad_argument,
                   "{}: edge lists are read, not written; use .mtx, .mtx.gz, .gsm or .npz",
                   path.string());
    }
  });
}

}  // namespace

}  // namespace io

template <scalar T>
void write(const std::filesystem::path& path, const csr_view<const T>& a,
           const write_options& how) {
  io::write_view(path, a, how);
}

template <scalar T>
void write(const std::filesystem::path& path, const dense_view<const T>& a,
           const write_options& how) {
  io::write_view(path, a, how);
}

#define GOSSAMER_INSTANTIATE(T)                                                                    \
  template file_matrix<T> read<T>(const std::filesystem::path&, const read_options&);              \
  template csr_matrix<T> read_sparse<T>(const std::filesystem::path&, const read_options&);        \
  template dense_matrix<T> read_dense<T>(const std::filesystem::path&, const read_options&);       \
  template csr_matrix<T> read_matrix_market<T>(const std::filesystem::path&, const read_options&); \
  template void write<T>(const std::filesystem::path&, const csr_view<const T>&,                   \
                         const write_options&);                                                    \
  template void write<T>(const std::filesystem::path&, const dense_view<const T>&,                 \
                         const write_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
