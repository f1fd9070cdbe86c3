// A log-log plot as a value, and two renderers: terminal and SVG.
#pragma once

#include <string>
#include <vector>

#include "bench/report/canvas.hpp"

namespace gossamer::bench {

/// From one power of two to another.
struct log_axis {
  std::string title;
  double low = 1, high = 2;
  /// Share of the axis' length; outside 0..1 beyond its ends.
  double position(double value) const;
  /// The powers of two, thinned to at most `most`.
  std::vector<double> ticks(int most) const;
  /// Widens it to the next powers of two so that it holds `value`.
  void include(double value);
};
/// "1/8", "4", "1k": a power of two as people write it.
std::string power_text(double value);

enum class stroke { solid, strong, dashed, faint };
/// Where SVG writes a curve's name: along a straight line, behind its end, or only when pointed at.
enum class naming { along, end, hidden };

struct curve {
  std::string name;
  std::vector<point> points;  ///< in data coordinates
  int series = 0;
  stroke style = stroke::solid;
  naming named = naming::end;
};

struct plot_mark {
  std::string label;  ///< what it is, shown beside it where there is room
  point at;
  int series = 0;
  enum class shape { disc, ring } drawn = shape::disc;
};

struct mark_group {
  std::string name;
  int series = 0;
  plot_mark::shape drawn = plot_mark::shape::disc;
};

struct plot {
  std::string title, note;
  log_axis x, y;
  std::vector<curve> curves;
  std::vector<plot_mark> marks;
  std::vector<mark_group> groups;  ///< legend of the marks
};

std::vector<drawn_line> draw(const plot& shown, int columns, int rows);

/// One document with the plots below each other. Follows the reader's light or dark scheme; needs
/// nothing from outside.
std::string to_svg(const std::vector<plot>& plots, const std::string& title);

}  // namespace gossamer::bench
