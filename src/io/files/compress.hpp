// Deflate, in and out: gzip files (several members too) and the raw streams inside zip archives.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "io/common.hpp"

namespace gossamer::io {

/// Bytes whose number is not known beforehand. Grows by realloc, which moves pages, not bytes.
class growing_bytes {
 public:
  std::string_view bytes() const noexcept { return {data_.get(), size_}; }
  std::size_t size() const noexcept { return size_; }
  /// Uninitialised space for at least one more byte; `used` reports how much was filled.
  char* spare() noexcept { return data_.get() + size_; }
  std::size_t spare_size() const noexcept { return capacity_ - size_; }
  void used(std::size_t bytes) noexcept { size_ += bytes; }
  /// Throws error(out_of_memory).
  void reserve(std::size_t capacity);

 private:
  struct release {
    void operator()(char* data) const noexcept { std::free(data); }
  };
  std::unique_ptr<char, release> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

bool looks_like_gzip(std::string_view bytes);

/// The contents of all members. Sizes written in the file are never trusted: the output grows as
/// needed, up to read_options::inflated_limit, and errors (bad_input) say at which byte the stream
/// breaks.
growing_bytes inflate_gzip(const named_bytes& file, const read_options& how);

/// At least the first `wanted` bytes of the contents, or all of them; for headers. The rest is not
/// inflated.
struct inflated_prefix {
  growing_bytes contents;
  bool complete = false;
};
inflated_prefix inflate_gzip_prefix(const named_bytes& file, const read_options& how,
                                    std::size_t wanted);

/// Inflates exactly `size` bytes from a raw deflate stream into `to`; otherwise says what is wrong.
std::optional<std::string> inflate_raw(std::string_view from, char* to, std::size_t size);

/// The first bytes of a raw deflate stream, as many as there are up to `size`; returns how many.
std::size_t inflate_raw_prefix(std::string_view from, char* to, std::size_t size);

enum class deflate_form {
  gzip_member,  ///< complete by itself; members follow each other in a file
  raw_piece,    ///< raw, ends on a byte boundary, another piece follows
  raw_last      ///< raw, ends the stream
};
/// Compresses one block by itself, so that blocks can be compressed side by side and joined.
std::string deflate_block(std::string_view block, deflate_form form);

}  // namespace gossamer::io
