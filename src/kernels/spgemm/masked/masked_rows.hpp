// Sparse products by rows over any semiring, under a mask, with rows filtered before they are
// stored: the frame that kernels share, whatever they sum a row in. One row is made behind a
// virtual call (masked_row), so that semirings and accumulators are compiled apart from the frame.
#pragma once

#include <memory>

#include "kernels/spgemm/operands/erased_rows.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

/// What a row is summed in: bitmap_row.hpp, hash_table.hpp or spa_row.hpp.
enum class row_accumulator : std::uint8_t { bitmap, hash, spa };

/// As a kernel's prepare, run and in_one_go. A filter makes prepare read the values: the rows it
/// counts are those that will be stored.
state prepare_masked(row_accumulator in, const problem&, const operands&, const context&);
void run_masked(const state&, const operands&, const context&);
csr_result whole_masked(row_accumulator in, const problem&, const operands&, const context&);

/// What a kernel adds to its reason: "; over min_plus, under a mask of 7 entries", or nothing.
std::string masked_reason(const problem&);
/// Bytes a team holds for its masks.
index_t gate_bytes(const problem&, int team);

/// Makes rows of C, each from its products, sorted. One per thread.
template <class I, class T>
class masked_row {
 public:
  virtual ~masked_row() = default;
  /// Entries of the row; `most` is a bound on them.
  virtual index_t count(index_t row, index_t most) = 0;
  /// Writes the row to where there is room for `most` entries; returns how many there are.
  virtual index_t make(index_t row, index_t most, I* columns, T* values) = 0;
};

template <class I, class T>
struct masked_operands {
  using rows_of_b = std::conditional_t<sizeof(I) == 4, direct_rows<T, std::int32_t>, wide_rows<T>>;
  row_accumulator in = row_accumulator::bitmap;
  any_rows<T> a;
  rows_of_b b;
  index_t a_entries = 0;  ///< all of A
  index_t columns = 0;    ///< of C
  T alpha = 1;
  const pattern* mask = nullptr;
};

/// Compiled in general_<semiring>.cpp.
template <template <class> class Semiring, class I, class T>
std::unique_ptr<masked_row<I, T>> make_masked_row(const masked_operands<I, T>&,
                                                  const std::shared_ptr<memory_resource>&);

}  // namespace gossamer
