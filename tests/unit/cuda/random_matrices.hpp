// Small random matrices: columns in any order, some twice, empty rows, zeros among the values.
#pragma once

#include <algorithm>
#include <random>

#include "gpu.hpp"

namespace gossamer {

class random_source {
 public:
  explicit random_source(std::uint32_t seed) : bits_(seed) {}
  /// In [least, most].
  index_t number(index_t least, index_t most) {
    return std::uniform_int_distribution<index_t>(least, most)(bits_);
  }
  bool one_in(index_t n) { return number(1, n) == 1; }
  double value() { return one_in(12) ? 0.0 : std::uniform_real_distribution<double>(-1, 1)(bits_); }

  cases::matrix_case matrix(extents shape) {
    cases::matrix_case drawn{"random", shape, {}};
    const index_t most = one_in(4) ? shape.cols : std::min<index_t>(shape.cols, 6);
    for (index_t i = 0; i < shape.rows; ++i) {
      if (shape.cols == 0 || one_in(5)) continue;
      const index_t length = number(0, one_in(9) ? shape.cols : most);
      for (index_t k = 0; k < length; ++k)
        drawn.entries.push_back({i, number(0, shape.cols - 1), value()});
    }
    return drawn;
  }
  widths any_widths() {
    const auto wide = index_width::i64, narrow_one = index_width::i32;
    switch (number(0, 2)) {
      case 0: return {narrow_one, narrow_one};
      case 1: return {narrow_one, wide};
      default: return {wide, wide};
    }
  }

 private:
  std::mt19937 bits_;
};

}  // namespace gossamer
