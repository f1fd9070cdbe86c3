// The order of rows in a SELL plan.
#include <algorithm>
#include <numeric>

#include "kernels/spmv/sell/sell_layout.hpp"

namespace gossamer {

namespace {

// docs/kernels/spmv-cpu.md, on plans with sell.
constexpr index_t window = 4096;    ///< rows sorted together
constexpr double least_fill = 0.8;  ///< least share of used lanes for which rows keep matrix order
constexpr index_t long_row = 128;   ///< rows from this length on are stored alone, if also far from
                                    ///< the mean

struct look_at_rows {
  double fill = 1;  ///< share of used lanes in matrix order, without rows stored alone
  bool any_alone = false;
};

template <class T, class O>
look_at_rows look(const O* offsets, index_t rows, index_t alone_from) {
  constexpr index_t lanes = sell_lanes<T>;
  index_t places = 0, entries = 0;
  look_at_rows seen;
  for (index_t first = 0; first < rows; first += lanes) {
    index_t longest = 0;
    for (index_t i = first; i < std::min(rows, first + lanes); ++i) {
      const index_t length = offsets[i + 1] - offsets[i];
      if (length >= alone_from) {
        seen.any_alone = true;
        continue;
      }
      entries += length;
      longest = std::max(longest, length);
    }
    places += longest * lanes;
  }
  if (places > 0) seen.fill = static_cast<double>(entries) / static_cast<double>(places);
  return seen;
}

template <class T>
void put(sell_order<T>& order, const index_t* rows, index_t count, bool alone) {
  sell_rows<T> group;
  group.fill(-1);
  std::copy_n(rows, count, group.begin());
  order.groups.push_back(group);
  order.alone.push_back(alone);
}

}  // namespace

void sell_sketch::restart(int lanes) {
  straight.clear();
  masks.clear();
  taken.clear();
  left.resize(static_cast<std::size_t>(lanes));
  for (auto& lane : left) lane.clear();
}

template <class T, class O>
sell_order<T> order_rows(const O* offsets, index_t rows) {
  constexpr index_t lanes = sell_lanes<T>;
  const index_t mean = rows > 0 ? offsets[rows] / rows : 0;
  const index_t alone_from = std::max(long_row, 4 * mean);
  const auto seen = look<T>(offsets, rows, alone_from);
  const bool by_length = seen.fill < least_fill;
  sell_order<T> result{.moved = by_length || seen.any_alone};
  std::vector<index_t> order(static_cast<std::size_t>(window));
  const auto length = [&](index_t i) { return index_t{offsets[i + 1]} - index_t{offsets[i]}; };
  for (index_t first = 0; first < rows; first += window) {
    const index_t count = std::min(window, rows - first);
    std::iota(order.begin(), order.begin() + count, first);
    index_t k = 0;
    if (result.moved) {
      if (by_length)
        std::stable_sort(order.begin(), order.begin() + count,
                         [&](index_t a, index_t b) { return length(a) > length(b); });
      else
        std::stable_partition(order.begin(), order.begin() + count,
                              [&](index_t i) { return length(i) >= alone_from; });
      for (; k < count && length(order[static_cast<std::size_t>(k)]) >= alone_from; ++k)
        put(result, order.data() + k, 1, true);
    }
    for (; k < count; k += lanes) put(result, order.data() + k, std::min(lanes, count - k), false);
  }
  return result;
}

template sell_order<float> order_rows(const std::int32_t*, index_t);
template sell_order<float> order_rows(const std::int64_t*, index_t);
template sell_order<double> order_rows(const std::int32_t*, index_t);
template sell_order<double> order_rows(const std::int64_t*, index_t);

}  // namespace gossamer
