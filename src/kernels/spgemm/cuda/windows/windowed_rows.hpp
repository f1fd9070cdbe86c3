// Rows of C = A B with many multiplications whose sums are kept in dense windows of columns: which
// rows they are, where windows begin in the rows of B, and how many nonzeros each window has.
#pragma once

#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

/// Columns of one window at most: of a row that is cut, and of a compact row, which is one window.
inline constexpr int window_columns = 1024, compact_columns = 2048;

/// Rows whose multiplications pay for windows; none; or all that windows can take, for tests.
enum class windowing { automatic, none, all };

struct windowed_rows {
  bool considered = false;  ///< rows were looked at; `others` has what is left of the large class
  bool b_ascends = false;   ///< columns ascend strictly in every row of B

  /// Rows whose columns are so close together that one window holds them, and the column, a
  /// multiple of 32, where it begins.
  buffer<index_t> compact;
  buffer<std::int32_t> compact_first;
  index_t compact_rows = 0;
  int compact_width = 0;  ///< columns of the widest

  /// Rows that are all cut into the same windows. Heavy ones, with the most multiplications, are at
  /// the front of the list, the others at its back.
  buffer<index_t> cut;
  index_t cut_rows = 0, heavy_rows = 0;
  int windows = 0;
  buffer<std::int32_t> bounds;  ///< windows + 1 columns, multiples of 32
  buffer<std::int32_t> starts;  ///< for each row of B windows + 1: its nonzeros before each window
  buffer<index_t> counts;       ///< cut rows x windows + 1: nonzeros of C before each, once summed

  /// Rows of the large class that are computed otherwise.
  buffer<index_t> others;
  index_t other_rows = 0;

  index_t bytes() const;
};

/// Takes the rows of the large class that windows are faster for, and makes row_work::products
/// negative for them. `disorder` is count_disorder() of B. Waits.
windowed_rows claim_windowed_rows(const context&, const product_structure&, row_work&,
                                  const unsigned long long* disorder, windowing);

/// Counts the nonzeros of every window, and writes those of each row into counts[row]. Queued.
void count_windows(const context&, const product_structure&, windowed_rows&,
                   buffer<index_t>& counts);

}  // namespace gossamer::device
