#include "bench/report/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gossamer::bench {

namespace {

// Bits of U+2800 by dot position: [row from the top][column].
constexpr std::array<std::array<unsigned, 2>, 4> bits{
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

// U+2800 + dots in UTF-8.
std::string braille(unsigned dots) {
  return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
          static_cast<char>(0x80 | (dots & 0x3F))};
}

std::size_t width_of(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void append(drawn_line& line, const std::string& text, int series) {
  if (!line.empty() && line.back().series == series)
    line.back().text += text;
  else
    line.push_back({text, series});
}

}  // namespace

canvas::canvas(int columns, int rows)
    : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns * rows)) {}

canvas::cell* canvas::at(int column, int row) {
  if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return nullptr;
  return &cells_[static_cast<std::size_t>(row * columns_ + column)];
}

void canvas::dot(point p, int series) {
  if (!(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1)) return;
  const int x = static_cast<int>(std::lround(p.x * (2 * columns_ - 1)));
  const int y = static_cast<int>(std::lround((1 - p.y) * (4 * rows_ - 1)));
  cell& here = *at(x / 2, y / 4);
  here.dots |= bits[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 2)];
  here.series = series;
}

void canvas::line(point from, point to, int series) { dashed(from, to, series, 1); }

void canvas::dashed(point from, point to, int series, int period) {
  const double steps = std::ceil(
      std::max({std::abs(to.x - from.x) * 2 * columns_, std::abs(to.y - from.y) * 4 * rows_, 1.0}));
  if (!std::isfinite(steps)) return;
  for (int i = 0; i <= static_cast<int>(steps); i += period) {
    const double share = i / steps;
    dot({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)}, series);
  }
}

void canvas::mark(point p, std::string_view character, int series) {
  if (!(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1)) return;
  const int x = static_cast<int>(std::lround(p.x * (2 * columns_ - 1)));
  const int y = static_cast<int>(std::lround((1 - p.y) * (4 * rows_ - 1)));
  cell& here = *at(x / 2, y / 4);
  here.mark = character, here.series = series;
}

void canvas::write(int column, int row, std::string_view ascii, int series) {
  for (const char c : ascii)
    if (cell* here = at(column++, row)) here->mark = std::string(1, c), here->series = series;
}

std::vector<drawn_line> canvas::lines() const {
  std::vector<drawn_line> drawn;
  for (int row = 0; row < rows_; ++row) {
    drawn_line line;
    for (int column = 0; column < columns_; ++column) {
      const cell& c = cells_[static_cast<std::size_t>(row * columns_ + column)];
      if (!c.mark.empty())
        append(line, c.mark, c.series);
      else
        append(line, c.dots == 0 ? " " : braille(c.dots), c.dots == 0 ? -1 : c.series);
    }
    drawn.push_back(std::move(line));
  }
  return drawn;
}

std::vector<drawn_line> framed(const canvas& inside, const std::vector<std::string>& left,
                               const std::vector<axis_label>& below) {
  std::size_t margin = 0;
  for (const auto& label : left) margin = std::max(margin, width_of(label));
  std::vector<drawn_line> drawn;
  const auto lines = inside.lines();
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const std::string label = row < left.size() ? left[row] : "";
    drawn_line line{
        {std::string(margin - width_of(label), ' ') + label + (label.empty() ? " │" : " ┤"), -1}};
    for (const auto& part : lines[row]) append(line, part.text, part.series);
    drawn.push_back(std::move(line));
  }
  std::string edge(margin + 1, ' '), ticks(margin + 2, ' ');
  edge += "└";
  for (int column = 0; column < inside.columns(); ++column)
    edge += std::any_of(below.begin(), below.end(),
                        [&](const axis_label& l) { return l.column == column; })
                ? "┬"
                : "─";
  std::size_t free = 0;
  for (const auto& [column, text] : below) {
    const auto centred = margin + 2 + static_cast<std::size_t>(column) -
                         std::min<std::size_t>(width_of(text) / 2, 2 + margin);
    if (centred < free) continue;  // would touch its neighbour
    if (ticks.size() < centred) ticks.append(centred - width_of(ticks), ' ');
    ticks += text;
    free = width_of(ticks) + 1;
  }
  drawn.push_back({{edge, -1}});
  drawn.push_back({{ticks, -1}});
  return drawn;
}

std::string plain(const std::vector<drawn_line>& lines) {
  std::string text;
  for (const auto& line : lines) {
    for (const auto& part : line) text += part.text;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace gossamer::bench
