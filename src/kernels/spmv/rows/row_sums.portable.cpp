// Row sums without vector instructions of their own.
#include "kernels/spmv/rows/row_sums_scalar.hpp"

namespace gossamer {

template <real_scalar T, class I, class O>
variants<row_summer<T, I, O>> row_summers(row_style style) {
  using detail::plain_add, detail::streams;
  switch (style) {
    case row_style::regular: return {detail::regular_rows<plain_add, T, I, O>};
    case row_style::vector: return {detail::vector_rows<plain_add, streams::left, T, I, O>};
    case row_style::vector_prefetch:
      return {detail::vector_rows<plain_add, streams::prefetched, T, I, O>};
    case row_style::scalar_prefetch_x: return {detail::scalar_prefetch_x_rows<plain_add, T, I, O>};
    default: return {detail::scalar_rows<plain_add, T, I, O>};
  }
}

template variants<row_summer<float, std::int32_t, std::int32_t>> row_summers(row_style);
template variants<row_summer<float, std::int32_t, std::int64_t>> row_summers(row_style);
template variants<row_summer<float, std::int64_t, std::int64_t>> row_summers(row_style);
template variants<row_summer<double, std::int32_t, std::int32_t>> row_summers(row_style);
template variants<row_summer<double, std::int32_t, std::int64_t>> row_summers(row_style);
template variants<row_summer<double, std::int64_t, std::int64_t>> row_summers(row_style);

}  // namespace gossamer
