// Masks as kernels on a device take them: rows sorted, without duplicates.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::device {

/// A mask with sorted rows: the caller's arrays where they are so already, else a copy.
class device_mask {
 public:
  /// Borrows the arrays of `mask`.
  explicit device_mask(const pattern& mask) : mask_(mask) {}
  /// Owns the arrays; shape and complement are those of `mask`.
  device_mask(const pattern& mask, index_buffer offsets, index_buffer columns);

  /// The mask, with the complement it was asked for. Valid while this object is.
  const pattern& view() const { return mask_; }
  /// Device memory of the copy; 0 where there is none.
  index_t bytes() const;

 private:
  index_buffer offsets_, columns_;
  pattern mask_;  ///< moving an index_buffer leaves its array in place
};

/// The mask with every row sorted and without duplicates, in the widths it has. Waits for the
/// device once to look at the order, and once more where it has to copy. Not for a stream that is
/// captured.
device_mask sorted_mask(const context& where, const pattern& mask);

/// Device memory that sorted_mask holds at most while it works, its result included.
index_t sorted_mask_bytes(const pattern& mask);

}  // namespace gossamer::device
