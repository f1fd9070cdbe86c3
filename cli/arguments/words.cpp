#include "cli/arguments/words.hpp"

#include <algorithm>
#include <string_view>

namespace gossamer::cli {

namespace {

/// Letters to add, leave out, change or swap with their neighbour to get from one word to the
/// other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const std::size_t changed = steps[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      steps[i][j] = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  return steps[a.size()][b.size()];
}

/// Where the description of an option, or the text of a line, begins.
std::size_t indentation(std::string_view line) {
  const auto text = line.find_first_not_of(' ');
  if (text == line.npos) return 0;
  if (line.substr(text).starts_with("-")) {
    const auto gap = line.find("  ", text);
    const auto after = gap == line.npos ? line.npos : line.find_first_not_of(' ', gap);
    if (after != line.npos && after <= 50) return after;
  }
  if (const auto gap = line.find("  ", text); gap != line.npos && gap < 40)
    return line.find_first_not_of(' ', gap);
  return text;
}

void append_wrapped(std::string& to, std::string_view line) {
  constexpr std::size_t most = 80;
  const std::string indent(std::min(indentation(line), most / 2), ' ');
  std::string rest(line);
  while (rest.size() > most) {
    auto space = rest.rfind(' ', most);
    if (space == rest.npos || space <= indent.size()) space = rest.find(' ', most);
    if (space == rest.npos) break;
    to += rest.substr(0, rest.find_last_not_of(' ', space) + 1) + '\n';
    const auto next = rest.find_first_not_of(' ', space);
    rest = next == rest.npos ? std::string() : indent + rest.substr(next);
  }
  to += rest + '\n';
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const auto& candidate : candidates)
    if (const auto steps = distance(word, candidate); steps < least) {
      least = steps;
      best = candidate;
    }
  return best;
}

std::string within_80_columns(const std::string& help) {
  std::string text;
  std::string_view rest = help;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    append_wrapped(text, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

}  // namespace gossamer::cli
