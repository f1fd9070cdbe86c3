// A file that is read twice: pipes can be read only once.
#pragma once

#include <filesystem>

namespace gossamer::cli {

/// The file itself or, for a pipe, a copy in memory that is gone with this object.
class rereadable_file {
 public:
  /// Throws error(bad_input) when a pipe cannot be read.
  explicit rereadable_file(const std::filesystem::path& file);
  rereadable_file(const rereadable_file&) = delete;
  rereadable_file& operator=(const rereadable_file&) = delete;
  ~rereadable_file();
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int copy_ = -1;
};

}  // namespace gossamer::cli
