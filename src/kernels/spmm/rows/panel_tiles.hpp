// The tiles of panel_rows.hpp, one template for every vector width. Lanes supplies the vector, its
// loads and stores, and a mask for the last columns. Everything here is inlined into a function
// with the target that Lanes needs.
#pragma once

#include <algorithm>

#include "kernels/spmm/rows/panel_rows.hpp"

namespace gossamer::detail {

/// Nonzeros that are summed apart and added up at the end of a row, so that narrow tiles do not
/// wait for one chain of additions.
template <int Vectors>
inline constexpr int chains = Vectors <= 2   ? 4
                              : Vectors <= 4 ? 2
                                             : 1;

/// Vectors of C that a tile keeps at most.
inline constexpr int widest_tile = 8;

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

  [[gnu::always_inline]] inline void prefetch(const T* b) const {
    for (int v = 0; v < Vectors; ++v) __builtin_prefetch(b + v * Lanes::size);
  }

  [[gnu::always_inline]] inline void store(sums* from, const row_panel<T>& d, T* c) const {
    for (int v = 0; v < Vectors; ++v) {
      if (partial(v))
        Lanes::store(from[v], d.alpha, d.beta, c + v * Lanes::size, tail);
      else if (d.stream)
        Lanes::stream(from[v], d.alpha, c + v * Lanes::size);
      else
        Lanes::store(from[v], d.alpha, d.beta, c + v * Lanes::size);
    }
  }

  /// The columns `first_column` and on of every row of the block.
  template <class I>
  [[gnu::always_inline]] inline void multiply(const row_block<T, I>& a, const row_panel<T>& d,
                                              index_t first_column) const {
    constexpr int count = chains<Vectors>;
    const auto row_of_b = [&](index_t p) {
      return d.b + (index_t{a.columns[p]} * d.b_stride + first_column);
    };
    for (index_t r = 0; r < a.rows; ++r) {
      sums sum[count][Vectors];
      for (auto& chain : sum)
        for (auto& s : chain) Lanes::clear(s);
      index_t p = a.offsets[r];
      const index_t end = a.offsets[r + 1];
      if (d.prefetch > 0) {
        for (; p + count <= end; p += count) {
          for (int u = 0; u < count; ++u)
            prefetch(row_of_b(std::min(p + u + d.prefetch, a.last_nonzero)));
          for (int u = 0; u < count; ++u) add(sum[u], a.values[p + u], row_of_b(p + u));
        }
      } else {
        for (; p + count <= end; p += count)
          for (int u = 0; u < count; ++u) add(sum[u], a.values[p + u], row_of_b(p + u));
      }
      for (; p < end; ++p) {
        if (d.prefetch > 0) prefetch(row_of_b(std::min(p + d.prefetch, a.last_nonzero)));
        add(sum[0], a.values[p], row_of_b(p));
      }
      for (int half = count / 2; half > 0; half /= 2)
        for (int u = 0; u < half; ++u)
          for (int v = 0; v < Vectors; ++v) Lanes::join(sum[u][v], sum[u + half][v]);
      store(sum[0], d, d.c + (a.first + r - d.first_row) * d.c_stride + first_column);
    }
  }
};

/// All columns of a block of rows: tiles of eight vectors, then of four and fewer.
template <class Lanes, class I>
[[gnu::always_inline]] inline void multiply_panel(const row_block<typename Lanes::value, I>& a,
                                                  const row_panel<typename Lanes::value>& d) {
  constexpr index_t size = Lanes::size;
  index_t k = 0;
  for (; k + widest_tile * size <= d.columns; k += widest_tile * size)
    tile<Lanes, widest_tile, false>{}.multiply(a, d, k);
  for (; k + 4 * size <= d.columns; k += 4 * size) tile<Lanes, 4, false>{}.multiply(a, d, k);
  const index_t rest = d.columns - k, whole = rest / size;
  typename Lanes::mask tail;
  Lanes::first(rest % size, tail);
  if (rest % size != 0) {
    switch (whole) {
      case 0: return tile<Lanes, 1, true>{tail}.multiply(a, d, k);
      case 1: return tile<Lanes, 2, true>{tail}.multiply(a, d, k);
      case 2: return tile<Lanes, 3, true>{tail}.multiply(a, d, k);
      default: return tile<Lanes, 4, true>{tail}.multiply(a, d, k);
    }
  }
  switch (whole) {
    case 0: return;
    case 1: return tile<Lanes, 1, false>{}.multiply(a, d, k);
    case 2: return tile<Lanes, 2, false>{}.multiply(a, d, k);
    default: return tile<Lanes, 3, false>{}.multiply(a, d, k);
  }
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
  static void add(vector& to, T value, const T* b, const mask& live = size) {
    for (index_t k = 0; k < live; ++k) to.lane[k] += value * b[k];
  }
  static void join(vector& to, const vector& other) {
    for (index_t k = 0; k < size; ++k) to.lane[k] += other.lane[k];
  }
  static void store(const vector& from, T alpha, T beta, T* c, const mask& live = size) {
    for (index_t k = 0; k < live; ++k)
      c[k] = beta == T{0} ? alpha * from.lane[k] : alpha * from.lane[k] + beta * c[k];
  }
  static void stream(const vector& from, T alpha, T* c) { store(from, alpha, T{0}, c); }
};

template <class T, class I>
void multiply_panel_plain(const row_block<T, I>& a, const row_panel<T>& d) {
  multiply_panel<plain_panel_lanes<T>>(a, d);
}

}  // namespace gossamer::detail
