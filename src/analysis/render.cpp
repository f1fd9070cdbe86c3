// A histogram as text: bars of block characters, an eighth of a column fine.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

/// "0", "1", "2-3", "4-7", ...: the lengths of bin k.
std::string bin_label(std::size_t k) {
  if (k < 2) return std::to_string(k);
  const auto first = std::uint64_t{1} << (k - 1);
  return formatted("{}-{}", first, first - 1 + first);
}

/// `share` of `columns`, in full blocks and one partial one; never empty unless the share is.
std::string bar(double share, int columns) {
  static constexpr std::array<const char*, 8> partial{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (share <= 0) return {};
  const int eighths = std::max(1, static_cast<int>(std::lround(share * columns * 8)));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  return text + partial[static_cast<std::size_t>(eighths % 8)];
}

}  // namespace

std::string render(const count_histogram& histogram, int width) {
  const auto& bins = histogram.bins;
  const auto used = [](index_t rows) { return rows > 0; };
  const auto first =
      static_cast<std::size_t>(std::find_if(bins.begin(), bins.end(), used) - bins.begin());
  if (first == bins.size()) return "(no rows)\n";
  std::size_t last = bins.size() - 1;
  while (bins[last] == 0) --last;

  std::size_t label_width = 0, count_width = 0;
  for (std::size_t k = first; k <= last; ++k) {
    label_width = std::max(label_width, bin_label(k).size());
    count_width = std::max(count_width, count_text(bins[k]).size());
  }
  const auto numbers = static_cast<int>(label_width + count_width) + 4;
  const int columns = std::max(1, width - numbers);
  const auto largest = static_cast<double>(*std::max_element(bins.begin(), bins.end()));
  std::string text;
  for (std::size_t k = first; k <= last; ++k) {
    text +=
        formatted("{:>{}}  {:>{}}", bin_label(k), label_width, count_text(bins[k]), count_width);
    if (bins[k] > 0) text += "  " + bar(static_cast<double>(bins[k]) / largest, columns);
    text += '\n';
  }
  return text;
}

}  // namespace gossamer
