// What the rows of C = A B cost, counted on a device before they are computed: multiplications per
// row, and rows listed by class.
#pragma once

#include <array>
#include <cstdint>

#include "gossamer/context.hpp"
#include "gossamer/memory.hpp"
#include "gossamer/views.hpp"

namespace gossamer::device {

/// The largest number of multiplications of each class; rows of the last class have more than the
/// last number. Rows without multiplications are in none.
inline constexpr std::array<index_t, 6> class_limits{0, 16, 32, 64, 128, 512};
inline constexpr int empty_class = 0, large_class = static_cast<int>(class_limits.size());
inline constexpr int row_classes_count = large_class + 1;

/// The index arrays of A and B, which are CSR.
struct product_structure {
  extents a_shape, b_shape;
  index_view a_offsets, a_columns, b_offsets, b_columns;
};

struct row_work {
  buffer<index_t> products;  ///< multiplications of each row; negative: the row is not sorted
  std::array<index_t, row_classes_count> rows{};  ///< of each class
  /// Multiplications of all other rows, and of those of the large class.
  index_t small_multiplications = 0, large_multiplications = 0;
  index_t most_multiplications = 0;       ///< of one row
  bool has_long_rows = false;             ///< A has rows of thousands of nonzeros
  int samples = 0, sampled_patterns = 0;  ///< rows that were sampled, and how many differ
  bool scattered = false;                 ///< the sampled rows select rows of B from all over it
  /// Rows by class, in the order of classes; empty when one class computes all rows.
  buffer<index_t> list;
  int only_class = -1;  ///< the class that computes all rows, or -1

  /// Whether rows of C repeat, as far as the sample shows.
  bool may_repeat() const;
  /// Where the rows of a class begin in the list.
  index_t begin_of(int row_class) const;
  index_t bytes() const { return (products.size() + list.size()) * index_t{sizeof(index_t)}; }
};

/// Counts the multiplications of every row, and waits for the result.
row_work count_multiplications(const context&, const product_structure&);

/// Lists rows by class, unless one class can compute them all.
void list_by_class(const context&, row_work&);

/// Where each row begins in memory that has a place for every multiplication of the rows that are
/// sorted; rows + 1 places.
buffer<index_t> places_of_multiplications(const context&, const row_work&);

}  // namespace gossamer::device
