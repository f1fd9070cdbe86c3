// What spmm/csr/panels/cuda prepares and launches; the launch is compiled once per value type.
#pragma once

#include "kernels/common/cuda/row_classes.cuh"
#include "kernels/spmm/operands/dense_arguments.hpp"

namespace gossamer::device {

inline constexpr index_t widest = 8;     ///< columns of a panel
inline constexpr int least_threads = 4;  ///< a row

constexpr index_t panel_width(index_t columns) {
  return columns <= 2 ? 2 : columns <= 4 ? 4 : widest;
}
constexpr index_t panels_of(index_t columns) {
  return (columns + panel_width(columns) - 1) / panel_width(columns);
}
inline constexpr index_t most_panels = 65535;  ///< of one grid

struct panel_tables {
  long_rows longer;
  int width = least_threads;  ///< threads a row that is not listed
};

/// C = alpha A B + beta C, on the context's stream. A and C have rows and columns.
template <class T>
void multiply_panels(const csr_view<const T>& a, const dense_call<T>& d, const panel_tables& tables,
                     partial_sums& sums, const context& where);

}  // namespace gossamer::device
