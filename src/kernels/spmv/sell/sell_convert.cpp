// Converts CSR to the SELL layout of a plan, in two passes: the size of every group, then its
// contents.
#include <cstring>

#include "base/lost_bits.hpp"
#include "base/parallel_all.hpp"
#include "kernels/spmv/sell/sell_layout.hpp"

namespace gossamer {

namespace {

constexpr index_t share = 2048;  ///< slots per share: 128 KB of values; not measured

/// Whether every value is exactly a float; checked in blocks, so that the first value that is not
/// ends the search.
bool all_are_floats(const double* values, index_t count, int threads) {
  constexpr index_t block = 4096;  // values between two tests; not measured
  return parallel_all(threads, count, 1 << 16, [&](index_t begin, index_t end) {
    std::uint64_t lost = 0;
    for (index_t at = begin; at < end && lost == 0; at += block)
      for (index_t p = at; p < std::min(end, at + block); ++p) lost |= lost_bits(values[p]);
    return lost == 0;
  });
}
bool all_are_floats(const float*, index_t, int) { return false; }  // nothing to gain

template <class T, class I, class O>
struct conversion {
  static constexpr index_t lanes = sell_lanes<T>;
  const csr_ref<const T, I, O>& a;
  sell_order<T> order;
  sell_layout<T> layout;
  bool narrow = false;                   ///< values are stored as floats
  std::vector<std::uint8_t> plain = {};  ///< for each group: its slots are in the order of rows

  void sketch(index_t g, sell_sketch& out) const {
    const auto at = static_cast<std::size_t>(g);
    if (order.alone[at])
      sketch_alone(a, order.groups[at][0], out);
    else
      sketch_group(a, order.groups[at], out);
    out.free = 0;
    out.least = a.cols, out.most = 0;
    for (const auto& lane : out.left) {
      out.free = std::max(out.free, static_cast<index_t>(lane.size()));
      for (const index_t p : lane) {
        out.least = std::min<index_t>(out.least, a.columns[p]);
        out.most = std::max<index_t>(out.most, a.columns[p]);
      }
    }
  }

  /// Rows without diagonals: every slot is free, and the k-th one has the k-th nonzeros.
  bool is_plain(index_t g) const {
    const auto at = static_cast<std::size_t>(g);
    return order.alone[at] == 0 && !has_diagonals(a, order.groups[at]);
  }

  void measure_plain(index_t g) {
    index_t free = 0, least = a.cols, most = 0;
    for (const index_t row : order.groups[static_cast<std::size_t>(g)]) {
      if (row < 0) break;
      const index_t begin = a.offsets[row], end = a.offsets[row + 1];
      free = std::max(free, end - begin);
      for (index_t p = begin; p < end; ++p) {
        least = std::min<index_t>(least, a.columns[p]);
        most = std::max<index_t>(most, a.columns[p]);
      }
    }
    auto& group = layout.groups[static_cast<std::size_t>(g)];
    group.free = static_cast<std::int32_t>(free);
    group.base = free > 0 ? static_cast<std::int32_t>(least) : 0;
    group.wide = free > 0 && most - least > UINT16_MAX;
  }

  void measure(range groups) {
    sell_sketch seen;
    for (index_t g = groups.begin; g < groups.end; ++g) {
      if (is_plain(g)) {
        plain[static_cast<std::size_t>(g)] = 1;
        measure_plain(g);
        continue;
      }
      sketch(g, seen);
      auto& group = layout.groups[static_cast<std::size_t>(g)];
      group.straight = static_cast<std::int32_t>(seen.straight.size());
      group.free = static_cast<std::int32_t>(seen.free);
      group.base = seen.free > 0 ? static_cast<std::int32_t>(seen.least) : 0;
      group.wide = seen.free > 0 && seen.most - seen.least > UINT16_MAX;
      if (order.alone[static_cast<std::size_t>(g)])
        group.row = static_cast<std::int32_t>(order.groups[static_cast<std::size_t>(g)][0]);
    }
  }

  /// Computes where every group begins, and the shares.
  void place() {
    index_t slots = 0, straight = 0, near = 0;
    for (index_t g = 0; g < std::ssize(layout.groups); ++g) {
      auto& group = layout.groups[static_cast<std::size_t>(g)];
      group.slot_at = slots, group.straight_at = straight, group.near_at = near;
      if (slots >= share * std::ssize(layout.cuts)) layout.cuts.push_back(g);
      slots += group.straight + group.free;
      straight += group.straight;
      near += group.free * lanes * (group.wide ? 2 : 1);
    }
    layout.cuts.push_back(std::ssize(layout.groups) - 1);
    if (narrow)
      layout.floats = buffer<float>(slots * lanes);
    else
      layout.values = buffer<T>(slots * lanes);
    layout.masks = buffer<std::uint16_t>(slots);
    layout.straight = buffer<std::int32_t>(straight);
    layout.near = buffer<std::uint16_t>(near);
  }

  void put(index_t at, T value) {
    if (narrow)
      layout.floats[at] = static_cast<float>(value);
    else
      layout.values[at] = value;
  }

  void write_straight(const sell_group& group, const sell_sketch& from) {
    for (index_t k = 0; k < group.straight; ++k) {
      const auto at = static_cast<std::size_t>(k);
      layout.straight[group.straight_at + k] = from.straight[at];
      layout.masks[group.slot_at + k] = from.masks[at];
      for (index_t l = 0; l < lanes; ++l) {
        const index_t p = from.taken[static_cast<std::size_t>(k * lanes + l)];
        put((group.slot_at + k) * lanes + l, p < 0 ? T{0} : a.values[p]);
      }
    }
  }

  void write_free(const sell_group& group, const sell_sketch& from) {
    for (index_t k = 0; k < group.free; ++k) {
      const index_t slot = group.slot_at + group.straight + k;
      unsigned mask = 0;
      for (index_t l = 0; l < lanes; ++l) {
        const auto& lane = from.left[static_cast<std::size_t>(l)];
        const bool live = k < std::ssize(lane);
        const index_t p = live ? lane[static_cast<std::size_t>(k)] : -1;
        const index_t distance = live ? a.columns[p] - group.base : 0;
        mask |= live ? 1u << l : 0u;
        put(slot * lanes + l, live ? a.values[p] : T{0});
        if (group.wide) {
          const auto wide = static_cast<std::int32_t>(distance);
          std::memcpy(&layout.near[group.near_at + 2 * (k * lanes + l)], &wide, sizeof wide);
        } else {
          layout.near[group.near_at + k * lanes + l] = static_cast<std::uint16_t>(distance);
        }
      }
      layout.masks[slot] = static_cast<std::uint16_t>(mask);
    }
  }

  template <class V, class D>
  void write_plain(const sell_group& group, const sell_rows<T>& rows, V* values, D* distances) {
    index_t begin[lanes] = {}, length[lanes] = {};
    for (index_t l = 0; l < lanes && rows[l] >= 0; ++l) {
      begin[l] = a.offsets[rows[l]];
      length[l] = a.offsets[rows[l] + 1] - begin[l];
    }
    for (index_t k = 0; k < group.free; ++k, values += lanes, distances += lanes) {
      unsigned mask = 0;
      for (index_t l = 0; l < lanes; ++l) {
        const bool live = k < length[l];
        const index_t p = live ? begin[l] + k : 0;
        mask |= live ? 1u << l : 0u;
        values[l] = live ? static_cast<V>(a.values[p]) : V{0};
        distances[l] = live ? static_cast<D>(a.columns[p] - group.base) : D{0};
      }
      layout.masks[group.slot_at + k] = static_cast<std::uint16_t>(mask);
    }
  }
  template <class V>
  void write_plain(const sell_group& group, const sell_rows<T>& rows, V* values) {
    auto* const near = layout.near.data() + group.near_at;
    values += group.slot_at * lanes;
    if (group.wide)  // two places each; their numbers are even
      write_plain(group, rows, values, reinterpret_cast<std::int32_t*>(near));
    else
      write_plain(group, rows, values, near);
  }

  void write(range groups) {
    sell_sketch seen;
    for (index_t g = groups.begin; g < groups.end; ++g) {
      if (const auto at = static_cast<std::size_t>(g); plain[at] != 0) {
        if (narrow)
          write_plain(layout.groups[at], order.groups[at], layout.floats.data());
        else
          write_plain(layout.groups[at], order.groups[at], layout.values.data());
        continue;
      }
      sketch(g, seen);
      const auto& group = layout.groups[static_cast<std::size_t>(g)];
      write_straight(group, seen);
      write_free(group, seen);
    }
  }

  void keep_order() {
    if (!order.moved) return;
    layout.row_order.reserve(order.groups.size() * lanes);
    for (const auto& group : order.groups)
      for (const index_t row : group) layout.row_order.push_back(static_cast<std::int32_t>(row));
  }
};

}  // namespace

template <class T, class I, class O>
sell_layout<T> sliced(const csr_ref<const T, I, O>& a, int threads) {
  conversion<T, I, O> work{.a = a,
                           .order = order_rows<T>(a.offsets, a.rows, threads),
                           .layout = {},
                           .narrow = all_are_floats(a.values, a.offsets[a.rows], threads)};
  const index_t groups = std::ssize(work.order.groups);
  work.layout.rows = a.rows;
  work.layout.groups.resize(static_cast<std::size_t>(groups) + 1);
  work.plain.resize(static_cast<std::size_t>(groups));
  parallel_ranges(threads, groups, 256, [&](index_t begin, index_t end) {
    work.measure({begin, end});
  });
  work.place();
  const auto& cuts = work.layout.cuts;
  parallel_ranges(threads, std::ssize(cuts) - 1, 1, [&](index_t begin, index_t end) {
    work.write({cuts[static_cast<std::size_t>(begin)], cuts[static_cast<std::size_t>(end)]});
  });
  work.keep_order();
  return std::move(work.layout);
}

template sell_layout<float> sliced(const csr_ref<const float, std::int32_t, std::int32_t>&, int);
template sell_layout<float> sliced(const csr_ref<const float, std::int32_t, std::int64_t>&, int);
template sell_layout<float> sliced(const csr_ref<const float, std::int64_t, std::int64_t>&, int);
template sell_layout<double> sliced(const csr_ref<const double, std::int32_t, std::int32_t>&, int);
template sell_layout<double> sliced(const csr_ref<const double, std::int32_t, std::int64_t>&, int);
template sell_layout<double> sliced(const csr_ref<const double, std::int64_t, std::int64_t>&, int);

}  // namespace gossamer
