// Nonzeros of compressed rows as triplets: COO, and the COO part of HYB.
#pragma once

#include "convert/conversions.hpp"
#include "formats/typed.hpp"

namespace gossamer {

/// The nonzeros of each row but the first `skipped`, in order; those of row i go to starts[i] and
/// the places behind it, `count` in all.
template <scalar T, scalar From, class Starts>
coo_matrix<T> to_triplets(const context& where, const scaled_rows<From>& from, index_t skipped,
                          const Starts& starts, index_t count) {
  const auto& a = from.a;
  coo_matrix<T> result(a.shape, count, narrowest(a.shape, 0).indices, where.memory());
  const auto out = result.mutable_view();
  with_two_widths(a.columns.width(), out.columns.width(), [&]<class I, class J>() {
    const I* const columns = detail::raw<I>(a.columns);
    const auto out_rows = out.rows.template as<J>();
    const auto out_columns = out.columns.template as<J>();
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        index_t at = starts[i];
        for (index_t p = a.offsets[i] + skipped, last = a.offsets[i + 1]; p < last; ++p, ++at) {
          out_rows[at] = static_cast<J>(i);
          out_columns[at] = static_cast<J>(columns[p]);
          out.values[at] = cast<T>(scaled_value(from.alpha, a.values[p]));
        }
      }
    });
  });
  return result;
}

}  // namespace gossamer
