// The performance profile in a terminal.
#include <cmath>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"
#include "bench/report/document.hpp"

namespace gossamer::bench {

namespace {

constexpr double largest_factor = 8;
constexpr int height = 13;

double position(double factor) { return std::log(factor) / std::log(largest_factor); }

void draw_steps(canvas& on, const standing& s, int series) {
  const int steps = 2 * on.columns();
  point before{0, share_within(s.ratios, 1)};
  for (int i = 1; i <= steps; ++i) {
    const double x = static_cast<double>(i) / steps;
    const point now{x, share_within(s.ratios, std::pow(largest_factor, x))};
    on.line({x, before.y}, now, series);
    on.line({before.x, before.y}, {x, before.y}, series);
    before = now;
  }
}

// Letters tell the curves apart where there are no colours; each has its own places.
void draw_letters(canvas& on, const standing& s, int series, int count) {
  const int period = std::max(9, 3 * count);
  const std::string letter(1, static_cast<char>('a' + series % 26));
  for (int column = 2 + 3 * series % period; column < on.columns(); column += period) {
    const double x = (column + 0.5) / on.columns();
    on.mark({x, share_within(s.ratios, std::pow(largest_factor, x))}, letter, series);
  }
}

}  // namespace

std::vector<drawn_line> draw_profile(const contest& shown, int columns) {
  canvas on(columns - 8, height);
  const int count = static_cast<int>(shown.standings.size());
  for (int i = count - 1; i >= 0; --i)
    draw_steps(on, shown.standings[static_cast<std::size_t>(i)], i);
  for (int i = count - 1; i >= 0; --i)
    draw_letters(on, shown.standings[static_cast<std::size_t>(i)], i, count);
  std::vector<std::string> left(height);
  for (int quarter = 0; quarter <= 4; ++quarter)
    left[static_cast<std::size_t>(quarter * (height - 1) / 4)] =
        formatted("{} %", 100 - 25 * quarter);
  std::vector<axis_label> below;
  for (const double factor : {1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0})
    below.push_back({static_cast<int>(std::lround(position(factor) * (on.columns() - 1))),
                     formatted("{}", factor)});
  std::vector<drawn_line> lines{{{"share of cases within a factor of the fastest", -1}}};
  for (auto& line : framed(on, left, below)) lines.push_back(std::move(line));
  drawn_line legend{{"       ", -1}};
  std::size_t used = 7;
  for (int i = 0; i < count; ++i) {
    const std::string name = formatted("{} {}", static_cast<char>('a' + i % 26),
                                       shown.standings[static_cast<std::size_t>(i)].contestant);
    if (used + name.size() + 3 > static_cast<std::size_t>(columns)) {
      lines.push_back(legend);
      legend = {{"       ", -1}};
      used = 7;
    }
    legend.push_back({name, i});
    legend.push_back({"   ", -1});
    used += name.size() + 3;
  }
  lines.push_back(legend);
  return lines;
}

}  // namespace gossamer::bench
