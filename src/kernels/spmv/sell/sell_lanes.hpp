// The product with a SELL layout, a template over the vector width: Lanes multiplies and adds a
// slot of 64 bytes, or of floats (V) that represent doubles (T). Always inlined into a function
// with the target it needs.
#pragma once

#include <cstring>

#include "kernels/spmv/sell/sell_layout.hpp"

namespace gossamer::detail {

/// Lanes one by one, for processors without masks.
template <class T>
struct plain_lanes {
  static constexpr int size = sell_lanes<T>;
  struct sums {
    T lane[size];
  };
  static void clear(sums& s) { s = {}; }
  template <class V>
  [[gnu::always_inline]] static void add_straight(sums& s, const V* values, const T* x,
                                                  unsigned mask) {
    if (mask == (1u << size) - 1) {
      for (int l = 0; l < size; ++l) s.lane[l] += T{values[l]} * x[l];
      return;
    }
    for (int l = 0; l < size; ++l)
      if ((mask >> l & 1u) != 0) s.lane[l] += T{values[l]} * x[l];
  }
  template <class V, class D>
  [[gnu::always_inline]] static void add_free(sums& s, const V* values, const T* x,
                                              const D* distances, unsigned mask) {
    for (int l = 0; l < size; ++l)
      if ((mask >> l & 1u) != 0) s.lane[l] += T{values[l]} * x[distances[l]];
  }
  static void store(const sums& s, T* to) { std::memcpy(to, s.lane, sizeof s.lane); }
};

/// Prefetch distance for values, in bytes; found by trial, without a record.
inline constexpr index_t sell_ahead = 4096;

/// Computes one group; `values` are all values of the layout.
template <class Lanes, class T, class V>
[[gnu::always_inline]] inline void group_sums(const sell_layout<T>& a, const V* values,
                                              const sell_group& g, const T* x, T* to) {
  constexpr index_t lanes = sell_lanes<T>;
  typename Lanes::sums sums;
  Lanes::clear(sums);
  values += g.slot_at * lanes;
  const std::uint16_t* masks = a.masks.data() + g.slot_at;
  const std::int32_t* straight = a.straight.data() + g.straight_at;
  for (index_t k = 0; k < g.straight; ++k, values += lanes) {
    __builtin_prefetch(reinterpret_cast<const char*>(values) + sell_ahead);
    Lanes::add_straight(sums, values, x + straight[k], masks[k]);
  }
  masks += g.straight;
  const T* from = x + g.base;
  const std::uint16_t* near = a.near.data() + g.near_at;
  if (g.wide) {
    for (index_t k = 0; k < g.free; ++k, values += lanes)
      Lanes::add_free(sums, values, from, reinterpret_cast<const std::int32_t*>(near) + k * lanes,
                      masks[k]);
  } else {
    for (index_t k = 0; k < g.free; ++k, values += lanes) {
      __builtin_prefetch(reinterpret_cast<const char*>(values) + sell_ahead);
      Lanes::add_free(sums, values, from, near + k * lanes, masks[k]);
    }
  }
  Lanes::store(sums, to);
}

/// A group of consecutive rows, all present: loops of constant length become vectors.
template <class T>
[[gnu::always_inline]] inline void store_rows(const sell_call<T>& call, const T* sums, T* y) {
  if (call.beta == T{0})
    for (int l = 0; l < sell_lanes<T>; ++l) y[l] = call.alpha * sums[l];
  else
    for (int l = 0; l < sell_lanes<T>; ++l) y[l] = call.alpha * sums[l] + call.beta * y[l];
}

template <class Lanes, class T, class V>
[[gnu::always_inline]] inline void multiply_stored(const sell_call<T>& call, const V* values,
                                                   range groups) {
  constexpr index_t lanes = sell_lanes<T>;
  const auto& a = *call.a;
  alignas(64) T sums[lanes];
  const auto put = [&](index_t row, T sum) {
    T& y = call.y[row];
    y = call.beta == T{0} ? call.alpha * sum : call.alpha * sum + call.beta * y;
  };
  for (index_t g = groups.begin; g < groups.end; ++g) {
    const auto& group = a.groups[static_cast<std::size_t>(g)];
    group_sums<Lanes>(a, values, group, call.x, sums);
    if (group.row >= 0) {
      T total = 0;
      for (index_t l = 0; l < lanes; ++l) total += sums[l];
      put(group.row, total);
    } else if (a.row_order.empty() && (g + 1) * lanes <= a.rows) {
      store_rows(call, sums, call.y + g * lanes);
    } else if (a.row_order.empty()) {
      for (index_t i = g * lanes; i < a.rows; ++i) put(i, sums[i - g * lanes]);
    } else {
      const std::int32_t* rows = a.row_order.data() + g * lanes;
      for (index_t l = 0; l < lanes && rows[l] >= 0; ++l) put(rows[l], sums[l]);
    }
  }
}

template <class Lanes, class T>
[[gnu::always_inline]] inline void multiply_groups(const sell_call<T>& call, range groups) {
  if constexpr (!std::is_same_v<T, float>) {
    if (call.a->floats.size() > 0)
      return multiply_stored<Lanes>(call, call.a->floats.data(), groups);
  }
  multiply_stored<Lanes>(call, call.a->values.data(), groups);
}

}  // namespace gossamer::detail
