// Helpers of the readers and writers: bytes with a name, loops that report progress, and the
// little-endian words of binary files.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "gossamer/io.hpp"

namespace gossamer::io {

static_assert(std::endian::native == std::endian::little,
              "binary files are little-endian and are read and written without swapping");

/// The contents of a file (or of a buffer in a test) and the name that errors use.
struct named_bytes {
  std::string_view bytes;
  std::string name;
};

inline int threads_of(int asked) { return asked > 0 ? asked : detail::default_threads(); }

inline void report(const progress_callback& progress, std::string_view what, double done) {
  if (progress) progress(what, done);
}

/// Calls body(chunk) for every chunk, each on the first thread that is free; the calling thread
/// reports progress.
template <class Body>
void chunks_with_progress(int threads, const progress_callback& progress, std::string_view what,
                          index_t chunks, Body&& body) {
  std::atomic<index_t> finished{0};
  parallel_pieces(threads_of(threads), chunks, [&](claimed_pieces own, int thread, int) {
    for (const index_t chunk : own) {
      body(chunk);
      const auto done = finished.fetch_add(1, std::memory_order_relaxed) + 1;
      if (thread == 0 && done < chunks)
        report(progress, what, static_cast<double>(done) / static_cast<double>(chunks));
    }
  });
  if (chunks > 0) report(progress, what, 1);
}

/// Unaligned little-endian words; the caller has checked the bounds.
template <class Word>
Word load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
template <class Word>
void append(std::string& to, Word word) {
  char raw[sizeof word];
  std::memcpy(raw, &word, sizeof word);
  to.append(raw, sizeof word);
}

/// Bytes of an array, for writers and checksums.
template <class T>
std::string_view bytes_of(const T* data, index_t count) {
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(count) * sizeof(T)};
}

/// Refuses memory that a header asks for and nothing in the file explains: `claimed` bytes, where
/// the file (uncompressed) holds `backing`. `what` names the array, e.g. "row offsets".
void require_backed(const read_options& how, const std::string& file, std::string_view what,
                    double claimed, std::size_t backing);
/// The same for the row offsets of `shape`, and what building them takes: every reader of sparse
/// matrices whose file does not list them calls it before anything of that size is allocated.
void require_backed_rows(const read_options& how, const std::string& file, extents shape,
                         std::size_t backing);

/// What `packed` bytes may inflate to under read_options::inflated_limit.
std::size_t most_inflated(const read_options& how, std::size_t packed);
/// Refuses a file whose contents are larger than that.
void require_inflatable(const read_options& how, const std::string& file, std::uint64_t inflated,
                        std::size_t packed);

/// Complex values where real ones were asked for.
[[nodiscard]] error complex_file(const std::string& file);

/// A short piece of the text of a file, safe to print: control characters as \xNN, cut at 40.
std::string shown(std::string_view text);

}  // namespace gossamer::io
