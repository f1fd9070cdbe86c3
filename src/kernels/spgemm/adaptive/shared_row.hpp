// One row of a sparse product computed by all threads, because it is too long for one. Each thread
// lists the multiplications of its part of A's nonzeros by ranges of columns; then each thread sums
// one range, part after part. Every column is summed in the order of one thread, so results are
// bitwise the same.
#pragma once

#include <vector>

#include "kernels/spgemm/adaptive/adaptive_rows.hpp"

namespace gossamer {

template <class Product>
class shared_row {
 public:
  using T = typename Product::value_type;
  using I = typename Product::column_type;

  shared_row(const Product& of, int team, const std::shared_ptr<memory_resource>& source)
      : of_(of),
        team_(team),
        width_bits_(bits_below(of.result.cols / (4 * team) + 1)),
        ranges_((of.result.cols + width() - 1) / width()),
        source_(source) {
    for (index_t range = 0; range < ranges_; ++range) sums_.emplace_back(width(), source);
    lists_.resize(static_cast<std::size_t>(team * ranges_));
  }

  /// Appends the row to `writers`, one range each; returns its nonzeros.
  index_t write(index_t row, T alpha, std::vector<row_writer<I, T>>& writers) {
    index_t entry = of_.a.begin(row);
    while (entry < of_.a.end(row)) entry = sum_some(entry, of_.a.end(row));
    const std::size_t first = writers.size();
    for (index_t range = 0; range < ranges_; ++range) writers.emplace_back(source_);
    std::vector<index_t> counts(static_cast<std::size_t>(ranges_));
    parallel_chunks(team_, ranges_, [&](index_t range) {
      const auto r = static_cast<std::size_t>(range);
      auto& sums = sums_[r];
      const auto [columns, values] = writers[first + r].reserve(row, width());
      counts[r] = sums.take(columns, values, alpha);
      for (index_t k = 0; k < counts[r]; ++k) columns[k] += static_cast<I>(range * width());
      writers[first + r].give_back(width() - counts[r]);
    });
    index_t total = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
      writers[first + r].continue_row(total);
      total += counts[r];
    }
    return total;
  }

 private:
  /// Multiplications listed at a time: 8 MB of them; not measured.
  static constexpr index_t most_listed = index_t{1} << 19;

  index_t width() const { return index_t{1} << width_bits_; }

  struct product {
    I column;
    T value;
  };
  std::vector<product>& list_of(index_t part, index_t range) {
    return lists_[static_cast<std::size_t>(part * ranges_ + range)];
  }

  /// Lists and sums from nonzero `entry` of A on; returns where the next round begins.
  index_t sum_some(index_t entry, index_t last) {
    std::vector<index_t> starts{entry};  // begins of the parts
    index_t listed = 0;
    for (; entry < last && listed < most_listed; ++entry) {
      listed += of_.b.end(of_.a.column(entry)) - of_.b.begin(of_.a.column(entry));
      if (listed >= most_listed / team_ * static_cast<index_t>(starts.size()))
        starts.push_back(entry + 1);
    }
    starts.resize(static_cast<std::size_t>(team_), entry);
    starts.push_back(entry);
    parallel_chunks(team_, team_, [&](index_t part) {
      const auto p = static_cast<std::size_t>(part);
      list_products(part, starts[p], starts[p + 1]);
    });
    parallel_chunks(team_, ranges_, [&](index_t range) {
      auto& sums = sums_[static_cast<std::size_t>(range)];
      for (index_t part = 0; part < team_; ++part)
        for (const auto& [column, value] : list_of(part, range)) sums.add_one(column, value);
    });
    return entry;
  }

  void list_products(index_t part, index_t begin, index_t end) {
    for (index_t range = 0; range < ranges_; ++range) list_of(part, range).clear();
    for (index_t k = begin; k < end; ++k) {
      prefetch_rows(of_.a, of_.b, k, of_.a_entries);
      const T factor = of_.a.value(k);
      const index_t from = of_.a.column(k);
      for (index_t q = of_.b.begin(from); q < of_.b.end(from); ++q) {
        const index_t column = of_.b.column(q);
        list_of(part, column >> width_bits_)
            .push_back({static_cast<I>(column & (width() - 1)), factor * of_.b.value(q)});
      }
    }
  }

  const Product& of_;
  int team_, width_bits_;  // bits of the width of a column range
  index_t ranges_;
  std::shared_ptr<memory_resource> source_;
  std::vector<bitmap_spa<I, T>> sums_;       // by range
  std::vector<std::vector<product>> lists_;  // by part and range
};

}  // namespace gossamer
