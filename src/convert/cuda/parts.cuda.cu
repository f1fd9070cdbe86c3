// Parts, sums and rearrangements on a device. A thread per row or per nonzero: simple, and bound by
// memory where rows are short.
#include "backends/cuda/runtime.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/cuda/entries.cuh"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::cuda {

namespace {

/// Indices of the host, copied to the device.
index_buffer on_device(const context& where, index_view from) {
  index_buffer copy(from.size(), from.width(), where.memory());
  copy_bytes(where, copy.view().data(), from.data(),
             static_cast<std::size_t>(from.size() * bytes(from.width())), direction::to_device);
  return copy;
}

/// Counts become the offsets of a result; counts has one element per row and one more.
template <class T>
compressed<T> counted(const context& where, extents shape, buffer<index_t>& counts) {
  const index_t nnz = exclusive_sums(where, counts);
  compressed<T> result(where, shape, nnz);
  if (shape.rows == 0)
    result.offsets.set(0);
  else
    copy_indices(where, {std::as_const(counts).data(), counts.size()}, result.offsets.view());
  return result;
}

__device__ inline double step(double sum, double value, reduction what) {
  const double magnitude = fabs(value);
  switch (what) {
    case reduction::norm1: return sum + magnitude;
    case reduction::norm2: return sum + __dmul_rn(value, value);
    case reduction::norm_max: return magnitude > sum || magnitude != magnitude ? magnitude : sum;
    case reduction::sum: break;
  }
  return sum + value;
}
__device__ inline std::complex<double> step(const std::complex<double>& sum,
                                            const std::complex<double>& value, reduction what) {
  if (what == reduction::sum) return plus(sum, value);
  if (what == reduction::norm2)
    return step(step(sum.real(), value.real(), what), value.imag(), what);
  return step(sum.real(), hypot(value.real(), value.imag()), what);
}

}  // namespace

void rebase(const context& where, index_view offsets, index_t begin, index_span to) {
  const device_guard on(where);
  const index_reader from(offsets);
  const index_writer out(to);
  for_each(where, to.size(), "offsets of a range of rows",
           [=] __device__(index_t i) { out.set(i, from[i] - begin); });
}

template <scalar T>
void reduce_rows(const context& where, const csr_view<const T>& a, reduction what, T* y) {
  const device_guard on(where);
  const index_reader starts(a.offsets);
  const T* const values = a.values;
  for_each(where, a.shape.rows, "sums of rows", [=] __device__(index_t i) {
    wide<T> sum = 0;
    for (index_t p = starts[i], end = starts[i + 1]; p < end; ++p)
      sum = step(sum, cast<wide<T>>(values[p]), what);
    y[i] = cast<T>(what == reduction::norm2 ? wide<T>(__dsqrt_rn(real_part(sum))) : sum);
  });
}

template <scalar T>
void take_diagonal(const context& where, const csr_view<const T>& a, T* y) {
  const device_guard on(where);
  const index_reader starts(a.offsets), columns(a.columns);
  const T* const values = a.values;
  for_each(where, std::min(a.shape.rows, a.shape.cols), "the diagonal", [=] __device__(index_t i) {
    T sum = 0;
    for (index_t p = starts[i], end = starts[i + 1]; p < end; ++p)
      if (columns[p] == i) sum = plus(sum, values[p]);
    y[i] = sum;
  });
}

template <scalar T>
void scale_lines(const context& where, const csr_view<T>& a, const dense_view<const T>& by,
                 bool by_rows) {
  const device_guard on(where);
  const auto lines = by_rows ? rows_of_entries(where, a.offsets, a.shape, a.nnz()) : index_buffer();
  const index_reader line(by_rows ? std::as_const(lines).view() : index_view(a.columns));
  const index_t stride = by.row_step();
  const T* const factors = by.values;
  T* const values = a.values;
  for_each(where, a.nnz(), "scaled rows or columns",
           [=] __device__(index_t p) { values[p] = times(values[p], factors[line[p] * stride]); });
}

template <scalar T>
csr_matrix<T> band(const context& where, const csr_view<const T>& a, index_t first, index_t last) {
  const device_guard on(where);
  const index_reader starts(a.offsets), columns(a.columns);
  buffer<index_t> counts(a.shape.rows + 1, where.memory());
  index_t* const count = counts.data();
  for_each(where, a.shape.rows, "nonzeros of a band", [=] __device__(index_t i) {
    index_t inside = 0;
    for (index_t p = starts[i], end = starts[i + 1]; p < end; ++p) {
      const index_t d = columns[p] - i;
      inside += d >= first && d <= last ? 1 : 0;
    }
    count[i] = inside;
  });
  auto result = counted<T>(where, a.shape, counts);
  const index_writer out(result.indices.view());
  const T* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, a.shape.rows, "a band", [=] __device__(index_t i) {
    index_t at = count[i];
    for (index_t p = starts[i], end = starts[i + 1]; p < end; ++p) {
      const index_t d = columns[p] - i;
      if (d < first || d > last) continue;
      out.set(at, columns[p]);
      out_values[at++] = values[p];
    }
  });
  return as_csr(a.shape, std::move(result));
}

template <scalar T>
csr_matrix<T> gathered(const context& where, const csr_view<const T>& a, extents shape,
                       index_view rows, index_view places) {
  const device_guard on(where);
  const bool some_rows = rows.data() != nullptr,
             some_columns = shape.cols != a.shape.cols || places.size() > 0;
  const auto listed = on_device(where, rows), moved = on_device(where, places);
  const index_reader row(listed.view()), place(moved.view()), starts(a.offsets), columns(a.columns);
  buffer<index_t> counts(shape.rows + 1, where.memory());
  index_t* const count = counts.data();
  for_each(where, shape.rows, "nonzeros of a sub-matrix", [=] __device__(index_t i) {
    const index_t from = some_rows ? row[i] : i;
    index_t inside = starts[from + 1] - starts[from];
    if (some_columns) {
      inside = 0;
      for (index_t p = starts[from], end = starts[from + 1]; p < end; ++p)
        inside += place[columns[p]] >= 0 ? 1 : 0;
    }
    count[i] = inside;
  });
  auto result = counted<T>(where, shape, counts);
  const index_writer out(result.indices.view());
  const T* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, shape.rows, "a sub-matrix", [=] __device__(index_t i) {
    const index_t from = some_rows ? row[i] : i;
    index_t at = count[i];
    for (index_t p = starts[from], end = starts[from + 1]; p < end; ++p) {
      const index_t column = some_columns ? place[columns[p]] : columns[p];
      if (column < 0) continue;
      out.set(at, column);
      out_values[at++] = values[p];
    }
  });
  where.synchronise();  // the lists of the host may go
  return as_csr(shape, std::move(result));
}

template <scalar T>
csr_matrix<T> kronecker(const context& where, const csr_view<const T>& a,
                        const csr_view<const T>& b, extents shape, index_t) {
  const device_guard on(where);
  const index_reader a_starts(a.offsets), a_columns(a.columns), b_starts(b.offsets),
      b_columns(b.columns);
  const index_t b_rows = b.shape.rows, b_cols = b.shape.cols;
  buffer<index_t> counts(shape.rows + 1, where.memory());
  index_t* const count = counts.data();
  for_each(where, shape.rows, "nonzeros of a Kronecker product", [=] __device__(index_t i) {
    const index_t upper = i / b_rows, lower = i % b_rows;
    count[i] = (a_starts[upper + 1] - a_starts[upper]) * (b_starts[lower + 1] - b_starts[lower]);
  });
  auto result = counted<T>(where, shape, counts);
  const index_writer out(result.indices.view());
  const T *const a_values = a.values, *const b_values = b.values;
  T* const out_values = result.values.data();
  for_each(where, shape.rows, "a Kronecker product", [=] __device__(index_t i) {
    const index_t upper = i / b_rows, lower = i % b_rows;
    index_t at = count[i];
    for (index_t p = a_starts[upper]; p < a_starts[upper + 1]; ++p)
      for (index_t q = b_starts[lower]; q < b_starts[lower + 1]; ++q, ++at) {
        out.set(at, a_columns[p] * b_cols + b_columns[q]);
        out_values[at] = times(a_values[p], b_values[q]);
      }
  });
  return as_csr(shape, std::move(result));
}

#define GOSSAMER_INSTANTIATE(T)                                                                    \
  template void reduce_rows(const context&, const csr_view<const T>&, reduction, T*);              \
  template void take_diagonal(const context&, const csr_view<const T>&, T*);                       \
  template void scale_lines(const context&, const csr_view<T>&, const dense_view<const T>&, bool); \
  template csr_matrix<T> band(const context&, const csr_view<const T>&, index_t, index_t);         \
  template csr_matrix<T> gathered(const context&, const csr_view<const T>&, extents, index_view,   \
                                  index_view);                                                     \
  template csr_matrix<T> kronecker(const context&, const csr_view<const T>&,                       \
                                   const csr_view<const T>&, extents, index_t);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
