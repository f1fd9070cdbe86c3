// Rows of a CSR matrix times a row-major block of dense columns. A tile of columns of one row of C
// stays in vector registers while the row of A is walked; up to eight vectors, so that one nonzero
// of A is broadcast once for many multiplications. docs/kernels/spmm-cpu.md has the measurements.
#pragma once

#include <span>

#include "base/parallel.hpp"
#include "formats/typed.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer {

/// C = alpha A B + beta C with row-major B and C, for a range of rows.
template <class T>
struct row_panel {
  T alpha = 1, beta = 0;
  const T* b = nullptr;
  T* c = nullptr;  ///< row r of C is at c + (r - first_row) * c_stride
  index_t b_stride = 0, c_stride = 0;
  index_t columns = 0;
  index_t first_row = 0;
  /// Prefetch distance for rows of B, in nonzeros; 0: none.
  index_t prefetch = 0;
  /// Many rows of A have the columns of the row before: such rows share their loads of B.
  bool repeats = false;
  /// Whole vectors of C are written past the caches. Needs beta = 0 and rows aligned to 64 bytes.
  bool stream = false;
  bool conjugated = false;  ///< the conjugate of A; complex values only
};

/// Rows that are handed to a panel function at once.
inline constexpr index_t panel_block = 64;

/// The nonzeros of up to panel_block consecutive rows, from `first`: offsets in one width, so that
/// the tiles need not be compiled for every width of offsets.
template <class T, class I>
struct row_block {
  index_t first = 0, rows = 0;
  const index_t* offsets = nullptr;  ///< rows + 1
  const I* columns = nullptr;
  const T* values = nullptr;
  index_t last_nonzero = 0;  ///< of the whole matrix: prefetches stop there
};

template <class T, class I>
using panel_function = void (*)(const row_block<T, I>&, const row_panel<T>&);

template <class T, class I>
variants<panel_function<T, I>> panel_functions();
/// Of complex values (complex_panel.hpp); `repeats` and `stream` make no difference to them.
template <complex_scalar T, class I>
variants<panel_function<T, I>> complex_panel_functions();

}  // namespace gossamer
