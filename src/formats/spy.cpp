// Pictures of matrices in a terminal: each character covers a block of the matrix.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "formats/entries.hpp"
#include "formats/operand.hpp"
#include "formats/value_types.hpp"
#include "gossamer/elements.hpp"

namespace gossamer::detail {

namespace {

/// A grid of cells over a matrix, and which of them have nonzeros.
class grid {
 public:
  grid(extents shape, index_t rows, index_t cols)
      : shape_(shape),
        rows_(std::clamp<index_t>(shape.rows, 0, rows)),
        cols_(std::clamp<index_t>(shape.cols, 0, cols)),
        counts_(static_cast<std::size_t>(rows_ * cols_)) {}

  void add(index_t i, index_t j) {
    ++counts_[place(scaled(i, shape_.rows, rows_), scaled(j, shape_.cols, cols_))];
  }
  index_t rows() const { return rows_; }
  index_t cols() const { return cols_; }
  index_t count(index_t r, index_t c) const {
    return r < rows_ && c < cols_ ? counts_[place(r, c)] : 0;
  }
  /// Elements of the matrix that a cell covers, about.
  double area() const {
    return static_cast<double>(shape_.rows) / static_cast<double>(rows_) *
           (static_cast<double>(shape_.cols) / static_cast<double>(cols_));
  }

 private:
  static index_t scaled(index_t i, index_t from, index_t to) {
    return from <= to ? i
                      : static_cast<index_t>(static_cast<double>(i) / static_cast<double>(from) *
                                             static_cast<double>(to));
  }
  std::size_t place(index_t r, index_t c) const { return static_cast<std::size_t>(r * cols_ + c); }
  extents shape_;
  index_t rows_, cols_;
  std::vector<index_t> counts_;
};

/// Unicode's braille patterns: 2 x 4 dots, one bit each.
void append_braille(std::string& to, unsigned dots) {
  const unsigned code = 0x2800 + dots;
  to += static_cast<char>(0xE0 | (code >> 12));
  to += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
  to += static_cast<char>(0x80 | (code & 0x3F));
}

std::string braille(const grid& g) {
  constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  std::string text;
  for (index_t top = 0; top < g.rows(); top += 4) {
    for (index_t left = 0; left < g.cols(); left += 2) {
      unsigned dots = 0;
      for (index_t r = 0; r < 4; ++r)
        for (index_t c = 0; c < 2; ++c)
          if (g.count(top + r, left + c) > 0) dots |= bits[r][c];
      append_braille(text, dots);
    }
    text += '\n';
  }
  return text;
}

std::string ascii(const grid& g) {
  std::string text;
  for (index_t r = 0; r < g.rows(); ++r) {
    for (index_t c = 0; c < g.cols(); ++c) {
      const double share = static_cast<double>(g.count(r, c)) / g.area();
      text += share == 0 ? ' ' : share < 0.05 ? '.' : share < 0.5 ? ':' : '#';
    }
    text += '\n';
  }
  return text;
}

}  // namespace

template <scalar T>
std::string picture(const expression<T>& a, const spy_options& how) try {
  if (how.width < 1 || how.height < 1)
    throw fail(error_kind::bad_argument,
               "a picture of {} x {} characters was asked for; expected at least one of each",
               how.width, how.height);
  const operand normal = checked_form(a, "A");
  const auto known = facts(normal);
  require_on_host(known.shape, known.where);
  if (known.shape.rows == 0 || known.shape.cols == 0) return "";
  grid g(known.shape, how.height * (how.unicode ? 4 : 1), how.width * (how.unicode ? 2 : 1));
  visit_view<T>(normal, [&]<class View>(const View& view) {
    if constexpr (std::same_as<View, dense_view<const T>>) {
      for (index_t i = 0; i < view.shape.rows; ++i)
        for (index_t j = 0; j < view.shape.cols; ++j)
          if (view(i, j) != T{0}) g.add(i, j);
    } else {
      for_each_entry(
          view, [&](index_t i, index_t j, T) { known.transposed ? g.add(j, i) : g.add(i, j); });
    }
  });
  return how.unicode ? braille(g) : ascii(g);
} catch (const std::bad_alloc&) {
  refuse_memory("a picture");
}

#define GOSSAMER_INSTANTIATE(T) \
  template std::string picture(const expression<T>&, const spy_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
