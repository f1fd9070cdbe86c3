// Row sums of an x86-64: with fused multiply-add, and with the masks and gathers of AVX-512.
#include "kernels/shared/row_sums_scalar.hpp"
#include "kernels/shared/wide512.hpp"

namespace gossamer {

namespace {

using detail::fused_add;
using detail::plain_add;
using detail::wide;

// ---- AVX2 with FMA --------------------------------------------------------------------------

template <class T, class I, class O>
[[gnu::target("avx2,fma")]] void even_fma(const csr_ref<const T, I, O>& a, const vector_call<T>& v,
                                          range rows) {
  detail::even_rows<fused_add>(a, v, rows);
}
template <class T, class I, class O>
[[gnu::target("avx2,fma")]] void uneven_fma(const csr_ref<const T, I, O>& a,
                                            const vector_call<T>& v, range rows) {
  detail::uneven_rows<fused_add>(a, v, rows);
}
template <class T, class I, class O>
[[gnu::target("avx2,fma")]] void far_fma(const csr_ref<const T, I, O>& a, const vector_call<T>& v,
                                         range rows) {
  detail::far_rows<fused_add>(a, v, rows);
}

// ---- AVX-512 --------------------------------------------------------------------------------

/// Every step under a mask, so that the only branch is the end of the row. One sum is enough: a
/// gather takes longer than an addition.
template <class T>
[[gnu::always_inline, gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] inline T
gathered_row(const T* values, const std::int32_t* columns, index_t length, const T* x) {
  using w = wide<T>;
  auto sum = w::zero();
  index_t k = 0;
  do {
    const auto live = w::first(length - k);
    sum += w::load(values + k, live) * w::gather(x, columns + k, live);
    k += w::size;
  } while (k < length);
  return w::total(sum);
}

template <class T, class O, class Store>
[[gnu::always_inline, gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] inline void
gathered_loop(const csr_ref<const T, std::int32_t, O>& a, const T* x, range rows, Store store) {
  for (index_t i = rows.begin; i < rows.end; ++i) {
    const index_t begin = a.offsets[i];
    store(i, gathered_row(a.values + begin, a.columns + begin, a.offsets[i + 1] - begin, x));
  }
}

template <class T, class O>
[[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] void gathered_512(
    const csr_ref<const T, std::int32_t, O>& a, const vector_call<T>& v, range rows) {
  if (v.alpha == T{1} && v.beta == T{0})
    gathered_loop(a, v.x, rows, [y = v.y](index_t i, T sum) { y[i] = sum; });
  else
    gathered_loop(a, v.x, rows, [&v](index_t i, T sum) { v.store(i, sum); });
}

/// Products that wait for their sums: they stay in L1.
constexpr index_t waiting = 1024;

template <class T>
[[gnu::always_inline, gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] inline void products(
    const T* values, const std::int32_t* columns, index_t count, const T* x, T* to) {
  using w = wide<T>;
  index_t k = 0;
  for (; k + w::size <= count; k += w::size)
    w::store(to + k, w::load(values + k) * w::gather(x, columns + k));
  for (; k < count; ++k) to[k] = values[k] * x[columns[k]];
}

/// The gather of x does not wait for a wrongly guessed length of a row; the sums, which do, find
/// everything in L1.
template <class T, class O>
[[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] void brief_512(
    const csr_ref<const T, std::int32_t, O>& a, const vector_call<T>& v, range rows) {
  using w = wide<T>;
  alignas(64) T made[waiting];
  for (index_t i = rows.begin; i < rows.end;) {
    index_t begin = a.offsets[i], until = i;
    while (until < rows.end && a.offsets[until + 1] - begin <= waiting) ++until;
    if (until == i) {
      v.store(i, gathered_row(a.values + begin, a.columns + begin, a.offsets[i + 1] - begin, v.x));
      ++i;
      continue;
    }
    products(a.values + begin, a.columns + begin, a.offsets[until] - begin, v.x, made);
    const T* from = made;
    for (; i < until; ++i) {
      const index_t end = a.offsets[i + 1], length = end - begin;
      auto sum = w::load(from, w::first(length));
      for (index_t k = w::size; k < length; k += w::size)
        sum += w::load(from + k, w::first(length - k));
      v.store(i, w::total(sum));
      from += length;
      begin = end;
    }
  }
}

bool has_fma() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

template <class T, class I, class O>
std::vector<row_summer<T, I, O>> without_512(row_style style) {
  switch (style) {
    case row_style::even:
    case row_style::gathered:
      if (has_fma()) return {detail::even_rows<plain_add, T, I, O>, even_fma<T, I, O>};
      return {detail::even_rows<plain_add, T, I, O>};
    case row_style::far:
      if (has_fma()) return {detail::far_rows<plain_add, T, I, O>, far_fma<T, I, O>};
      return {detail::far_rows<plain_add, T, I, O>};
    default:
      if (has_fma()) return {detail::uneven_rows<plain_add, T, I, O>, uneven_fma<T, I, O>};
      return {detail::uneven_rows<plain_add, T, I, O>};
  }
}

}  // namespace

template <class T, class I, class O>
std::vector<row_summer<T, I, O>> row_summers(row_style style) {
  auto all = without_512<T, I, O>(style);
  if constexpr (sizeof(I) == 4) {
    if (style == row_style::gathered && detail::has_wide()) all.push_back(gathered_512<T, O>);
    if (style == row_style::brief && detail::has_wide()) all.push_back(brief_512<T, O>);
  }
  return all;
}

template std::vector<row_summer<float, std::int32_t, std::int32_t>> row_summers(row_style);
template std::vector<row_summer<float, std::int32_t, std::int64_t>> row_summers(row_style);
template std::vector<row_summer<float, std::int64_t, std::int64_t>> row_summers(row_style);
template std::vector<row_summer<double, std::int32_t, std::int32_t>> row_summers(row_style);
template std::vector<row_summer<double, std::int32_t, std::int64_t>> row_summers(row_style);
template std::vector<row_summer<double, std::int64_t, std::int64_t>> row_summers(row_style);

}  // namespace gossamer
