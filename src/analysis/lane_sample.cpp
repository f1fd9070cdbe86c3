// Stores a few groups of rows one row per lane, on paper, as kernels/spmv/sell does: of the lanes'
// next nonzeros, those on the foremost diagonal are a straight slot if they are enough.
#include <algorithm>
#include <array>
#include <vector>

#include "analysis/row_sample.hpp"
#include "base/parallel.hpp"
#include "formats/typed.hpp"

namespace gossamer::analysis {

namespace {

constexpr index_t groups_sampled = 32, most_entries = 8192;
constexpr index_t windows_sampled = 8, window_rows = 512;
constexpr double least_fill = 0.8;  // as in kernels/spmv/sell/sell_order.cpp, also below
constexpr index_t long_row = 128;
constexpr index_t most_steps = 1024;  // the rest of a group of long rows is like its beginning

template <class T, class I, class O>
class lane_sampler {
 public:
  static constexpr int lanes = 64 / static_cast<int>(sizeof(T));
  explicit lane_sampler(const csr_ref<const T, I, O>& a)
      : a_(a), alone_from_(std::max(long_row, 4 * (a.nnz() / std::max<index_t>(a.rows, 1)))) {}

  lane_sample look() {
    seen_.sorted = fill_in_order() < least_fill;
    const index_t parts = seen_.sorted
                              ? std::clamp<index_t>(a_.rows / window_rows, 1, windows_sampled)
                              : std::min<index_t>(groups_sampled, groups());
    for (index_t part = 0; part < parts && walked_ < most_entries; ++part) {
      if (seen_.sorted)
        look_at_window(part_of(a_.rows, part, parts), groups_sampled / parts);
      else
        look_at_groups(part_of(groups(), part, parts).begin * lanes);
    }
    return seen_;
  }

 private:
  index_t groups() const { return (a_.rows + lanes - 1) / lanes; }
  index_t length(index_t row) const { return a_.offsets[row + 1] - a_.offsets[row]; }

  /// Share of the lanes that rows in matrix order would use; counts rows that lie alone.
  double fill_in_order() {
    index_t places = 0, entries = 0, alone = 0;
    const index_t count = std::min<index_t>(groups(), 512);
    for (index_t k = 0; k < count; ++k) {
      const index_t first = part_of(groups(), k, count).begin * lanes;
      index_t longest = 0;
      for (index_t i = first; i < std::min(a_.rows, first + lanes); ++i) {
        if (is_alone(i)) {
          alone += length(i);
          continue;
        }
        entries += length(i);
        longest = std::max(longest, length(i));
      }
      places += longest * lanes;
    }
    seen_.alone =
        static_cast<double>(alone) / static_cast<double>(std::max<index_t>(alone + entries, 1));
    return places > 0 ? static_cast<double>(entries) / static_cast<double>(places) : 1;
  }

  void look_at_groups(index_t first) {
    std::array<index_t, lanes> rows;
    int used = 0;
    for (index_t i = first; i < std::min(a_.rows, first + lanes); ++i)
      if (!is_alone(i)) rows[static_cast<std::size_t>(used++)] = i;
    if (used > 0) look_at_group(rows.data(), used);
  }

  /// Rows of a part, sorted by length, and some of their groups, short and long.
  void look_at_window(range part, index_t most_groups) {
    std::vector<index_t> rows;
    for (index_t i = part.begin; i < std::min(part.end, part.begin + window_rows); ++i)
      if (!is_alone(i)) rows.push_back(i);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](index_t a, index_t b) { return length(a) > length(b); });
    const index_t all = (std::ssize(rows) + lanes - 1) / lanes;
    const index_t some = std::min<index_t>(all, most_groups);
    for (index_t k = 0; k < some; ++k) {
      const index_t at = (2 * k + 1) * all / (2 * some) * lanes;
      look_at_group(rows.data() + at,
                    static_cast<int>(std::min<index_t>(std::ssize(rows) - at, lanes)));
    }
  }

  /// A row that is much longer than the others lies along all lanes.
  bool is_alone(index_t row) const { return length(row) >= alone_from_; }

  void look_at_group(const index_t* rows, int used) {
    constexpr index_t none = INT64_MAX;
    constexpr int enough = lanes * 3 / 4;
    std::array<index_t, lanes> at, end, left{};
    for (int l = 0; l < used; ++l) at[l] = a_.offsets[rows[l]], end[l] = a_.offsets[rows[l] + 1];
    index_t least = a_.cols, most = 0;
    ++seen_.groups;
    for (index_t step = 0; step < most_steps; ++step) {
      index_t foremost = none;
      for (int l = 0; l < used; ++l)
        if (at[l] < end[l]) foremost = std::min<index_t>(foremost, a_.columns[at[l]] - l);
      if (foremost == none) break;
      std::array<bool, lanes> on{};
      int count = 0;
      for (int l = 0; l < used; ++l) {
        on[l] = at[l] < end[l] && a_.columns[at[l]] - l == foremost;
        count += on[l] ? 1 : 0;
      }
      for (int l = 0; l < used; ++l) {
        if (!on[l]) continue;
        if (count < enough) {
          least = std::min<index_t>(least, a_.columns[at[l]]);
          most = std::max<index_t>(most, a_.columns[at[l]]);
          ++left[l];
        }
        ++at[l];
      }
      seen_.entries += count;
      walked_ += count;
      seen_.straight += count >= enough ? 1 : 0;
      seen_.gathered_entries += count >= enough ? 0 : count;
    }
    seen_.gathered += *std::max_element(left.begin(), left.end());
    seen_.wide += most - least > UINT16_MAX ? 1 : 0;
  }

  const csr_ref<const T, I, O>& a_;
  index_t alone_from_;
  lane_sample seen_;
  index_t walked_ = 0;
};

}  // namespace

template <class T>
lane_sample sample_lanes(const csr_view<const T>& a) {
  lane_sample seen;
  if (a.shape.rows == 0) return seen;
  typed(a, [&]<class I, class O>(const csr_ref<const T, I, O>& rows) {
    seen = lane_sampler<T, I, O>(rows).look();
  });
  return seen;
}

template lane_sample sample_lanes(const csr_view<const float>&);
template lane_sample sample_lanes(const csr_view<const double>&);

}  // namespace gossamer::analysis
