#include "index_checks.hpp"

#include <algorithm>

namespace binding {

namespace {

using gossamer::index_t;

template <class I>
bool in_range(const I* indices, index_t nnz, index_t columns) {
  using natural = std::make_unsigned_t<I>;
  natural largest = 0;  // as natural numbers, negative indices are the largest
  for (index_t k = 0; k < nnz; ++k) largest = std::max(largest, static_cast<natural>(indices[k]));
  return nnz == 0 || largest < static_cast<natural>(columns);
}

template <class I>
bool ascend(const I* offsets, index_t rows, index_t nnz) {
  bool good = offsets[0] == 0 && offsets[rows] == nnz;
  for (index_t i = 0; i < rows; ++i) good &= offsets[i] <= offsets[i + 1];
  return good;
}

template <class I>
bool checked(gossamer::extents shape, gossamer::index_view offsets, gossamer::index_view columns) {
  return ascend(offsets.as<I>().data(), shape.rows, columns.size()) &&
         in_range(columns.as<I>().data(), columns.size(), shape.cols);
}

}  // namespace

bool has_valid_indices(gossamer::extents shape, gossamer::index_view offsets,
                       gossamer::index_view columns) {
  return columns.width() == gossamer::index_width::i32
             ? checked<std::int32_t>(shape, offsets, columns)
             : checked<std::int64_t>(shape, offsets, columns);
}

}  // namespace binding
