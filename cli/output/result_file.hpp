// Where results go. What can be refused is refused before any work is done: an unknown file format,
// a missing folder, a dense result for a format that holds sparse ones only.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/output/progress.hpp"
#include "gossamer/io.hpp"

namespace gossamer::cli {

/// "mtx", "mtx.gz", "npz", "npy", "gsm": as --to takes it and file names end.
std::string_view extension(file_kind kind);

/// Throws error(io_failure) when the folder is not there, or the path is a folder itself.
void require_writable(const std::filesystem::path& path);

class output_file {
 public:
  /// The format is `to` when given, else by the name's ending. Throws usage_error when neither
  /// tells, error(io_failure) when the folder is not there.
  explicit output_file(const std::string& path, const std::string& to = {});

  file_kind kind() const noexcept { return kind_; }
  bool takes_dense() const noexcept { return kind_ != file_kind::npz; }
  bool takes_sparse() const noexcept { return kind_ != file_kind::npy; }
  /// Throw usage_error when such results cannot be written here.
  void require_dense() const;
  void require_sparse() const;

  /// Complete or not at all; progress under a stage of its own.
  template <class Matrix>
  void write(const Matrix& matrix, const context& where, progress& ticker) const {
    ticker.stage("writing " + path_.string());
    gossamer::write(path_, matrix,
                    {.threads = where.threads(),
                     .progress = ticker.callback(),
                     .kind = kind_,
                     .symmetric = symmetric_});
  }
  /// Sparse Matrix Market files list the lower triangle of a symmetric matrix. Throws usage_error
  /// for other formats.
  void write_as_symmetric();
  /// Bytes of the written file (0 for a pipe).
  index_t size() const;

 private:
  std::filesystem::path path_;
  file_kind kind_;
  bool symmetric_ = false;
};

}  // namespace gossamer::cli
