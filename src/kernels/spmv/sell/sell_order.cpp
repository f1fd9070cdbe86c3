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

/// The rows of a window that are not stored alone, longest first and otherwise in order. `counts`
/// is scratch memory.
template <class O>
void sort_by_length(const O* offsets, std::vector<index_t>& rows, std::vector<index_t>& counts) {
  const auto length = [&](index_t i) {
    return static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
  };
  std::size_t longest = 0;
  for (const index_t i : rows) longest = std::max(longest, length(i));
  constexpr std::size_t countable = 1 << 16;
  if (longest >= countable) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](index_t a, index_t b) { return length(a) > length(b); });
    return;
  }
  counts.assign(longest + 2, 0);
  for (const index_t i : rows) ++counts[longest - length(i) + 1];
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  std::vector<index_t> sorted(rows.size());
  for (const index_t i : rows) sorted[static_cast<std::size_t>(counts[longest - length(i)]++)] = i;
  rows.swap(sorted);
}

/// Orders windows of rows, each by one thread.
template <class T, class O>
class window_order {
 public:
  window_order(const O* offsets, index_t rows, index_t alone_from, bool by_length)
      : offsets_(offsets), rows_(rows), alone_from_(alone_from), by_length_(by_length) {}

  index_t windows() const { return (rows_ + window - 1) / window; }
  /// Groups that the window takes.
  index_t groups(index_t number) const {
    const auto [begin, end] = of(number);
    index_t alone = 0;
    for (index_t i = begin; i < end; ++i) alone += is_alone(i) ? 1 : 0;
    return alone + (end - begin - alone + sell_lanes<T> - 1) / sell_lanes<T>;
  }
  /// Stores them from `group` on.
  void store(index_t number, index_t group, sell_order<T>& to) const {
    constexpr index_t lanes = sell_lanes<T>;
    const auto [begin, end] = of(number);
    std::vector<index_t> rows, counts;
    rows.reserve(static_cast<std::size_t>(end - begin));
    for (index_t i = begin; i < end; ++i)
      if (is_alone(i))
        put(to, group++, &i, 1, true);
      else
        rows.push_back(i);
    if (by_length_) sort_by_length(offsets_, rows, counts);
    for (index_t k = 0; k < std::ssize(rows); k += lanes)
      put(to, group++, rows.data() + k, std::min<index_t>(lanes, std::ssize(rows) - k), false);
  }

 private:
  range of(index_t number) const {
    return {number * window, std::min(rows_, (number + 1) * window)};
  }
  bool is_alone(index_t i) const { return offsets_[i + 1] - offsets_[i] >= alone_from_; }
  static void put(sell_order<T>& to, index_t group, const index_t* rows, index_t count,
                  bool alone) {
    auto& lanes = to.groups[static_cast<std::size_t>(group)];
    lanes.fill(-1);
    std::copy_n(rows, count, lanes.begin());
    to.alone[static_cast<std::size_t>(group)] = alone ? 1 : 0;
  }

  const O* offsets_;
  index_t rows_, alone_from_;
  bool by_length_;
};

}  // namespace

void sell_sketch::restart(int lanes) {
  straight.clear();
  masks.clear();
  taken.clear();
  left.resize(static_cast<std::size_t>(lanes));
  for (auto& lane : left) lane.clear();
}

template <class T, class O>
sell_order<T> order_rows(const O* offsets, index_t rows, int threads) {
  const index_t mean = rows > 0 ? offsets[rows] / rows : 0;
  const index_t alone_from = std::max(long_row, 4 * mean);
  const auto seen = look<T>(offsets, rows, alone_from);
  const bool by_length = seen.fill < least_fill;
  sell_order<T> result{.moved = by_length || seen.any_alone};
  const window_order<T, O> order(offsets, rows, seen.any_alone ? alone_from : INT64_MAX, by_length);
  std::vector<index_t> first(static_cast<std::size_t>(order.windows()) + 1);
  parallel_ranges(threads, order.windows(), 4, [&](index_t begin, index_t end) {
    for (index_t w = begin; w < end; ++w) first[static_cast<std::size_t>(w) + 1] = order.groups(w);
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  result.groups.resize(static_cast<std::size_t>(first.back()));
  result.alone.resize(result.groups.size());
  parallel_ranges(threads, order.windows(), 2, [&](index_t begin, index_t end) {
    for (index_t w = begin; w < end; ++w)
      order.store(w, first[static_cast<std::size_t>(w)], result);
  });
  return result;
}

template sell_order<float> order_rows(const std::int32_t*, index_t, int);
template sell_order<float> order_rows(const std::int64_t*, index_t, int);
template sell_order<double> order_rows(const std::int32_t*, index_t, int);
template sell_order<double> order_rows(const std::int64_t*, index_t, int);

}  // namespace gossamer
