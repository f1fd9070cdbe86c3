// Small sparse matrices written as triplets, and results read back as triplets.
#pragma once

#include <vector>

#include "gossamer/gossamer.hpp"

namespace gossamer {

struct entry {
  index_t row = 0, column = 0;
  double value = 0;
  friend bool operator==(const entry&, const entry&) = default;
  friend std::ostream& operator<<(std::ostream& out, const entry& e) {
    return out << "(" << e.row << ", " << e.column << "): " << e.value;
  }
};
using triplets = std::vector<entry>;

/// Triplets ordered by rows; within a row they are stored as they stand.
struct by_hand {
  extents shape;
  triplets list;
  template <scalar T = double>
  csr_matrix<T> matrix() const {
    std::vector<std::int32_t> offsets(static_cast<std::size_t>(shape.rows) + 1, 0), columns;
    std::vector<T> values;
    for (const auto& e : list) {
      ++offsets[static_cast<std::size_t>(e.row) + 1];
      columns.push_back(static_cast<std::int32_t>(e.column));
      values.push_back(static_cast<T>(e.value));
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    return {shape, index_buffer(std::span<const std::int32_t>(offsets)),
            index_buffer(std::span<const std::int32_t>(columns)),
            buffer<T>(std::span<const T>(values))};
  }
};

template <scalar T>
triplets entries(const csr_matrix<T>& a) {
  triplets list;
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
      list.push_back(
          {i, a.column_indices()[p], static_cast<double>(a.values()[static_cast<std::size_t>(p)])});
  return list;
}

}  // namespace gossamer
