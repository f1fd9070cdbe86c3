// Row sums with fused multiply-add, and with the masks of AVX-512.
#include "kernels/simd/avx512.hpp"
#include "kernels/spmv/rows/row_sums_scalar.hpp"

namespace gossamer {

namespace {

using detail::fused_add;
using detail::plain_add;
using detail::quad;
using detail::streams;
using detail::wide;

// ---- AVX2 with FMA --------------------------------------------------------------------------

template <streams A, class T, class I, class O>
[[GOSSAMER_AVX2_FMA]] void vector_fma(const csr_ref<const T, I, O>& a, const vector_call<T>& v,
                                      range rows) {
  detail::vector_rows<fused_add, A>(a, v, rows);
}
template <class T, class I, class O>
[[GOSSAMER_AVX2_FMA]] void regular_fma(const csr_ref<const T, I, O>& a, const vector_call<T>& v,
                                       range rows) {
  detail::regular_rows<fused_add>(a, v, rows);
}
template <class T, class I, class O>
[[GOSSAMER_AVX2_FMA]] void scalar_fma(const csr_ref<const T, I, O>& a, const vector_call<T>& v,
                                      range rows) {
  detail::scalar_rows<fused_add>(a, v, rows);
}
template <class T, class I, class O>
[[GOSSAMER_AVX2_FMA]] void scalar_prefetch_x_fma(const csr_ref<const T, I, O>& a,
                                                 const vector_call<T>& v, range rows) {
  detail::scalar_prefetch_x_rows<fused_add>(a, v, rows);
}

// ---- AVX-512 --------------------------------------------------------------------------------

/// Multiplications computed before they are summed, and their rows. They stay in L1: 8 KB of
/// doubles, a quarter of it. Times are in docs/kernels/spmv-cpu.md.
constexpr index_t waiting = 1024, waiting_rows = 64;

/// Loads elements of x one by one: a gather takes longer.
template <class T>
[[gnu::always_inline, GOSSAMER_AVX512]] inline void products(const T* values,
                                                             const std::int32_t* columns,
                                                             index_t count, const T* x, T* to) {
  constexpr index_t size = quad<T>::size;
  typename quad<T>::vector first, second;
  index_t k = 0;
  for (; k + 2 * size <= count; k += 2 * size) {
    std::memcpy(&first, values + k, sizeof first);
    std::memcpy(&second, values + k + size, sizeof second);
    first *= detail::picked(x, columns + k);
    second *= detail::picked(x, columns + k + size);
    std::memcpy(to + k, &first, sizeof first);
    std::memcpy(to + k + size, &second, sizeof second);
  }
  for (; k < count; ++k) to[k] = values[k] * x[columns[k]];
}

/// The end of the rows from rows.begin on whose multiplications fit; rows.begin if not even one
/// row's do.
template <class O>
index_t rows_that_fit(const O* offsets, range rows) {
  index_t count = std::min(rows.end - rows.begin, waiting_rows);
  while (offsets[rows.begin + count] - offsets[rows.begin] > waiting) count /= 2;
  return rows.begin + count;
}

/// Loads of x do not wait for a mispredicted row length; the sums, which do, find everything in L1.
template <class T, class O, class Store>
[[gnu::always_inline, GOSSAMER_AVX512]] inline void products_first_loop(
    const csr_ref<const T, std::int32_t, O>& a, const T* x, range rows, Store store) {
  using w = wide<T>;
  alignas(64) T pending[waiting];
  for (index_t i = rows.begin; i < rows.end;) {
    index_t begin = a.offsets[i];
    const T* const values = a.values + begin;
    const std::int32_t* const columns = a.columns + begin;
    const index_t until = rows_that_fit(a.offsets, {i, rows.end});
    if (until == i) {
      const index_t length = a.offsets[i + 1] - begin;
      store(i++, detail::vector_row<fused_add, streams::left>(values, columns, length, x));
      continue;
    }
    products(values, columns, a.offsets[until] - begin, x, pending);
    const T* from = pending;
    for (; i < until; ++i) {
      const index_t end = a.offsets[i + 1], length = end - begin;
      auto sum = w::load(from, w::first(length));
      for (index_t k = w::size; k < length; k += w::size)
        sum += w::load(from + k, w::first(length - k));
      store(i, w::total(sum));
      from += length;
      begin = end;
    }
  }
}

template <class T, class O>
[[GOSSAMER_AVX512]] void products_first_512(const csr_ref<const T, std::int32_t, O>& a,
                                            const vector_call<T>& v, range rows) {
  if (v.alpha == T{1} && v.beta == T{0})
    products_first_loop(a, v.x, rows, [y = v.y](index_t i, T sum) { y[i] = sum; });
  else
    products_first_loop(a, v.x, rows, [&v](index_t i, T sum) { v.store(i, sum); });
}

template <class T, class I, class O>
variants<row_summer<T, I, O>> products_first_summers() {
  variants<row_summer<T, I, O>> all{detail::scalar_rows<plain_add, T, I, O>, scalar_fma<T, I, O>};
  if constexpr (sizeof(I) == 4) all.avx512 = products_first_512<T, O>;
  return all;
}

}  // namespace

template <real_scalar T, class I, class O>
variants<row_summer<T, I, O>> row_summers(row_style style) {
  constexpr auto left = streams::left, prefetched = streams::prefetched;
  switch (style) {
    case row_style::regular:
      return {detail::regular_rows<plain_add, T, I, O>, regular_fma<T, I, O>};
    case row_style::vector:
      return {detail::vector_rows<plain_add, left, T, I, O>, vector_fma<left, T, I, O>};
    case row_style::vector_prefetch:
      return {detail::vector_rows<plain_add, prefetched, T, I, O>, vector_fma<prefetched, T, I, O>};
    case row_style::products_first: return products_first_summers<T, I, O>();
    case row_style::scalar_prefetch_x:
      return {detail::scalar_prefetch_x_rows<plain_add, T, I, O>, scalar_prefetch_x_fma<T, I, O>};
    case row_style::scalar: break;
  }
  return {detail::scalar_rows<plain_add, T, I, O>, scalar_fma<T, I, O>};
}

template variants<row_summer<float, std::int32_t, std::int32_t>> row_summers(row_style);
template variants<row_summer<float, std::int32_t, std::int64_t>> row_summers(row_style);
template variants<row_summer<float, std::int64_t, std::int64_t>> row_summers(row_style);
template variants<row_summer<double, std::int32_t, std::int32_t>> row_summers(row_style);
template variants<row_summer<double, std::int32_t, std::int64_t>> row_summers(row_style);
template variants<row_summer<double, std::int64_t, std::int64_t>> row_summers(row_style);

}  // namespace gossamer
