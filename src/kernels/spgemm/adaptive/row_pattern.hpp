// The pattern of a row of a sparse product, known up to a shift: C's columns, and the target of
// each multiplication. Nothing is searched, marked or cleared. With vectors, one instruction
// expands a piece of a row of B to its lanes, and sums stay in a register from the first
// multiplication to the last.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/types.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer {

/// Nonzeros first .. of a row of B go to the lanes of `to`, in order.
struct pattern_step {
  std::uint16_t entry = 0;  // index within A's row
  std::uint16_t first = 0;
  std::uint16_t to = 0;
  std::uint16_t unused = 0;
};

struct row_pattern {
  std::vector<std::uint64_t> numbers;  // its key: the heads of B's rows, shifted
  int id = 0;
  std::vector<std::int32_t> columns;  // columns of C, relative to the first column of the first row
                                      // of B
  /// Either the nonzero of C that each multiplication is added to ...
  std::vector<std::uint16_t> places;
  /// ... or steps, grouped by vector, each group in the order of A's nonzeros.
  std::vector<pattern_step> steps;
  std::vector<std::uint32_t> ends;  // end of each vector's steps
  index_t entries() const { return static_cast<index_t>(columns.size()); }
  index_t bytes() const;
};

/// Builds a pattern from the columns of the rows of B, each ascending; for vectors of `lanes` sums,
/// at most 16, or without vectors (1). Null when columns span too far or are too many for its
/// integers.
std::unique_ptr<row_pattern> make_pattern(std::span<const std::vector<std::int64_t>> rows,
                                          int lanes);

/// Writes a row of C by steps: columns shifted by `base`, sums times alpha. `factors` are the
/// values of A's row, `rows` the begins of B's rows. J is std::int32_t or std::int64_t.
template <class T, class J>
using step_filler = void (*)(const row_pattern&, const T* factors, const T* const* rows, T alpha,
                             std::int64_t base, J* columns, T* values);

/// There is no portable variant: without masked vectors, callers add one multiplication at a time.
template <class T, class J>
variants<step_filler<T, J>> step_fillers();

/// Lanes of the vectors that the selected variant uses; 1 where there is none.
template <class T>
int step_lanes() {
  return select(step_fillers<T, std::int32_t>()) ? static_cast<int>(64 / sizeof(T)) : 1;
}

}  // namespace gossamer
