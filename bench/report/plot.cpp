// Plots in a terminal.
#include "bench/report/plot.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace gossamer::bench {

namespace {

point share_of(const plot& p, point data) { return {p.x.position(data.x), p.y.position(data.y)}; }

// Letters at a few places of a curve tell it apart where there are no colours.
void draw_letters(canvas& on, const plot& shown, std::size_t index) {
  const auto& points = shown.curves[index].points;
  const std::string letter(1, static_cast<char>('a' + index % 26));
  for (std::size_t i = 4 + 3 * index % 16; i < points.size(); i += 24)
    on.mark(share_of(shown, points[i]), letter, shown.curves[index].series);
}

void add_legend(std::vector<drawn_line>& lines, const std::vector<run>& items, int columns) {
  drawn_line line{{"  ", -1}};
  std::size_t used = 2;
  for (const auto& item : items) {
    const auto width =
        static_cast<std::size_t>(std::count_if(item.text.begin(), item.text.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        }));
    if (used > 2 && used + width + 3 > static_cast<std::size_t>(columns)) {
      lines.push_back(line);
      line = {{"  ", -1}};
      used = 2;
    }
    line.push_back(item);
    line.push_back({"   ", -1});
    used += width + 3;
  }
  if (used > 2) lines.push_back(line);
}

}  // namespace

double log_axis::position(double value) const {
  return std::log2(value / low) / std::log2(high / low);
}

std::vector<double> log_axis::ticks(int most) const {
  const int first = static_cast<int>(std::lround(std::log2(low)));
  const int last = static_cast<int>(std::lround(std::log2(high)));
  int stride = 1;
  while ((last - first) / stride + 1 > most) ++stride;
  std::vector<double> found;
  for (int e = first; e <= last; e += stride) found.push_back(std::exp2(e));
  return found;
}

void log_axis::include(double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  low = std::min(low, std::exp2(std::floor(std::log2(value))));
  high = std::max(high, std::exp2(std::ceil(std::log2(value))));
}

std::string power_text(double value) {
  if (value < 1) return formatted("1/{:.0f}", 1 / value);
  return value < 10000 ? formatted("{:.0f}", value) : formatted("{:.0f}k", value / 1000);
}

std::vector<drawn_line> draw(const plot& shown, int columns, int rows) {
  canvas on(columns - 9, rows);
  for (std::size_t i = 0; i < shown.curves.size(); ++i) {
    const curve& c = shown.curves[i];
    for (std::size_t k = 0; k + 1 < c.points.size(); ++k)
      on.dashed(share_of(shown, c.points[k]), share_of(shown, c.points[k + 1]), c.series,
                c.style == stroke::dashed || c.style == stroke::faint ? 3 : 1);
  }
  for (std::size_t i = 0; i < shown.curves.size(); ++i) draw_letters(on, shown, i);
  for (auto m = shown.marks.rbegin(); m != shown.marks.rend(); ++m)
    on.mark(share_of(shown, m->at), m->drawn == plot_mark::shape::disc ? "●" : "○", m->series);

  std::vector<std::string> left(static_cast<std::size_t>(rows));
  for (const double tick : shown.y.ticks(rows / 2 + 1))
    left[static_cast<std::size_t>(std::lround((1 - shown.y.position(tick)) * (rows - 1)))] =
        power_text(tick);
  std::vector<axis_label> below;
  for (const double tick : shown.x.ticks(columns / 6))
    below.push_back({static_cast<int>(std::lround(shown.x.position(tick) * (on.columns() - 1))),
                     power_text(tick)});
  std::vector<drawn_line> lines{{{shown.y.title, -1}}};
  for (auto& line : framed(on, left, below)) lines.push_back(std::move(line));
  lines.push_back({{std::string(static_cast<std::size_t>(
                                    std::max(0, columns - static_cast<int>(shown.x.title.size()))),
                                ' ') +
                        shown.x.title,
                    -1}});
  std::vector<run> items;
  for (std::size_t i = 0; i < shown.curves.size(); ++i)
    items.push_back({formatted("{} {}", static_cast<char>('a' + i % 26), shown.curves[i].name),
                     shown.curves[i].series});
  add_legend(lines, items, columns);
  items.clear();
  for (const auto& g : shown.groups)
    items.push_back({(g.drawn == plot_mark::shape::disc ? "● " : "○ ") + g.name, g.series});
  add_legend(lines, items, columns);
  return lines;
}

}  // namespace gossamer::bench
