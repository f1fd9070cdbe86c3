// The tiles of panel_rows.hpp, one template for every vector width. Lanes supplies the vector, its
// loads and stores, and a mask for the last columns. Everything here is inlined into a function
// with the target that Lanes needs.
#pragma once

#include <algorithm>

#include "kernels/spmm/rows/neighbour_rows.hpp"
#include "kernels/spmm/rows/panel_rows.hpp"

namespace gossamer::detail {

/// Nonzeros that are summed apart and added up at the end of a row, so that narrow tiles do not
/// wait for one chain of additions. Four chains lost wherever rows are short
/// (docs/kernels/spmm-cpu.md).
template <int Vectors>
inline constexpr int chains = Vectors <= 4 ? 2 : 1;

/// Vectors of C that a tile keeps at most.
inline constexpr int widest_tile = 8;

/// The vectors of one row of C.
template <class Lanes, int Vectors, bool Masked>
struct tile {
  using T = typename Lanes::value;
  using sums = typename Lanes::vector;
  typename Lanes::mask tail;  ///< columns of the last vector that are there

  static constexpr bool partial(int v) { return Masked && v == Vectors - 1; }

  [[gnu::always_inline]] inline void add(sums* to, T value, const T* b) const {
    for (int v = 0; v < Vectors; ++v)
      if (partial(v))
        Lanes::add(to[v], value, b + v * Lanes::size, tail);
      else
        Lanes::add(to[v], value, b + v * Lanes::size);
  }

  /// Into the L2, which has more misses under way at a time than the L1.
  [[gnu::always_inline]] inline void prefetch(const T* b) const {
    constexpr index_t line = 64 / index_t{sizeof(T)};
    for (index_t k = 0; k < Vectors * Lanes::size; k += line) __builtin_prefetch(b + k, 0, 2);
  }

  [[gnu::always_inline]] inline void store(const sums* from, const row_panel<T>& d, T* c) const {
    for (int v = 0; d.stream && v < Vectors; ++v)
      if (partial(v))
        Lanes::store(from[v], d.alpha, c + v * Lanes::size, tail);
      else
        Lanes::stream(from[v], d.alpha, c + v * Lanes::size);
    for (int v = 0; !d.stream && d.beta == T{0} && v < Vectors; ++v)
      if (partial(v))
        Lanes::store(from[v], d.alpha, c + v * Lanes::size, tail);
      else
        Lanes::store(from[v], d.alpha, c + v * Lanes::size);
    for (int v = 0; d.beta != T{0} && v < Vectors; ++v)
      if (partial(v))
        Lanes::update(from[v], d.alpha, d.beta, c + v * Lanes::size, tail);
      else
        Lanes::update(from[v], d.alpha, d.beta, c + v * Lanes::size);
  }

  /// The columns `first_column` and on of some rows of the block.
  template <class I>
  [[gnu::always_inline]] inline void multiply(const row_block<T, I>& a, range rows,
                                              const row_panel<T>& d, index_t first_column) const {
    // The narrowest tiles have a loop without prefetches; for others a predicted branch is nothing.
    if (Vectors <= 2 && !Masked && d.prefetch == 0)
      multiply_rows<false>(a, rows, d, first_column);
    else
      multiply_rows<true>(a, rows, d, first_column);
  }

 private:
  template <bool MayPrefetch, class I>
  [[gnu::always_inline]] inline void multiply_rows(const row_block<T, I>& a, range rows,
                                                   const row_panel<T>& d,
                                                   index_t first_column) const {
    constexpr int count = chains<Vectors>;
    const T* const b = d.b + first_column;
    const auto row_of_b = [&](index_t p) { return b + index_t{a.columns[p]} * d.b_stride; };
    T* c = d.c + (a.first + rows.begin - d.first_row) * d.c_stride + first_column;
    for (index_t r = rows.begin; r < rows.end; ++r, c += d.c_stride) {
      sums sum[count][Vectors];
      for (auto& chain : sum)
        for (auto& s : chain) Lanes::clear(s);
      index_t p = a.offsets[r];
      const index_t end = a.offsets[r + 1];
      for (; p + count <= end; p += count) {
        if (MayPrefetch && d.prefetch > 0)
          for (int u = 0; u < count; ++u)
            prefetch(row_of_b(std::min(p + u + d.prefetch, a.last_nonzero)));
        for (int u = 0; u < count; ++u) add(sum[u], a.values[p + u], row_of_b(p + u));
      }
      for (; p < end; ++p) {
        if (MayPrefetch && d.prefetch > 0)
          prefetch(row_of_b(std::min(p + d.prefetch, a.last_nonzero)));
        add(sum[0], a.values[p], row_of_b(p));
      }
      for (int u = 1; u < count; ++u)
        for (int v = 0; v < Vectors; ++v) Lanes::join(sum[0][v], sum[u][v]);
      store(sum[0], d, c);
    }
  }
};

/// The vectors of several rows of C that have the same columns in A: a row of B is loaded once for
/// all of them. Masked tiles may have a mask of all lanes.
template <class Lanes, int Rows, int Vectors, bool Masked>
struct shared_tile {
  using one = tile<Lanes, Vectors, Masked>;
  using T = typename Lanes::value;
  using sums = typename Lanes::vector;
  one row;

  /// The columns `first_column` and on of row `first` and those behind it.
  template <class I>
  [[gnu::always_inline]] inline void multiply(const row_block<T, I>& a, index_t first,
                                              const row_panel<T>& d, index_t first_column) const {
    constexpr int count = chains<Rows * Vectors>;
    sums sum[count][Rows][Vectors];
    for (auto& chain : sum)
      for (auto& one_row : chain)
        for (auto& s : one_row) Lanes::clear(s);
    const index_t begin = a.offsets[first], length = a.offsets[first + 1] - begin;
    index_t p = 0;
    for (; p + count <= length; p += count)
      for (int u = 0; u < count; ++u)
        add(sum[u], a, {begin + p + u, length}, d.b + first_column, d);
    for (; p < length; ++p) add(sum[0], a, {begin + p, length}, d.b + first_column, d);
    for (int u = 1; u < count; ++u)
      for (int g = 0; g < Rows; ++g)
        for (int v = 0; v < Vectors; ++v) Lanes::join(sum[0][g][v], sum[u][g][v]);
    T* const c = d.c + (a.first + first - d.first_row) * d.c_stride + first_column;
    for (int g = 0; g < Rows; ++g) row.store(sum[0][g], d, c + g * d.c_stride);
  }

 private:
  /// Nonzero `at` of the first row and those below it, which are `length` nonzeros apart.
  struct place {
    index_t at, length;
  };
  template <class I>
  [[gnu::always_inline]] inline void add(sums (*to)[Vectors], const row_block<T, I>& a, place from,
                                         const T* b, const row_panel<T>& d) const {
    b += index_t{a.columns[from.at]} * d.b_stride;
    for (int v = 0; v < Vectors; ++v) {
      sums loaded;
      if (one::partial(v))
        Lanes::load(loaded, b + v * Lanes::size, row.tail);
      else
        Lanes::load(loaded, b + v * Lanes::size);
      for (int g = 0; g < Rows; ++g)
        Lanes::add(to[g][v], a.values[from.at + g * from.length], loaded);
    }
  }
};

/// All columns of row `first` and those behind it, Rows in all with the same columns in A.
template <class Lanes, int Rows, class I>
[[gnu::always_inline]] inline void multiply_alike(const row_block<typename Lanes::value, I>& a,
                                                  index_t first,
                                                  const row_panel<typename Lanes::value>& d) {
  constexpr index_t size = Lanes::size;
  index_t k = 0;
  for (; k + 4 * size <= d.columns; k += 4 * size)
    shared_tile<Lanes, Rows, 4, false>{}.multiply(a, first, d, k);
  for (; k + 2 * size <= d.columns; k += 2 * size)
    shared_tile<Lanes, Rows, 2, false>{}.multiply(a, first, d, k);
  for (; k < d.columns; k += size) {
    typename Lanes::mask tail;
    Lanes::first(std::min(size, d.columns - k), tail);
    shared_tile<Lanes, Rows, 1, true>{{tail}}.multiply(a, first, d, k);
  }
}

/// All columns of some rows of a block: tiles of eight vectors, then of four and fewer.
template <class Lanes, class I>
[[gnu::always_inline]] inline void multiply_tiles(const row_block<typename Lanes::value, I>& a,
                                                  range rows,
                                                  const row_panel<typename Lanes::value>& d) {
  constexpr index_t size = Lanes::size;
  index_t k = 0;
  for (; k + widest_tile * size <= d.columns; k += widest_tile * size)
    tile<Lanes, widest_tile, false>{}.multiply(a, rows, d, k);
  if (k + 4 * size <= d.columns) {
    tile<Lanes, 4, false>{}.multiply(a, rows, d, k);
    k += 4 * size;
  }
  const index_t rest = d.columns - k, whole = rest / size;
  typename Lanes::mask tail;
  Lanes::first(rest % size, tail);
  if (rest % size != 0) {
    switch (whole) {
      case 0: return tile<Lanes, 1, true>{tail}.multiply(a, rows, d, k);
      case 1: return tile<Lanes, 2, true>{tail}.multiply(a, rows, d, k);
      case 2: return tile<Lanes, 3, true>{tail}.multiply(a, rows, d, k);
      default: return tile<Lanes, 4, true>{tail}.multiply(a, rows, d, k);
    }
  }
  switch (whole) {
    case 0: return;
    case 1: return tile<Lanes, 1, false>{}.multiply(a, rows, d, k);
    case 2: return tile<Lanes, 2, false>{}.multiply(a, rows, d, k);
    default: return tile<Lanes, 3, false>{}.multiply(a, rows, d, k);
  }
}

/// Rows to compute together, from row `r` of a block on: up to three with the same columns, two of
/// four.
template <class T, class I>
[[gnu::always_inline]] inline index_t rows_alike(const row_block<T, I>& a, index_t r) {
  const range one{a.offsets[r], a.offsets[r + 1]};
  index_t count = 1;
  while (count < 4 && r + count < a.rows &&
         same_columns(a.columns, one, {a.offsets[r + count], a.offsets[r + count + 1]}))
    ++count;
  return count == 4 ? 2 : count;
}

/// All columns of a block of rows. Rows of several tiles are finished one by one: a row of B is
/// then read from one end to the other, which the hardware prefetches. The arguments are copies, so
/// that the compiler knows that stores to C do not change them.
template <class Lanes, class I>
[[gnu::always_inline]] inline void multiply_panel(row_block<typename Lanes::value, I> a,
                                                  row_panel<typename Lanes::value> d) {
  if (!d.repeats) {
    const bool one_tile = d.columns <= 4 * Lanes::size || d.columns == widest_tile * Lanes::size;
    const index_t step = one_tile ? a.rows : 1;
    for (index_t r = 0; r < a.rows; r += step) multiply_tiles<Lanes>(a, {r, r + step}, d);
    return;
  }
  for (index_t r = 0, count; r < a.rows; r += count) {
    count = rows_alike(a, r);
    if (count == 1)
      multiply_tiles<Lanes>(a, {r, r + 1}, d);
    else if (count == 2)
      multiply_alike<Lanes, 2>(a, r, d);
    else
      multiply_alike<Lanes, 3>(a, r, d);
  }
}

/// All columns of a block of rows, of which there are no more than a vector has lanes.
template <class Lanes, class I>
[[gnu::always_inline]] inline void multiply_narrow(row_block<typename Lanes::value, I> a,
                                                   row_panel<typename Lanes::value> d) {
  typename Lanes::mask tail;
  Lanes::first(d.columns, tail);
  if (d.columns == Lanes::size)
    tile<Lanes, 1, false>{}.multiply(a, {0, a.rows}, d, 0);
  else
    tile<Lanes, 1, true>{tail}.multiply(a, {0, a.rows}, d, 0);
}

/// Lanes without vector instructions of their own: the compiler uses those of every processor.
template <class T>
struct plain_panel_lanes {
  using value = T;
  static constexpr index_t size = 16 / sizeof(T);
  struct vector {
    T lane[size];
  };
  using mask = index_t;  // lanes that are there
  static void first(index_t n, mask& to) { to = n; }
  static void clear(vector& to) { to = {}; }
  static void load(vector& to, const T* b, const mask& live = size) {
    for (index_t k = 0; k < size; ++k) to.lane[k] = k < live ? b[k] : T{0};
  }
  static void add(vector& to, T value, const T* b, const mask& live = size) {
    for (index_t k = 0; k < live; ++k) to.lane[k] += value * b[k];
  }
  static void add(vector& to, T value, const vector& b) {
    for (index_t k = 0; k < size; ++k) to.lane[k] += value * b.lane[k];
  }
  static void join(vector& to, const vector& other) {
    for (index_t k = 0; k < size; ++k) to.lane[k] += other.lane[k];
  }
  static void store(const vector& from, T alpha, T* c, const mask& live = size) {
    for (index_t k = 0; k < live; ++k) c[k] = alpha * from.lane[k];
  }
  static void update(const vector& from, T alpha, T beta, T* c, const mask& live = size) {
    for (index_t k = 0; k < live; ++k) c[k] = alpha * from.lane[k] + beta * c[k];
  }
  static void stream(const vector& from, T alpha, T* c) { store(from, alpha, c); }
};

template <class T, class I>
void multiply_panel_plain(const row_block<T, I>& a, const row_panel<T>& d) {
  multiply_panel<plain_panel_lanes<T>>(a, d);
}

}  // namespace gossamer::detail
