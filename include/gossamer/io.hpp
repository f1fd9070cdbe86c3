// Files: Matrix Market (.mtx, .mtx.gz), SciPy's save_npz (.npz), and Gossamer's own binary format
// (.gsm: memory-mappable, checksummed, versioned; docs/formats.md); dense matrices also as NumPy's
// .npy. Every reader validates what it read; every writer writes to a temporary file and renames
// it. A missing, unreadable or broken file is error(bad_input); output that cannot be written
// io_failure.
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

enum class file_kind { matrix_market, matrix_market_gz, npz, npy, binary };
std::string_view name(file_kind);

/// Called from the calling thread now and then with the share that is done, in [0, 1].
using progress_callback = std::function<void(std::string_view what, double done)>;

struct read_options {
  int threads = 0;  ///< 0: as many as OpenMP would start
  progress_callback progress = {};
  /// Bytes a header may ask for beyond what the size of the file explains: row offsets of empty
  /// rows, a sparse file expanded to dense. More is taken for a broken file; 0 removes the limit.
  index_t unbacked_limit = index_t{1} << 30;
};
struct write_options {
  int threads = 0;
  progress_callback progress = {};
  std::string comment = {};            ///< Matrix Market: lines after the banner
  std::optional<file_kind> kind = {};  ///< when absent, by the extension
};

/// By the file's first bytes; for a file that does not exist yet, by its extension.
file_kind detect_file_kind(const std::filesystem::path&);

/// What a file says it holds, read from its header alone.
struct file_info {
  file_kind kind = file_kind::matrix_market;
  bool dense = false;    ///< Matrix Market "array", .npy
  std::string field;     ///< real, integer, pattern, complex
  std::string symmetry;  ///< general, symmetric, skew-symmetric, hermitian
  extents shape;
  index_t stored = 0;  ///< entries in the file (before symmetric ones are expanded)
};
file_info inspect_file(const std::filesystem::path&);

template <scalar T>
using file_matrix = std::variant<csr_matrix<T>, dense_matrix<T>>;

/// Any of the formats; array files come back dense (column-major). Rows sorted, duplicates summed,
/// explicit zeros kept, symmetric entries expanded, pattern entries 1.
template <scalar T>
file_matrix<T> read(const std::filesystem::path&, const read_options& = {});
/// As read(), and a dense file becomes the sparse matrix of its nonzeros (zeros are dropped, as
/// SciPy does when it makes a sparse matrix of an array).
template <scalar T>
csr_matrix<T> read_sparse(const std::filesystem::path&, const read_options& = {});
/// As read(), and a sparse file is expanded.
template <scalar T>
dense_matrix<T> read_dense(const std::filesystem::path&, const read_options& = {});

/// As read_sparse(), and anything but Matrix Market (plain or gzip) is refused.
template <scalar T>
csr_matrix<T> read_matrix_market(const std::filesystem::path&, const read_options& = {});

/// By write_options::kind, else by extension: .mtx, .mtx.gz, .gsm, .npz (sparse), .npy (dense). The
/// values read back bit for bit. The file appears complete or not at all; an existing one is
/// replaced only then.
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

/// Temporary files of writes in progress in this process, for a signal handler: async-signal-safe.
void remove_unfinished_files() noexcept;

}  // namespace gossamer
