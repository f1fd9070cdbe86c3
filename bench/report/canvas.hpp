// Draws in a terminal: a grid of braille characters, two dots wide and four high each; lines keep
// the number of their series, so that the printer can colour them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::bench {

/// Neighbouring characters of one series; -1: belongs to none (axes, labels).
struct run {
  std::string text;
  int series = -1;
};
using drawn_line = std::vector<run>;

struct point {
  double x = 0, y = 0;
};

class canvas {
 public:
  canvas(int columns, int rows);
  int columns() const noexcept { return columns_; }
  int rows() const noexcept { return rows_; }
  /// x and y are shares of the width and of the height, from the lower left corner. What lies
  /// outside is not drawn.
  void dot(point at, int series);
  void line(point from, point to, int series);
  /// Every `period`-th dot of the line only.
  void dashed(point from, point to, int series, int period);
  /// One character that hides the dots of its cell.
  void mark(point at, std::string_view character, int series);
  /// Text from a cell on; rows count from the top. Cut at the edge.
  void write(int column, int row, std::string_view ascii, int series = -1);
  std::vector<drawn_line> lines() const;

 private:
  struct cell {
    unsigned dots = 0;
    std::string mark;
    int series = -1;
  };
  cell* at(int column, int row);
  int columns_, rows_;
  std::vector<cell> cells_;
};

/// The canvas in a frame: y labels on the left ("" for none, one per row), x labels below.
struct axis_label {
  int column = 0;
  std::string text;
};
std::vector<drawn_line> framed(const canvas& inside, const std::vector<std::string>& left,
                               const std::vector<axis_label>& below);

/// Lines as plain text, without colours.
std::string plain(const std::vector<drawn_line>& lines);

}  // namespace gossamer::bench
