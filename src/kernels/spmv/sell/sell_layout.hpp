// SELL-C-sigma as a plan keeps it, C being the lanes of 64 bytes. Rows are stored in groups of C,
// one per lane, or, where one is long, alone along all lanes. A slot is one nonzero for each lane
// that has one, given by a mask. Where lanes use consecutive elements of x (meshes), a slot is
// straight and has one column for all lanes; otherwise it is free, and its columns are 16-bit
// distances from the group's least, or 32-bit where the group spans more. Where every double is
// exactly a float (stencils, counts), floats are stored and widened when they are multiplied:
// bitwise the same result.
#pragma once

#include <bit>
#include <vector>

#include "base/parallel.hpp"
#include "formats/typed.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer {

template <class T>
inline constexpr int sell_lanes = 64 / static_cast<int>(sizeof(T));

struct sell_group {
  index_t slot_at = 0;                  ///< first of its slots: straight ones, then free ones
  index_t straight_at = 0;              ///< first of its columns in `straight`
  index_t near_at = 0;                  ///< first of its distances in `near`; a wide one takes two
  std::int32_t straight = 0, free = 0;  ///< slots
  std::int32_t base = 0;                ///< least column of its free slots
  std::int32_t row = -1;                ///< the row, if stored alone; -1 for a group
  bool wide = false;                    ///< distances of 32 bits
};

template <class T>
struct sell_layout {
  index_t rows = 0;
  std::vector<sell_group> groups;       ///< and one past the end
  std::vector<index_t> cuts;            ///< groups where equal shares of slots begin
  buffer<T> values;                     ///< lanes for each slot; empty where `floats` is used
  buffer<float> floats;                 ///< doubles that are exactly floats, in half the bytes
  buffer<std::uint16_t> masks;          ///< for each slot
  buffer<std::int32_t> straight;        ///< column of lane 0, for each straight slot
  buffer<std::uint16_t> near;           ///< lanes for each free slot
  std::vector<std::int32_t> row_order;  ///< rows of the lanes of each group, -1 for none; empty:
                                        ///< matrix order

  index_t bytes() const {
    return values.size() * index_t{sizeof(T)} + floats.size() * 4 + masks.size() * 2 +
           straight.size() * 4 + near.size() * 2 +
           static_cast<index_t>(groups.size() * sizeof(sell_group)) +
           static_cast<index_t>(row_order.size()) * 4;
  }
};

/// Computes alpha A x + beta y for the groups first .. last.
template <class T>
struct sell_call {
  const sell_layout<T>* a = nullptr;
  const T* x = nullptr;
  T* y = nullptr;
  T alpha = 1, beta = 0;
};
template <class T>
using sell_multiplier = void (*)(const sell_call<T>&, range groups);

template <class T>
variants<sell_multiplier<T>> sell_multipliers();

/// How a group of rows will be stored.
struct sell_sketch {
  std::vector<std::int32_t> straight;      ///< columns of lane 0
  std::vector<std::uint16_t> masks;        ///< masks of straight slots
  std::vector<index_t> taken;              ///< nonzero of each lane of each straight slot
  std::vector<std::vector<index_t>> left;  ///< nonzeros of each lane in free slots
  index_t least = 0, most = 0;             ///< columns of free slots
  index_t free = 0;                        ///< slots

  void restart(int lanes);
};

/// Rows of the group's lanes; -1 for none.
template <class T>
using sell_rows = std::array<index_t, sell_lanes<T>>;

/// Whether it is worth looking for straight slots: a quarter of the nonzeros have a neighbour on
/// their diagonal in the next lane. Columns that do not ascend are not seen, which costs speed
/// only.
template <class T, class I, class O>
bool has_diagonals(const csr_ref<const T, I, O>& a, const sell_rows<T>& rows) {
  index_t neighbours = 0, entries = 0;
  for (int l = 0; l < sell_lanes<T> && rows[l] >= 0; ++l) {
    index_t p = a.offsets[rows[l]];
    const index_t end = a.offsets[rows[l] + 1];
    entries += end - p;
    if (l == 0) continue;
    index_t q = a.offsets[rows[l - 1]];
    const index_t last = a.offsets[rows[l - 1] + 1];
    while (p < end && q < last) {
      const auto here = a.columns[p], there = a.columns[q] + 1;
      neighbours += here == there ? 1 : 0;
      p += here <= there ? 1 : 0;
      q += there <= here ? 1 : 0;
    }
  }
  return 4 * neighbours >= entries;
}

/// Slots for rows stored one per lane: of the lanes' next nonzeros, those on the foremost diagonal
/// form a straight slot.
template <class T, class I, class O>
void sketch_group(const csr_ref<const T, I, O>& a, const sell_rows<T>& rows, sell_sketch& out) {
  constexpr int lanes = sell_lanes<T>, enough = lanes * 3 / 4;
  constexpr index_t none = INT64_MAX;
  out.restart(lanes);
  index_t at[lanes], end[lanes], diagonal[lanes];
  for (int l = 0; l < lanes; ++l) {
    at[l] = rows[l] < 0 ? 0 : a.offsets[rows[l]];
    end[l] = rows[l] < 0 ? 0 : a.offsets[rows[l] + 1];
  }
  for (;;) {
    index_t foremost = none;
    for (int l = 0; l < lanes; ++l) {
      diagonal[l] = at[l] < end[l] ? a.columns[at[l]] - l : none;
      foremost = std::min(foremost, diagonal[l]);
    }
    if (foremost == none) break;
    unsigned mask = 0;
    for (int l = 0; l < lanes; ++l) mask |= diagonal[l] == foremost ? 1u << l : 0u;
    const bool together = std::popcount(mask) >= enough;
    if (together) {
      out.straight.push_back(static_cast<std::int32_t>(foremost));
      out.masks.push_back(static_cast<std::uint16_t>(mask));
    }
    for (int l = 0; l < lanes; ++l) {
      const bool live = (mask >> l & 1u) != 0;
      if (together) out.taken.push_back(live ? at[l] : -1);
      if (live && !together) out.left[static_cast<std::size_t>(l)].push_back(at[l]);
      at[l] += live ? 1 : 0;
    }
  }
}

/// Slots for a row stored alone: its nonzeros are distributed round-robin over the lanes.
template <class T, class I, class O>
void sketch_alone(const csr_ref<const T, I, O>& a, index_t row, sell_sketch& out) {
  constexpr int lanes = sell_lanes<T>;
  out.restart(lanes);
  for (index_t p = a.offsets[row]; p < a.offsets[row + 1]; ++p)
    out.left[static_cast<std::size_t>((p - a.offsets[row]) % lanes)].push_back(p);
}

/// The order of rows: for each group its rows.
template <class T>
struct sell_order {
  std::vector<sell_rows<T>> groups = {};  ///< a row stored alone is in lane 0, with `alone` set
  std::vector<std::uint8_t> alone = {};
  bool moved = false;  ///< rows are not in matrix order
};

/// Keeps matrix order where that leaves few lanes empty, otherwise sorts by length within windows;
/// rows much longer than others are stored alone.
template <class T, class O>
sell_order<T> order_rows(const O* offsets, index_t rows, int threads);

/// The whole conversion. Each thread first-touches the part it will read.
template <class T, class I, class O>
sell_layout<T> sliced(const csr_ref<const T, I, O>& a, int threads);

}  // namespace gossamer
