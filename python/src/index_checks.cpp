#include "index_checks.hpp"

#include <type_traits>

namespace binding {

namespace {

using gossamer::index_t;

template <class I>
bool in_range(const I* indices, index_t nnz, index_t columns) {
  using natural = std::make_unsigned_t<I>;
  const auto last = static_cast<natural>(columns - 1);
  natural signs = 0;  // the top bit is set by an index below zero, or above the last
  for (index_t k = 0; k < nnz; ++k) {
    const auto index = static_cast<natural>(indices[k]);
    signs |= index | (last - index);
  }
  return static_cast<I>(signs) >= 0;
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
