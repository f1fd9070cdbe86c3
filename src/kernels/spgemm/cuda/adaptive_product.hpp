// What spgemm/csr/adaptive/cuda knows of a product: its operands by rows, and tables of the rows of
// C that multiply_once and plans share.
#pragma once

#include <mutex>
#include <optional>

#include "kernels/spgemm/cuda/adaptive_rows.hpp"
#include "kernels/spgemm/cuda/device_mask.hpp"
#include "kernels/spgemm/cuda/device_rows.hpp"
#include "plan/kernel.hpp"

namespace gossamer::device {

/// All that is known of a product before its values.
struct adaptive_tables {
  gossamer::semiring semiring = semiring::plus_times;
  std::optional<device_mask> mask;
  row_work work;
  row_patterns patterns;    ///< found: all rows are computed by them
  windowed_rows windowed;   ///< otherwise, rows with many multiplications in windows
  large_rows large;         ///< and those with many that windows do not take
  term_lists terms;         ///< listed for plans of many calls that have no patterns
  buffer<index_t> offsets;  ///< rows + 1: nonzeros of each row of C, then sums

  /// Multiplications of the rows that are sorted.
  index_t sorted_multiplications() const {
    return work.small_multiplications + large.sorted_multiplications;
  }
  index_t bytes() const {
    return work.bytes() + patterns.bytes() + windowed.bytes() + large.bytes() + terms.bytes() +
           offsets.size() * index_t{sizeof(index_t)} + (mask ? mask->bytes() : 0);
  }
};

/// The operands by rows, and the tables: what multiply_once and plans share.
template <class T>
struct adaptive_product {
  device_rows<T> a, b;
  adaptive_operands<T> of;
  adaptive_tables tables;
  std::mutex guard;  ///< of a plan that threads share

  adaptive_product(const operands& o, const context& where) : a(where, o.a), b(where, o.b) {
    read(o, where);
    tables.offsets = buffer<index_t>(of.a.shape.rows + 1, where.memory());
    tables.offsets.set(0);
  }
  /// Takes the values of this call.
  void read(const operands& o, const context& where) {
    of.a = a.view(where, o.a);
    of.b = b.view(where, o.b);
    of.alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    of.semiring = tables.semiring;
    of.mask = tables.mask ? &tables.mask->view() : nullptr;
    of.b_ascends = tables.large.b_ascends;
  }
  bool empty() const {
    return of.a.shape.rows == 0 || of.b.shape.cols == 0 || of.a.nnz() == 0 || of.b.nnz() == 0;
  }
  index_t bytes() const { return a.bytes() + b.bytes() + tables.bytes(); }
};

}  // namespace gossamer::device
