// Atomic output: a temporary file beside the destination, renamed when everything has reached the
// disk, removed when anything goes wrong.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/common.hpp"

namespace gossamer::io {

class atomic_file {
 public:
  /// Throws error(io_failure) when no file can be created there. A destination that exists and is
  /// not a regular file (a pipe, /dev/null) is written directly: there is nothing to replace.
  explicit atomic_file(const std::filesystem::path& destination);
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;
  ~atomic_file();

  void write(std::string_view bytes);
  /// Bytes written so far.
  index_t size() const noexcept { return size_; }
  /// Flushes to the disk and renames the file. Without this call nothing is left behind.
  void commit();

 private:
  void open_temporary();
  [[noreturn]] void refuse(std::string_view what, int reason) const;
  std::string name_;         ///< as the caller wrote it, for messages
  std::string destination_;  ///< symbolic links resolved, so that they survive
  std::string temporary_;    ///< empty when written directly
  int file_ = -1;
  int slot_ = -1;  ///< in the registry that remove_unfinished_files() walks
  index_t size_ = 0;
};

}  // namespace gossamer::io
