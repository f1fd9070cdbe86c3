#include "backends/cuda/arrays.hpp"

#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"

namespace gossamer::cuda {

namespace {

/// Elements of a dense block, counted along its contiguous dimension.
struct places {
  index_t inner = 0, row_step = 0, col_step = 0;
  bool by_rows = false;  ///< the contiguous dimension is that of the columns

  template <class T>
  explicit places(const dense_view<T>& v)
      : inner(v.order == layout::row_major ? v.shape.cols : v.shape.rows),
        row_step(v.row_step()),
        col_step(v.col_step()),
        by_rows(v.order == layout::row_major) {}
  /// Element e in the counting of `order`, as an offset here.
  __device__ index_t operator()(index_t e, const places& order) const {
    const index_t far = e / order.inner, near = e % order.inner;
    return order.by_rows ? far * row_step + near * col_step : near * row_step + far * col_step;
  }
};

}  // namespace

template <scalar T>
void scale(const context& where, const dense_view<T>& y, T beta) {
  const device_guard on(where);
  const places at(y);
  T* const values = y.values;
  for_each(where, y.shape.rows * y.shape.cols, "scaling y", [=] __device__(index_t e) {
    T& one = values[at(e, at)];
    one = beta == T{0} ? T{0} : beta * one;
  });
}

template <scalar T>
void copy_elements(const context& where, const dense_view<const T>& from, const dense_view<T>& to) {
  const device_guard on(where);
  const places there(from), here(to);
  const T* const source = from.values;
  T* const target = to.values;
  for_each(where, to.shape.rows * to.shape.cols, "copying a dense block",
           [=] __device__(index_t e) { target[here(e, here)] = source[there(e, here)]; });
}

index_t longest_line(const context& where, index_view offsets) {
  if (offsets.size() < 2 || is_captured(stream_of(where))) return 0;
  const index_reader starts(offsets);
  return greatest(where, offsets.size() - 1, "looking for the longest row",
                  [=] __device__(index_t i) { return starts[i + 1] - starts[i]; });
}

bool ascends(const context& where, index_view indices) {
  if (indices.size() < 2) return true;
  if (is_captured(stream_of(where))) return false;
  const index_reader at(indices);
  return 0 == greatest(where, indices.size() - 1, "looking at the order of entries",
                       [=] __device__(index_t i) -> index_t { return at[i + 1] < at[i]; });
}

template void scale(const context&, const dense_view<float>&, float);
template void scale(const context&, const dense_view<double>&, double);
template void copy_elements(const context&, const dense_view<const float>&,
                            const dense_view<float>&);
template void copy_elements(const context&, const dense_view<const double>&,
                            const dense_view<double>&);

}  // namespace gossamer::cuda
