// The launch of spmm/csr/panels/cuda: by the columns of a panel, the threads of a row and the width
// of column indices.
#pragma once

#include "kernels/common/cuda/offset_reader.cuh"
#include "kernels/spmm/cuda/panel_rows.cuh"
#include "kernels/spmm/cuda/panels.cuh"

namespace gossamer::device {

template <int Width, int Each, class A, class T>
void launch(const A& a, const dense_call<T>& d, const panel_tables& tables, partial_sums& sums,
            const context& where) {
  constexpr index_t columns = panel_call<Each, T>::width;
  const long_row_tables<T> longer(tables.longer, sums);
  const auto blocks = static_cast<unsigned>(longer.blocks() + longer.blocks_for(a.rows, Width));
  const index_t all = panels_of(d.columns());
  for (index_t first = 0; first < all; first += most_panels) {
    panel_call<Each, T> call{block_ref<const T>(d.b), block_ref<T>(d.c),
                             d.columns() - first * columns, d.alpha, d.beta};
    call.b.values += first * columns * call.b.col_step;
    call.c.values += first * columns * call.c.col_step;
    const dim3 grid(blocks, static_cast<unsigned>(std::min(all - first, most_panels)));
    by_panels<Width>
        <<<grid, row_threads, 0, cuda::stream_of(where)>>>(a, call, longer, tables.longer.cutoff);
  }
}

template <int Each, class A, class T>
void launch_panels(const A& a, const dense_call<T>& d, const panel_tables& tables,
                   partial_sums& sums, const context& where) {
  switch (tables.width) {
    case 4: return launch<4, Each>(a, d, tables, sums, where);
    case 8: return launch<8, Each>(a, d, tables, sums, where);
    case 16: return launch<16, Each>(a, d, tables, sums, where);
    default: return launch<32, Each>(a, d, tables, sums, where);
  }
}

template <class T>
void multiply_panels(const csr_view<const T>& view, const dense_call<T>& d,
                     const panel_tables& tables, partial_sums& sums, const context& where) {
  with_column_type(view, [&](const auto& a) {
    switch (panel_width(d.columns())) {
      case 2: return launch_panels<1>(a, d, tables, sums, where);
      case 4: return launch_panels<2>(a, d, tables, sums, where);
      default: return launch_panels<4>(a, d, tables, sums, where);
    }
  });
}

}  // namespace gossamer::device
