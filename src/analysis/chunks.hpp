// Work cut into pieces that depend only on the matrix, never on the number of threads: whatever is
// gathered per piece and put together in order has the same bits for every team.
#pragma once

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "gossamer/context.hpp"

namespace gossamer::analysis {

/// Host memory for intermediate arrays: the context's own source unless that is a device's.
inline std::shared_ptr<memory_resource> workspace_of(const context& where) {
  return where.memory()->where() == memory::host ? where.memory() : host_memory();
}

/// Lines (rows or columns) cut into pieces of about equal entries plus lines, so that neither one
/// long line's neighbours nor a stretch of empty lines makes a piece slow.
template <class O>
class line_chunks {
 public:
  line_chunks(index_t lines, const O* offsets)
      : lines_(lines), offsets_(offsets), weight_(lines > 0 ? offsets[lines] + lines : 0) {}

  index_t count() const { return std::clamp<index_t>(weight_ / piece, 1, most_pieces); }

  /// Lines of piece `chunk`; together the pieces cover [0, lines) once.
  range lines_of(index_t chunk) const { return {boundary(chunk), boundary(chunk + 1)}; }

 private:
  static constexpr index_t piece = 1 << 15, most_pieces = 4096;

  index_t boundary(index_t chunk) const {
    if (chunk <= 0) return 0;
    if (chunk >= count()) return lines_;
    const index_t wanted = part_of(weight_, chunk, count()).begin;
    index_t low = 0, high = lines_;
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      if (static_cast<index_t>(offsets_[middle]) + middle < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  index_t lines_;
  const O* offsets_;
  index_t weight_;
};

/// Equal blocks of [0, n), numbered; the last one may be shorter.
struct blocks {
  index_t n = 0, size = 1;
  index_t count() const { return (n + size - 1) / size; }
  range of(index_t block) const { return {block * size, std::min(n, (block + 1) * size)}; }
};

}  // namespace gossamer::analysis
