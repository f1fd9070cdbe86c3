// Plots as SVG.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "bench/report/plot.hpp"

namespace gossamer::bench {

namespace {

constexpr double width = 960, panel = 450, header = 56;
constexpr double left = 70, right = 706, top = 46, bottom = 392;  // the box of one panel
constexpr double letter = 6.3;                                    // width of one, about, at 11 px

// Plain properties rather than variables: converters to other formats know those.
struct scheme {
  const char *page, *ink, *quiet, *grid;
  std::array<const char*, 6> series;
};
constexpr scheme light{"#ffffff",
                       "#1b2430",
                       "#5d6b7c",
                       "#e6eaef",
                       {"#2264d1", "#c2560c", "#0b8074", "#7a4fd0", "#66758a", "#c02f56"}};
constexpr scheme dark{"#11161d",
                      "#e4e9f0",
                      "#96a3b4",
                      "#262f3a",
                      {"#6ea3ff", "#f59a4c", "#3fc4b3", "#b394ff", "#8fa0b5", "#ff7d9c"}};

std::string colours(const scheme& c) {
  std::string rules = formatted(
      ".page,.ring{{fill:{0}}} text{{fill:{1}}} .quiet{{fill:{2}}} .grid{{stroke:{3}}} "
      ".halo,.disc{{stroke:{0}}}\n",
      c.page, c.ink, c.quiet, c.grid);
  for (std::size_t i = 0; i < c.series.size(); ++i)
    rules += formatted(".l{0}{{stroke:{1}}} .f{0},text.f{0}{{fill:{1}}}\n", i, c.series[i]);
  return rules;
}

std::string style() {
  return formatted(R"(<style>
text {{ font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 11px }}
.title {{ font-size: 17px; font-weight: 600 }}
.head {{ font-size: 13px; font-weight: 600 }}
.grid {{ stroke-width: 1; fill: none }}
.curve {{ fill: none; stroke-width: 1.6 }}
.strong {{ stroke-width: 2.8 }}
.dashed {{ stroke-dasharray: 5 4; stroke-width: 1.3 }}
.faint {{ stroke-dasharray: 1.5 3.5; stroke-width: 1.3 }}
.halo {{ paint-order: stroke; stroke-width: 3px; stroke-linejoin: round }}
.ring {{ stroke-width: 1.8 }}
.disc {{ stroke-width: 1.2 }}
{}@media (prefers-color-scheme: dark) {{
{}}}
</style>
)",
                   colours(light), colours(dark));
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      safe += c;
  }
  return safe;
}

const char* class_of(stroke s) {
  switch (s) {
    case stroke::strong: return "curve strong";
    case stroke::dashed: return "curve dashed";
    case stroke::faint: return "curve faint";
    default: return "curve";
  }
}

struct box {
  double x0, y0, x1, y1;
  bool meets(const box& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
};

// A name along a line, by its end.
struct turned_name {
  double x, y, length;
};

class panel_writer {
 public:
  panel_writer(const plot& shown, int number) : p_(shown), number_(number) {}

  std::string write() {
    svg_ += formatted("<g transform=\"translate(0 {:.0f})\">\n", header + number_ * panel);
    text(left, top - 26, p_.title, "head");
    text(left, top - 10, p_.note, "quiet");
    axes();
    svg_ += formatted(
        "<clipPath id=\"box{0}\"><rect x=\"{1:.0f}\" y=\"{2:.0f}\" width=\"{3:.0f}\" "
        "height=\"{4:.0f}\"/></clipPath>\n<g clip-path=\"url(#box{0})\">\n",
        number_, left, top, right - left, bottom - top);
    for (const auto& c : p_.curves) line(c);
    svg_ += "</g>\n";
    names_along();
    names_at_ends();
    marks();
    legend();
    return svg_ + "</g>\n";
  }

 private:
  double x_of(double v) const { return left + p_.x.position(v) * (right - left); }
  double y_of(double v) const { return bottom - p_.y.position(v) * (bottom - top); }

  void text(double x, double y, std::string_view words, std::string_view classes,
            std::string_view more = "") {
    svg_ += formatted("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\"{}>{}</text>\n", x, y, classes,
                      more, escaped(words));
  }

  void axes() {
    for (const double tick : p_.x.ticks(14)) {
      const double x = x_of(tick);
      svg_ += formatted("<path class=\"grid\" d=\"M{0:.1f} {1:.0f}V{2:.0f}\"/>\n", x, top, bottom);
      text(x, bottom + 16, power_text(tick), "quiet", " text-anchor=\"middle\"");
    }
    for (const double tick : p_.y.ticks(12)) {
      const double y = y_of(tick);
      svg_ += formatted("<path class=\"grid\" d=\"M{0:.0f} {1:.1f}H{2:.0f}\"/>\n", left, y, right);
      text(left - 8, y + 4, power_text(tick), "quiet", " text-anchor=\"end\"");
    }
    text((left + right) / 2, bottom + 36, p_.x.title, "", " text-anchor=\"middle\"");
    text(0, 0, p_.y.title, "",
         formatted(" text-anchor=\"middle\" transform=\"translate(20 {:.0f}) rotate(-90)\"",
                   (top + bottom) / 2));
  }

  void line(const curve& c) {
    std::string path;
    for (const auto& q : c.points)
      path += formatted("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', x_of(q.x), y_of(q.y));
    svg_ += formatted("<path class=\"{} l{}\" d=\"{}\"><title>{}</title></path>\n",
                      class_of(c.style), c.series, path, escaped(c.name));
  }

  // Another line so close above that a name between them would cover it.
  bool crowded_above(const curve& c, double across) const {
    return std::any_of(p_.curves.begin(), p_.curves.end(), [&](const curve& o) {
      const double up = (y_of(c.points.front().y) - y_of(o.points.front().y)) * across;
      return &o != &c && o.named == naming::along && up > 0 && up < 17;
    });
  }

  // Near the upper end of the visible part, turned with the line; one that would run into a name
  // already there steps back along its line.
  void names_along() {
    for (const auto& c : p_.curves) {
      if (c.named != naming::along || c.points.size() < 2) continue;
      const point a{x_of(c.points.front().x), y_of(c.points.front().y)};
      const point b{x_of(c.points.back().x), y_of(c.points.back().y)};
      const double slope = (b.y - a.y) / (b.x - a.x), length = letter * double(c.name.size());
      double x = right - 10;
      if (slope < 0) x = std::min(x, a.x + (top + 8 - a.y) / slope);
      const double across = std::cos(std::atan(slope)), up = std::sin(std::atan(slope));
      for (int tries = 0; tries < 20; ++tries, x -= 40) {
        if (std::none_of(turned_.begin(), turned_.end(), [&](const turned_name& o) {
              const double gap = o.y - (a.y + slope * (o.x - a.x));
              return std::abs(gap) * across < 14 && x - length * across < o.x + 12 &&
                     o.x - o.length * across < x + 12;
            }))
          break;
      }
      const double y = a.y + slope * (x - a.x);
      if (x - length * across < left) continue;  // the legend of the terminal has it, the title too
      turned_.push_back({x, y, length});
      const bool below = crowded_above(c, across);
      text(0, 0, c.name, formatted("halo f{}", c.series),
           formatted(" text-anchor=\"end\" "
                     "transform=\"translate({:.1f} {:.1f}) rotate({:.2f}) translate(0 {})\"",
                     x, y, std::atan(slope) * 180 / 3.14159265358979, below ? 14 : -5));
      // The box of a turned name is mostly empty: cells along it are what marks must avoid.
      for (double along = 0; along < length; along += 12)
        taken_.push_back({x - along * across - 8, y - along * up - 18, x - along * across + 4,
                          y - along * up - 2});
    }
  }

  void names_at_ends() {
    struct name {
      double y;
      const curve* from;
    };
    std::vector<name> names;
    for (const auto& c : p_.curves)
      if (c.named == naming::end && !c.points.empty())
        names.push_back({std::max(y_of(c.points.back().y), top + 6), &c});
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    double free = top;
    for (auto& [y, c] : names) {
      y = std::max(y, free);
      free = y + 15;
      text(right + 8, y + 4, c->name, formatted("f{}", c->series));
    }
    ends_ = free;
  }

  void marks() {
    for (const auto& m : p_.marks) {
      const double x = x_of(m.at.x), y = y_of(m.at.y);
      taken_.push_back({x - 5, y - 5, x + 5, y + 5});
    }
    for (auto m = p_.marks.rbegin(); m != p_.marks.rend(); ++m)
      symbol(x_of(m->at.x), y_of(m->at.y), m->drawn, m->series, m->label);
    for (const auto& m : p_.marks)
      if (m.drawn == plot_mark::shape::disc) label(m);
  }

  void symbol(double x, double y, plot_mark::shape drawn, int series, std::string_view about) {
    const bool disc = drawn == plot_mark::shape::disc;
    svg_ += formatted("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" class=\"{}{}\">", x, y,
                      disc ? "4.6" : "3.8", disc ? "disc f" : "ring l", series);
    svg_ += formatted("<title>{}</title></circle>\n", escaped(about));
  }

  // Beside its mark, on the first side with room; without any, the title of the mark must do.
  void label(const plot_mark& m) {
    const double x = x_of(m.at.x), y = y_of(m.at.y);
    const std::string name = m.label.substr(0, m.label.find(':'));
    const double length = letter * double(name.size());
    struct side {
      double dx, dy;
      const char* anchor;
      double begin;
    };
    for (const auto& [dx, dy, anchor, begin] :
         {side{8, 4, "start", 8}, side{-8, 4, "end", -8 - length},
          side{0, -9, "middle", -length / 2}, side{0, 17, "middle", -length / 2}}) {
      const box wanted{x + begin, y + dy - 9, x + begin + length, y + dy + 3};
      const bool inside =
          wanted.x0 > left && wanted.x1 < right && wanted.y0 > top && wanted.y1 < bottom;
      if (!inside ||
          std::any_of(taken_.begin(), taken_.end(), [&](const box& b) { return b.meets(wanted); }))
        continue;
      taken_.push_back(wanted);
      text(x + dx, y + dy, name, "halo", formatted(" text-anchor=\"{}\"", anchor));
      return;
    }
  }

  void legend() {
    double y = std::max(ends_ + 18, top + 14);
    for (const auto& g : p_.groups) {
      symbol(right + 14, y - 4, g.drawn, g.series, g.name);
      text(right + 26, y, g.name, "");
      y += 18;
    }
  }

  const plot& p_;
  int number_;
  std::string svg_;
  std::vector<box> taken_;
  std::vector<turned_name> turned_;
  double ends_ = top;
};

}  // namespace

std::string to_svg(const std::vector<plot>& plots, const std::string& title) {
  const double height = header + panel * static_cast<double>(plots.size());
  std::string svg = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">\n{3}"
      "<rect class=\"page\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n"
      "<text x=\"{4:.0f}\" y=\"34\" class=\"title\">{2}</text>\n",
      width, height, escaped(title), style(), left);
  for (std::size_t i = 0; i < plots.size(); ++i)
    svg += panel_writer(plots[i], static_cast<int>(i)).write();
  return svg + "</svg>\n";
}

}  // namespace gossamer::bench
