// Common parts of the kernels that keep a SELL layout; they differ in how they obtain rows.
#pragma once

#include "base/text.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/sell/sell_layout.hpp"
#include "plan/spmv_costs.hpp"

namespace gossamer {

template <class T, class I, class O>
state keep_sliced(const csr_ref<const T, I, O>& a, const context& where) {
  auto layout = std::make_shared<sell_layout<T>>(sliced(a, where.threads()));
  const index_t held = layout->bytes();
  return {.tables = std::move(layout), .bytes = held};
}

template <class T>
void multiply_sliced(const sell_layout<T>& a, const vector_call<T>& v, const context& where) {
  static const auto multiply = select(sell_multipliers<T>());
  const sell_call<T> call{&a, v.x, v.y, v.alpha, v.beta};
  parallel_shares(where.threads(), std::ssize(a.cuts) - 1, [&](index_t piece) {
    const auto at = static_cast<std::size_t>(piece);
    multiply(call, {a.cuts[at], a.cuts[at + 1]});
  });
}

/// The verdict for a matrix of a supported format.
inline verdict consider_sliced(const problem& p, const machine& m) {
  if (!p.options.constant_values)
    return {.because =
                "keeps a copy of A's values in another order; constant_values would allow it"};
  if (p.a.shape.cols > INT32_MAX || p.a.shape.rows > INT32_MAX)
    return {.because = "stores rows and columns in 32 bits"};
  const auto shape = costs::in_sell(p);
  const double nnz = static_cast<double>(p.a.nnz);
  // Where every nonzero misses on a separate cache line, lanes are no better than rows that fill
  // vectors.
  const bool waits = p.rows.x_lines > costs::scattered_lines &&
                     nnz >= costs::sell_longest_scattered * static_cast<double>(p.a.shape.rows);
  const double compute = waits
                             ? std::max(costs::rows_compute(p, m), costs::sell_compute(p, m, shape))
                             : costs::sell_compute(p, m, shape);
  const double traffic = costs::sell_product_bytes(p, shape);
  const double share = nnz / p.threads;
  const double slowest =
      std::max(1.0, static_cast<double>(p.rows.probed_length) / std::max(share, 1.0));
  return {.possible = true,
          .prepare_seconds = costs::sell_prepare(p, shape),
          .run_seconds =
              slowest * costs::copy_margin * costs::spmv_seconds(traffic, compute, m, p.threads),
          .bytes = static_cast<index_t>(shape.bytes),
          .because = slowest > 1
                         ? formatted("one row holds {:.1f} times a thread's share of the nonzeros",
                                     slowest)
                     : p.rows.float_values
                         ? "one row per vector lane, indices of at most 2 bytes, floats for doubles"
                         : "one row per vector lane, indices of at most 2 bytes"};
}

}  // namespace gossamer
