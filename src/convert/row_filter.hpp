// Which nonzeros of a row are stored, decided before it is: zeros go, then what is below a
// magnitude, then all but the largest. The rest keeps its order.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {

struct entry_filter {
  filter which;
  bool drop_zeros = false;
  bool keeps_all() const { return !drop_zeros && which == filter{}; }
};

/// Throws error(bad_argument) that names the field with an invalid value.
void require_valid(const filter& which);

/// Filters rows one after the other. It has scratch memory, so each thread needs one of its own.
template <class T>
class row_filter {
 public:
  explicit row_filter(const entry_filter& by) : by_(by) {}

  /// Moves the nonzeros that are kept to the front and returns their number.
  template <class I>
  index_t operator()(I* columns, T* values, index_t count) {
    if (by_.drop_zeros || by_.which.magnitude > 0)
      count = keep_if(columns, values, count, [this](T value) {
        const int zero = static_cast<int>(by_.drop_zeros) & static_cast<int>(value == T{0});
        const bool small = static_cast<double>(std::abs(value)) < by_.which.magnitude;
        return (zero | static_cast<int>(small)) == 0;
      });
    const index_t largest = by_.which.largest;
    return largest > 0 && count > largest ? keep_largest(columns, values, count) : count;
  }

 private:
  template <class I, class Kept>
  static index_t keep_if(I* columns, T* values, index_t count, Kept&& kept) {
    index_t at = 0;
    for (index_t k = 0; k < count; ++k) {  // no branch: it would be mispredicted
      const T value = values[k];
      columns[at] = columns[k];
      values[at] = value;
      at += kept(value) ? 1 : 0;
    }
    return at;
  }

  using magnitude = real_of<T>;

  static bool greater(magnitude a, magnitude b) { return std::isnan(a) ? !std::isnan(b) : a > b; }

  /// Keeps all above the magnitude of rank `largest`, and the first of those equal to it.
  template <class I>
  index_t keep_largest(I* columns, T* values, index_t count) {
    const index_t largest = by_.which.largest;
    magnitudes_.resize(static_cast<std::size_t>(count));
    for (index_t k = 0; k < count; ++k)
      magnitudes_[static_cast<std::size_t>(k)] = std::abs(values[k]);
    const auto last = magnitudes_.begin() + (largest - 1);
    std::nth_element(magnitudes_.begin(), last, magnitudes_.end(), greater);
    const magnitude least = *last;
    index_t equals = largest - std::count_if(magnitudes_.begin(), last, [least](magnitude one) {
                       return greater(one, least);
                     });
    return keep_if(columns, values, count, [&](T value) {
      const magnitude one = std::abs(value);
      return greater(one, least) || (!greater(least, one) && equals-- > 0);
    });
  }

  entry_filter by_;
  std::vector<magnitude> magnitudes_;
};

}  // namespace gossamer
