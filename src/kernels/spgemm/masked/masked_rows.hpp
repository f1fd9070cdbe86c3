// Sparse products by rows over any semiring, under a mask, with rows filtered before they are
// stored: the driver for every accumulator. A row is computed behind a virtual call (masked_row),
// so that semirings and accumulators are compiled separately from the driver.
#pragma once

#include <memory>

#include "kernels/spgemm/operands/erased_rows.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

/// The accumulator of a row: bitmap_spa.hpp, hash_table.hpp or spa.hpp.
enum class row_accumulator : std::uint8_t { bitmap, hash, spa };

/// The hooks of a kernel. With a filter, prepare reads the values: it counts the nonzeros that will
/// be stored.
state prepare_masked(row_accumulator in, const problem&, const operands&, const context&);
void run_masked(const state&, const operands&, const context&);
csr_result multiply_once_masked(row_accumulator in, const problem&, const operands&,
                                const context&);

/// What a kernel appends to its reason: "; over min_plus, under a mask of 7 nonzeros", or nothing.
std::string masked_reason(const problem&);
/// Bytes of the mask gates of all threads.
index_t gate_bytes(const problem&, int team);

/// Computes rows of C, sorted. One per thread.
template <class I, class T>
class masked_row {
 public:
  virtual ~masked_row() = default;
  /// Counts the nonzeros of the row; `most` is an upper bound.
  virtual index_t count(index_t row, index_t most) = 0;
  /// Writes the row to memory for `most` nonzeros; returns how many there are.
  virtual index_t make(index_t row, index_t most, I* columns, T* values) = 0;
};

template <class I, class T>
struct masked_operands {
  using rows_of_b = std::conditional_t<sizeof(I) == 4, direct_rows<T, std::int32_t>, wide_rows<T>>;
  row_accumulator in = row_accumulator::bitmap;
  any_rows<T> a;
  rows_of_b b;
  index_t a_entries = 0;  ///< nnz(A)
  index_t columns = 0;    ///< columns of C
  T alpha = 1;
  const pattern* mask = nullptr;
  /// Complex values: conj(A) B is summed with the conjugates of A's values, and A conj(B) is the
  /// conjugate of conj(A) B. alpha is then conjugated, too.
  bool conjugate_a = false, conjugate_result = false;
};

/// Instantiated in <semiring>.cpp.
template <template <class> class Semiring, class I, class T>
std::unique_ptr<masked_row<I, T>> make_masked_row(const masked_operands<I, T>&,
                                                  const std::shared_ptr<memory_resource>&);

}  // namespace gossamer
