// Rows times panels of dense columns: every variant this processor supports, every width of a panel
// up to two tiles, with and without shared rows, prefetches and streaming stores, on whole numbers,
// so that sums are exact in any order.
#include "kernels/spmm/rows/panel_rows.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/simd/stream_lines.hpp"

namespace gossamer {
namespace {

/// Runs of rows with the same columns, of one row to five; also empty rows and rows of one nonzero.
template <class T, class I>
struct runs_of_rows {
  static constexpr index_t cols = 40;
  std::vector<index_t> offsets{0};
  std::vector<I> columns;
  std::vector<T> values;

  runs_of_rows() {
    for (index_t run = 0; std::ssize(offsets) <= panel_block; ++run)
      for (index_t r = 0; r <= run % 5 && std::ssize(offsets) <= panel_block; ++r) {
        for (index_t k = 0; k < run % 11; ++k) {
          columns.push_back(static_cast<I>((run * 7 + k * 3) % (cols - 1)));
          values.push_back(static_cast<T>(std::ssize(values) % 9 - 4));
        }
        offsets.push_back(std::ssize(columns));
      }
  }
  row_block<T, I> block(index_t first) const {
    return {first,          std::ssize(offsets) - 1, offsets.data(),
            columns.data(), values.data(),           std::ssize(columns) - 1};
  }
};

/// Memory aligned to cache lines, filled with one value.
template <class T>
struct lines {
  std::size_t size;
  std::unique_ptr<T, decltype(&std::free)> memory;
  lines(index_t count, T value)
      : size(static_cast<std::size_t>(count)),
        memory(static_cast<T*>(std::aligned_alloc(64, (size * sizeof(T) / 64 + 1) * 64)),
               &std::free) {
    std::fill_n(memory.get(), size, value);
  }
  T& operator[](index_t i) const { return memory.get()[i]; }
};

template <class T>
struct panel_case {
  row_panel<T> d;
  index_t padding;  ///< elements behind each row of B and C
};

template <class T, class I>
void check(panel_function<T, I> multiply, const panel_case<T>& how) {
  const runs_of_rows<T, I> a;
  const index_t first = 5, rows = panel_block, n = how.d.columns, stride = n + how.padding;
  const T infinity = std::numeric_limits<T>::infinity();
  const lines<T> b(a.cols * stride, infinity);  // the padding and the last row are never used
  for (index_t j = 0; j < a.cols - 1; ++j)
    for (index_t k = 0; k < n; ++k) b[j * stride + k] = static_cast<T>((j * 5 + k) % 7 - 3);
  const lines<T> c(rows * stride, T{3});
  auto d = how.d;
  d.b = &b[0], d.c = &c[0], d.b_stride = d.c_stride = stride, d.first_row = first;
  multiply(a.block(first), d);
  stream_fence();
  for (index_t r = 0; r < rows; ++r)
    for (index_t k = 0; k < stride; ++k) {
      T sum = 0;
      for (index_t p = a.offsets[static_cast<std::size_t>(r)];
           k < n && p < a.offsets[static_cast<std::size_t>(r + 1)]; ++p)
        sum += a.values[static_cast<std::size_t>(p)] *
               b[index_t{a.columns[static_cast<std::size_t>(p)]} * stride + k];
      const T wanted = k < n ? d.alpha * sum + d.beta * T{3} : T{3};
      ASSERT_EQ(c[r * stride + k], wanted)
          << "row " << r << ", column " << k << " of " << n << ", repeats " << d.repeats
          << ", prefetch " << d.prefetch << ", stream " << d.stream;
    }
}

template <class T, class I>
void check_all() {
  constexpr index_t line = 64 / index_t{sizeof(T)};
  for (const auto multiply : usable(panel_functions<T, I>()))
    for (index_t n = 1; n <= 16 * line; n += n < 5 * line ? 1 : 3)
      for (const bool repeats : {false, true}) {
        if (testing::Test::HasFailure()) return;
        check<T, I>(multiply, {{.columns = n, .repeats = repeats}, 1});
        check<T, I>(multiply, {{.alpha = 2, .beta = -1, .columns = n, .repeats = repeats}, 3});
        check<T, I>(multiply, {{.columns = n, .prefetch = 4, .repeats = repeats}, 0});
        const index_t to_line = (line - n % line) % line;
        check<T, I>(multiply,
                    {{.alpha = -2, .columns = n, .repeats = repeats, .stream = true}, to_line});
      }
}

TEST(PanelRows, EveryWidthAndVariant) {
  check_all<float, std::int32_t>();
  check_all<double, std::int32_t>();
  check_all<float, std::int64_t>();
  check_all<double, std::int64_t>();
}

}  // namespace
}  // namespace gossamer
