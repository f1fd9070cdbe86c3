// Row sums without explicit vector instructions: always inlined, so that a function with a target
// attribute gets the fused and wide instructions of that target.
#pragma once

#include <cstring>

#include "kernels/spmv/rows/row_sums.hpp"

namespace gossamer::detail {

/// Prefetch distance for values and columns, in elements: the hardware prefetcher stops at the end
/// of a page and is late for rows this short.
inline constexpr index_t ahead = 256;

template <class T, class I>
[[gnu::always_inline]] inline void fetch(const T* values, const I* columns) {
  __builtin_prefetch(values + ahead);
  __builtin_prefetch(columns + ahead);
}

struct plain_add {
  template <class T>
  [[gnu::always_inline]] static T of(T sum, T a, T b) {
    return sum + a * b;
  }
};
struct fused_add {
  [[gnu::always_inline]] static double of(double sum, double a, double b) {
    return __builtin_fma(a, b, sum);
  }
  [[gnu::always_inline]] static float of(float sum, float a, float b) {
    return __builtin_fmaf(a, b, sum);
  }
};

template <class T>
struct alignas(16) quad {
  static constexpr index_t size = 16 / sizeof(T);
  typedef T vector __attribute__((vector_size(16)));
};

/// One vector of elements of x, at `columns`.
template <class T, class I>
[[gnu::always_inline]] inline typename quad<T>::vector picked(const T* x, const I* columns) {
  if constexpr (quad<T>::size == 2)
    return typename quad<T>::vector{x[columns[0]], x[columns[1]]};
  else
    return typename quad<T>::vector{x[columns[0]], x[columns[1]], x[columns[2]], x[columns[3]]};
}

/// Whether A is prefetched. Not worth the instructions where it is in cache.
enum class streams { left, prefetched };

/// One row with vectors of 16 bytes; elements of x are loaded one by one, which takes no longer
/// than a gather, and two sums hide the latency of the addition.
template <class Add, streams A, class T, class I>
[[gnu::always_inline]] inline T vector_row(const T* values, const I* columns, index_t length,
                                           const T* x) {
  using vector = typename quad<T>::vector;
  constexpr index_t size = quad<T>::size;
  vector first{}, second{}, value;
  index_t k = 0;
  T rest = 0;
  if (size == 2 && length < 8) {  // pairs do not pay for adding their halves
    for (; k < length; ++k) rest = Add::of(rest, values[k], x[columns[k]]);
    return rest;
  }
  for (; k + 2 * size <= length; k += 2 * size) {
    if constexpr (A == streams::prefetched) fetch(values + k, columns + k);
    std::memcpy(&value, values + k, sizeof value);
    first += value * picked(x, columns + k);
    std::memcpy(&value, values + k + size, sizeof value);
    second += value * picked(x, columns + k + size);
  }
  if (k + size <= length) {
    std::memcpy(&value, values + k, sizeof value);
    first += value * picked(x, columns + k);
    k += size;
  }
  for (; k < length; ++k) rest = Add::of(rest, values[k], x[columns[k]]);
  first += second;
  for (index_t lane = 0; lane < size; ++lane) rest += first[lane];
  return rest;
}

/// After a misprediction every instruction up to the next row's loads costs time: y = A x, the most
/// frequent call, stores its sums directly.
template <class T, class F>
[[gnu::always_inline]] inline void with_store(const vector_call<T>& v, F&& rows) {
  T* const y = v.y;
  if (v.alpha == T{1} && v.beta == T{0})
    rows([y](index_t i, T sum) { y[i] = sum; });
  else
    rows([&v](index_t i, T sum) { v.store(i, sum); });
}

template <class Add, streams A, class T, class I, class O>
[[gnu::always_inline]] inline void vector_rows(const csr_ref<const T, I, O>& a,
                                               const vector_call<T>& v, range rows) {
  with_store(
      v, [&](auto store) __attribute__((always_inline)) {
        index_t begin = a.offsets[rows.begin];
        for (index_t i = rows.begin; i < rows.end; ++i) {
          const index_t end = a.offsets[i + 1];
          const T* const values = a.values + begin;
          const I* const columns = a.columns + begin;
          if constexpr (A == streams::prefetched) fetch(values, columns);
          store(i, vector_row<Add, A>(values, columns, end - begin, v.x));
          begin = end;
        }
      });
}

/// Sums rows from i on that have Length nonzeros, as the first one has. Returns the first that has
/// not.
template <index_t Length, class Add, class T, class I, class O, class Store>
[[gnu::always_inline]] inline index_t rows_of_length(const csr_ref<const T, I, O>& a, const T* x,
                                                     range rows, Store&& store) {
  index_t i = rows.begin, begin = a.offsets[i];
  do {
    T sum = 0;
    for (index_t k = 0; k < Length; ++k)
      sum = Add::of(sum, a.values[begin + k], x[a.columns[begin + k]]);
    store(i++, sum);
    begin += Length;
  } while (i < rows.end && a.offsets[i + 1] - begin == Length);
  return i;
}

template <class Add, class T, class I, class O>
[[gnu::always_inline]] inline void regular_rows(const csr_ref<const T, I, O>& a,
                                                const vector_call<T>& v, range rows) {
  with_store(
      v, [&](auto store) __attribute__((always_inline)) {
        for (index_t i = rows.begin; i < rows.end;) {
          const index_t begin = a.offsets[i], length = a.offsets[i + 1] - begin;
          const range left{i, rows.end};
          switch (length) {
            case 1: i = rows_of_length<1, Add>(a, v.x, left, store); break;
            case 2: i = rows_of_length<2, Add>(a, v.x, left, store); break;
            case 3: i = rows_of_length<3, Add>(a, v.x, left, store); break;
            case 4: i = rows_of_length<4, Add>(a, v.x, left, store); break;
            case 5: i = rows_of_length<5, Add>(a, v.x, left, store); break;
            case 6: i = rows_of_length<6, Add>(a, v.x, left, store); break;
            case 7: i = rows_of_length<7, Add>(a, v.x, left, store); break;
            default:
              store(i++, vector_row<Add, streams::left>(a.values + begin, a.columns + begin, length,
                                                        v.x));
          }
        }
      });
}

template <class Add, class T, class I, class O, class Store>
[[gnu::always_inline]] inline void plain_loop(const csr_ref<const T, I, O>& a, const T* x,
                                              range rows, Store&& store) {
  for (index_t i = rows.begin; i < rows.end; ++i) {
    T sum = 0;
    const index_t end = a.offsets[i + 1];
    for (index_t p = a.offsets[i]; p < end; ++p) sum = Add::of(sum, a.values[p], x[a.columns[p]]);
    store(i, sum);
  }
}

template <class Add, class T, class I, class O>
[[gnu::always_inline]] inline void scalar_rows(const csr_ref<const T, I, O>& a,
                                               const vector_call<T>& v, range rows) {
  with_store(
      v, [&](auto store) __attribute__((always_inline)) { plain_loop<Add>(a, v.x, rows, store); });
}

/// Prefetch distance for x, in nonzeros.
inline constexpr index_t x_ahead = 64;

template <class Add, class T, class I, class O>
[[gnu::always_inline]] inline void scalar_prefetch_x_rows(const csr_ref<const T, I, O>& a,
                                                          const vector_call<T>& v, range rows) {
  const index_t last = a.nnz() - x_ahead;
  with_store(
      v, [&](auto store) __attribute__((always_inline)) {
        index_t i = rows.begin;
        for (; i < rows.end && a.offsets[i + 1] <= last; ++i) {
          T sum = 0;
          const index_t end = a.offsets[i + 1];
          for (index_t p = a.offsets[i]; p < end; ++p) {
            __builtin_prefetch(v.x + a.columns[p + x_ahead]);
            sum = Add::of(sum, a.values[p], v.x[a.columns[p]]);
          }
          store(i, sum);
        }
        plain_loop<Add>(a, v.x, {i, rows.end}, store);
      });
}

}  // namespace gossamer::detail
