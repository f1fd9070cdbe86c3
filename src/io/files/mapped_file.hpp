// A file's bytes, for reading: mapped where that works, read into memory otherwise (pipes).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/common.hpp"

namespace gossamer::io {

/// The file must not be truncated by somebody else while it is mapped: POSIX has no error for that.
class mapped_file {
 public:
  /// Throws error(bad_input) when the file is missing or cannot be read.
  explicit mapped_file(const std::filesystem::path& path);
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file();

  std::string_view bytes() const noexcept { return bytes_; }
  named_bytes named() const { return {bytes_, name_}; }

 private:
  void read_stream(int descriptor);
  std::string name_;
  std::string copy_;  ///< the bytes of a stream that cannot be mapped
  std::string_view bytes_;
  void* mapping_ = nullptr;
};

}  // namespace gossamer::io
