// A contestant is one implementation of one product, as the benchmark sees it: our kernels and the
// peers have the same interface.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer::bench {

/// A CSR matrix to read. Columns ascend within rows, no duplicates; 32-bit indices, which every
/// peer takes (larger problems are not offered to peers).
struct csr_arrays {
  index_t rows = 0, cols = 0;
  const std::int32_t* offsets = nullptr;  ///< rows + 1
  const std::int32_t* columns = nullptr;
  const void* values = nullptr;  ///< float or double, as the problem's type says
  index_t nnz() const { return offsets[rows]; }
};

/// y = A x (columns == 1), C = A B with dense row-major B, or C = A B with both sparse. The arrays
/// outlive all contestants and are the same for all of them.
struct race_problem {
  operation product = operation::spmv;
  value_type type = value_type::f64;
  int threads = 1;
  csr_arrays a, b;          ///< b: spgemm only
  const void* x = nullptr;  ///< spmv, spmm: a.cols x columns, row-major
  index_t columns = 1;      ///< spmv, spmm
};

/// The result of a contestant, for the check. Row-major; columns in any order.
struct dense_answer {
  void* values = nullptr;  ///< a.rows x columns of the problem's type, to be filled
};
struct sparse_answer {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<double> values;  ///< float results are widened: exact
};

/// Functions throw std::exception with a text for people when the peer refuses.
class contestant {
 public:
  virtual ~contestant() = default;
  /// Conversion, analysis, tuning: work done once for many products. Timed separately.
  virtual void prepare() {}
  /// Dense products: fills the output with NaN, so that elements that were not written are
  /// detected. Not timed.
  virtual void poison() {}
  /// One product. Sparse: symbolic work and the allocation of the result are part of it.
  virtual void run() = 0;
  /// Sparse products: frees the result of the last run, so that the next can reuse its memory. Not
  /// timed.
  virtual void forget() {}
  /// Seconds of the last run by the device's own clock; negative: the host's clock counts.
  virtual double device_seconds() const { return -1; }
  /// The most device memory that the last run held beyond its operands, its result included; none:
  /// the growth of the process counts.
  virtual std::optional<index_t> device_bytes() const { return {}; }
  /// Flushes the caches of a device before a cold run; those of hosts are flushed by the benchmark.
  virtual void cool_down() {}
  /// The result of the last run. Not timed. Only the one that fits the product is called.
  virtual void answer(const dense_answer&) {}
  virtual void answer(sparse_answer&) {}
};

}  // namespace gossamer::bench
