// Memory ranges of operands: a result may overlap no operand.
#pragma once

#include <concepts>
#include <variant>

#include "formats/operand.hpp"

namespace gossamer::detail {

struct bytes_range {
  const char *begin = nullptr, *end = nullptr;
  bool overlaps(const bytes_range& other) const { return begin < other.end && other.begin < end; }
};

template <class T>
bytes_range range_of(const dense_view<T>& v) {
  if (v.shape.rows == 0 || v.shape.cols == 0) return {};
  const auto* begin = reinterpret_cast<const char*>(v.values);
  return {begin, reinterpret_cast<const char*>(&v(v.shape.rows - 1, v.shape.cols - 1) + 1)};
}
template <class T>
bytes_range range_of(const T* values, index_t count) {
  return {reinterpret_cast<const char*>(values), reinterpret_cast<const char*>(values + count)};
}

/// The memory range of an operand's values; index arrays cannot alias values of a dense result in a
/// program that type-checks.
template <class T>
bytes_range values_of(const any_view<const T>& view) {
  return std::visit(
      []<class V>(const V& v) -> bytes_range {
        if constexpr (std::same_as<V, hyb_view<const T>>)
          return range_of(v.ell.values, v.ell.width * v.ell.stride);
        else if constexpr (std::same_as<V, dense_view<const T>>)
          return range_of(v);
        else if constexpr (std::same_as<V, ell_view<const T>> ||
                           std::same_as<V, sellp_view<const T>>)
          return range_of(v.values, v.columns.size());
        else
          return range_of(v.values, v.nnz());
      },
      view);
}

}  // namespace gossamer::detail
