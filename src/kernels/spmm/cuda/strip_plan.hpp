// The columns of strips of rows, which a plan of spmm/csr/strips/cuda keeps.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::device {

struct strip_plan {
  buffer<std::int32_t> first;     ///< [strip], entries; one more at the end
  buffer<std::uint32_t> entries;  ///< a column, and the bits of the rows that have it
  buffer<std::uint32_t> order;    ///< strips by tiles of a mesh; empty: as they are
  index_t bytes() const { return 4 * (first.size() + entries.size() + order.size()); }
  bool empty() const { return first.size() == 0; }
};

/// Strips of A, which has 32-bit columns and fewer than 2^31 nonzeros and 2^28 columns. Empty if
/// columns do not ascend in every row, if there would be more entries than `most`, or while the
/// stream is captured. Waits for the device.
strip_plan find_strips(const context&, extents shape, index_view offsets,
                       const std::int32_t* columns, index_t most);

}  // namespace gossamer::device
