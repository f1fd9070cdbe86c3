// Reading and writing matrices: Matrix Market (.mtx, .mtx.gz), SciPy's save_npz (.npz), and
// Gossamer's own binary format (.gsm: memory-mappable, checksummed, versioned;
// docs/guide/formats.md); dense matrices also as NumPy's .npy; edge lists as those of SNAP (.txt,
// .txt.gz) are read. Every reader validates what it read; every writer writes to a temporary file
// and renames it. A missing, unreadable or broken file throws error(bad_input); output that cannot
// be written error(io_failure).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer {

/// File formats.
enum class file_kind {
  matrix_market,
  matrix_market_gz,
  npz,
  npy,
  binary,
  edge_list  ///< read only: "from to" or "from to weight" a line, as in the SNAP collection
};
/// Name of the file format, as the command line prints it.
std::string_view name(file_kind);

/// Called now and then, on the calling thread, with the share of the work that is done, in [0, 1].
using progress_callback = std::function<void(std::string_view what, double done)>;

/// Options of all readers.
struct read_options {
  int threads = 0;  ///< 0: as many as OpenMP would start
  progress_callback progress = {};
  /// Guard against broken headers: bytes that a header may ask for beyond what the file's size
  /// explains (row offsets of empty rows, a sparse file expanded to dense), which is 64 times that
  /// size. Files that exceed it are refused as broken; 0 removes the limit.
  index_t unbacked_limit = index_t{1} << 28;
  /// Guard against compressed files that inflate without end: bytes that they may inflate to beyond
  /// 64 times their size. Matrices compress to a tenth at best. Files that exceed it are refused as
  /// broken; 0 removes the limit.
  index_t inflated_limit = index_t{1} << 26;
};
/// Options of all writers.
struct write_options {
  int threads = 0;
  progress_callback progress = {};
  std::string comment = {};            ///< Matrix Market: comment lines after the banner
  std::optional<file_kind> kind = {};  ///< chosen by the extension when absent
  /// Matrix Market, sparse: write a symmetric (or complex Hermitian) matrix as such, the lower
  /// triangle only. Throws error(bad_argument) for a matrix that is not symmetric, bit by bit, with
  /// sorted rows.
  bool symmetric = false;
};

/// Detects the format by the file's first bytes; for a file that does not exist yet, by its
/// extension.
file_kind detect_file_kind(const std::filesystem::path&);

/// The contents of a file according to its header.
struct file_info {
  file_kind kind = file_kind::matrix_market;
  bool dense = false;     ///< Matrix Market "array", .npy
  std::string field;      ///< real, integer, pattern, complex
  std::string symmetry;   ///< general, symmetric, skew-symmetric, hermitian
  std::string type = {};  ///< of the stored values where the file says it: f32, f64, i64, ...
  extents shape;
  index_t stored = 0;  ///< elements in the file, before symmetric ones are expanded
};
/// Reads the header of a file and nothing more.
file_info inspect_file(const std::filesystem::path&, const read_options& = {});

/// A matrix as a file holds it, sparse or dense.
template <scalar T>
using file_matrix = std::variant<csr_matrix<T>, dense_matrix<T>>;

/// Reads a file of any format; array files come back dense (column-major). Sparse results have
/// sorted rows, duplicates summed, explicit zeros kept, symmetric elements expanded; elements of a
/// pattern are 1.
template <scalar T>
file_matrix<T> read(const std::filesystem::path&, const read_options& = {});
/// As read(), with a dense file converted to the sparse matrix of its nonzeros (zeros are dropped,
/// as SciPy does when it converts an array).
template <scalar T>
csr_matrix<T> read_sparse(const std::filesystem::path&, const read_options& = {});
/// As read(), with a sparse file expanded to dense.
template <scalar T>
dense_matrix<T> read_dense(const std::filesystem::path&, const read_options& = {});

/// As read_sparse(), but refuses anything except Matrix Market (plain or gzip).
template <scalar T>
csr_matrix<T> read_matrix_market(const std::filesystem::path&, const read_options& = {});

/// Writes a matrix in the format of write_options::kind, else of the extension: .mtx, .mtx.gz,
/// .gsm, .npz (sparse), .npy (dense). Reading the file back gives bitwise the same values. The file
/// appears complete or not at all; an existing one is replaced only at the end.
template <scalar T>
void write(const std::filesystem::path&, const csr_view<const T>&, const write_options& = {});
template <scalar T>
void write(const std::filesystem::path&, const dense_view<const T>&, const write_options& = {});
template <scalar T>
void write(const std::filesystem::path& path, const csr_matrix<T>& m,
           const write_options& how = {}) {
  write<T>(path, m.view(), how);
}
template <scalar T>
void write(const std::filesystem::path& path, const dense_matrix<T>& m,
           const write_options& how = {}) {
  write<T>(path, m.view(), how);
}

/// Removes the temporary files of writes in progress in this process. Async-signal-safe, for use in
/// signal handlers.
void remove_unfinished_files() noexcept;

}  // namespace gossamer
