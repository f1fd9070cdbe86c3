// Work cut into pieces that depend only on the matrix, never on the number of threads: what is
// computed per piece and combined in order is bitwise reproducible for any number of threads.
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

/// Lines (rows or columns) cut into pieces of about equal work, which is lines plus nonzeros: empty
/// lines take time, too.
template <class O>
class line_chunks {
 public:
  line_chunks(index_t lines, const O* offsets)
      : lines_(lines), offsets_(offsets), weight_(lines > 0 ? offsets[lines] + lines : 0) {}

  index_t count() const { return std::clamp<index_t>(weight_ / piece, 1, most_pieces); }

  /// Lines of piece `chunk`; together the pieces cover [0, lines) once.
  range lines_of(index_t chunk) const {
    return part_of_work(lines_, chunk, count(), [this](index_t line) {
      return static_cast<index_t>(offsets_[line]) + line;
    });
  }

 private:
  static constexpr index_t piece = 1 << 15, most_pieces = 4096;

  index_t lines_;
  const O* offsets_;
  index_t weight_;
};

/// Equal blocks of [0, n), numbered; the last one may be shorter than the others.
struct blocks {
  index_t n = 0, size = 1;
  index_t count() const { return (n + size - 1) / size; }
  range of(index_t block) const { return {block * size, std::min(n, (block + 1) * size)}; }
};

}  // namespace gossamer::analysis
