#include "kernels/spgemm/cuda/picked_rows.hpp"

#include "backends/cuda/indices.cuh"
#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"

namespace gossamer::device {

template <class T>
csr_matrix<T> pick_rows(const context& where, const csr_view<const T>& a, picked_list list) {
  buffer<index_t> sums(list.count + 1, where.memory());
  index_t* const start = sums.data();
  const cuda::index_reader offsets(a.offsets), columns(a.columns);
  cuda::for_each(where, list.count, "measuring picked rows", [=] __device__(index_t i) {
    start[i] = offsets[list.rows[i] + 1] - offsets[list.rows[i]];
  });
  const index_t nnz = cuda::exclusive_sums(where, sums);
  const extents shape{list.count, a.shape.cols};
  csr_matrix<T> picked(shape, nnz, narrowest(shape, nnz), where.memory());
  const auto out = picked.mutable_view();
  cuda::copy_indices(where, index_view(sums.data(), sums.size()), out.offsets);
  const cuda::index_writer out_columns(out.columns);
  const T* const values = a.values;
  T* const out_values = out.values;
  cuda::for_each(where, nnz, "picking rows", [=] __device__(index_t p) {
    const index_t i = cuda::first_not_below(start, list.count + 1, p + 1) - 1;
    const index_t from = offsets[list.rows[i]] + p - start[i];
    out_columns.set(p, columns[from]);
    out_values[p] = values[from];
  });
  return picked;
}

template <class T>
void count_picked(const context& where, const csr_view<const T>& picked, picked_list list,
                  index_t* counts) {
  const cuda::index_reader offsets(picked.offsets);
  cuda::for_each(where, list.count, "counting picked rows",
                 [=] __device__(index_t i) { counts[list.rows[i]] = offsets[i + 1] - offsets[i]; });
}

template <class T>
void return_rows(const context& where, const csr_view<const T>& picked, picked_list list,
                 const index_t* places, const csr_view<T>& c) {
  const cuda::index_reader offsets(picked.offsets), columns(picked.columns);
  const cuda::index_writer out_columns(c.columns);
  const T* const values = picked.values;
  T* const out_values = c.values;
  cuda::for_each(where, picked.nnz(), "returning rows", [=] __device__(index_t p) {
    const index_t i = cuda::first_not_below(offsets, list.count + 1, p + 1) - 1;
    const index_t to = places[list.rows[i]] + p - offsets[i];
    out_columns.set(to, columns[p]);
    out_values[to] = values[p];
  });
}

template csr_matrix<float> pick_rows(const context&, const csr_view<const float>&, picked_list);
template void count_picked(const context&, const csr_view<const float>&, picked_list, index_t*);
template void return_rows(const context&, const csr_view<const float>&, picked_list, const index_t*,
                          const csr_view<float>&);
template csr_matrix<double> pick_rows(const context&, const csr_view<const double>&, picked_list);
template void count_picked(const context&, const csr_view<const double>&, picked_list, index_t*);
template void return_rows(const context&, const csr_view<const double>&, picked_list,
                          const index_t*, const csr_view<double>&);

}  // namespace gossamer::device
