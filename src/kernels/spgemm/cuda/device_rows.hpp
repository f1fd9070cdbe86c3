// Operands of a sparse product by rows, in device memory: CSR in place, CSC converted. The
// conversion keeps where each nonzero came from, so that new values need neither a sort nor a wait.
#pragma once

#include <variant>

#include "formats/operand.hpp"
#include "gossamer/context.hpp"

namespace gossamer::device {

template <class T>
class device_rows {
 public:
  /// Converts the structure of a CSC operand; a CSR operand is left where it is. Queued: allocates,
  /// but does not wait.
  device_rows(const context& where, const operand& o);

  /// The operand by rows, with its current values: those of a CSC operand are gathered. Queued;
  /// neither allocates nor waits. `o` has the structure this object was created for.
  csr_view<const T> view(const context& where, const operand& o);

  /// Device memory that this object holds.
  index_t bytes() const;

 private:
  using places = std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>>;

  index_buffer offsets_, columns_;
  places from_;  ///< of each nonzero in the CSC arrays
  buffer<T> values_;
};

/// What device_rows holds for such an operand, and the most it holds while converting; both 0 for
/// CSR.
struct row_bytes {
  index_t held = 0, peak = 0;
};
row_bytes device_row_bytes(const operand_facts& o);

}  // namespace gossamer::device
