// The ELL width of HYB as a function of the ranks of the row lengths, which host and device compute
// differently.
#pragma once

#include "gossamer/convert.hpp"

namespace gossamer {

/// The row lengths of a matrix by rank.
class length_ranks {
 public:
  virtual ~length_ranks() = default;
  virtual index_t rows() const = 0;
  virtual index_t longest() const = 0;
  /// The length of the row that would be at `position` if rows were sorted by length.
  virtual index_t of_rank(index_t position) const = 0;
};

/// The nonzeros of a row that go to ELL, at most.
index_t hyb_width(const length_ranks& lengths, const hyb_options& how, value_type values,
                  index_width indices);

}  // namespace gossamer
