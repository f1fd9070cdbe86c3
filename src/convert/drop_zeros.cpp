// Entries that are exactly zero left out; everything else, NaN too, in its order.
#include "convert/arrays.hpp"
#include "formats/typed.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

template <scalar T>
csr_matrix<T> drop_zeros(const context& where, const csr_view<const T>& a) {
  buffer<index_t> sums(a.shape.rows + 1, where.memory());
  parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      sums[i] = std::count_if(a.values + a.offsets[i], a.values + a.offsets[i + 1],
                              [](T value) { return value != T{0}; });
  });
  prefix_sums(where.threads(), sums.span());
  compressed<T> result(where, a.shape, {sums.data(), sums.size()});
  with_width(result.indices.width(), [&]<class J>() {
    J* const out = raw<J>(result.indices);
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        index_t at = sums[i];
        for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
          if (a.values[p] == T{0}) continue;
          out[at] = static_cast<J>(a.columns[p]);
          result.values[at++] = a.values[p];
        }
      }
    });
  });
  return as_csr(a.shape, std::move(result));
}

template csr_matrix<float> drop_zeros(const context&, const csr_view<const float>&);
template csr_matrix<double> drop_zeros(const context&, const csr_view<const double>&);

}  // namespace gossamer
