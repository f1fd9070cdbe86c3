// Blocks of ELL rows on an x86-64: with AVX-512, two vectors of rows at a time, padding masked out.
#include "kernels/spmv/ell/ell_block.hpp"
#include "kernels/simd/avx512.hpp"

namespace gossamer {

namespace {

template <class T>
[[GOSSAMER_AVX512]] void ell_sums_512(const ell_rows_ref<T, std::int32_t>& a, const T* x, T* sums) {
  using w = detail::wide<T>;
  for (index_t r = 0; r < a.rows; r += 2 * w::size) {
    const auto first = w::first(a.rows - r);
    const auto second = w::first(std::max<index_t>(a.rows - r - w::size, 0));
    auto low = w::zero(), high = w::zero();
    for (index_t k = 0; k < a.width; ++k) {
      const std::int32_t* columns = a.columns + k * a.stride + r;
      const T* values = a.values + k * a.stride + r;
      const auto live = w::used(columns, first), more = w::used(columns + w::size, second);
      if ((live | more) == 0) break;
      low += w::load(values, live) * w::gather(x, columns, live);
      high += w::load(values + w::size, more) * w::gather(x, columns + w::size, more);
    }
    w::store(sums + r, low, first);
    w::store(sums + r + w::size, high, second);
  }
}

}  // namespace

template <class T, class I>
variants<ell_summer<T, I>> ell_summers() {
  variants<ell_summer<T, I>> all{.portable = detail::ell_sums_plain<T, I>};
  if constexpr (sizeof(I) == 4) all.avx512 = ell_sums_512<T>;
  return all;
}
template variants<ell_summer<float, std::int32_t>> ell_summers();
template variants<ell_summer<float, std::int64_t>> ell_summers();
template variants<ell_summer<double, std::int32_t>> ell_summers();
template variants<ell_summer<double, std::int64_t>> ell_summers();

}  // namespace gossamer
