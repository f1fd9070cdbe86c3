#include "base/container.hpp"

#include <sys/sysinfo.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace gossamer {

namespace {

/// The number in a file; nothing when it says "max", is missing, or means "no limit" (version 1
/// writes a number close to 2^63).
std::optional<index_t> limit_in(const std::filesystem::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  index_t bytes = 0;
  const auto* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, bytes);
  constexpr index_t endless = index_t{1} << 60;
  if (problem != std::errc() || stop != end || bytes <= 0 || bytes >= endless) return std::nullopt;
  return bytes;
}

void take_smaller(std::optional<index_t>& smallest, std::optional<index_t> other) {
  if (other && (!smallest || *other < *smallest)) smallest = other;
}

/// The smallest limit of the group at `path` below `root` and of all groups above it.
std::optional<index_t> smallest_limit(const std::filesystem::path& root, std::string_view path,
                                      const char* file) {
  std::optional<index_t> smallest;
  for (;;) {
    while (path.starts_with('/')) path.remove_prefix(1);
    take_smaller(smallest, limit_in(root / path / file));
    if (path.empty()) return smallest;
    const auto last = path.rfind('/');
    path = last == path.npos ? std::string_view() : path.substr(0, last);
  }
}

/// Whether `name` is one of the words that commas separate.
bool lists(std::string_view words, std::string_view name) {
  while (!words.empty()) {
    const auto word = words.substr(0, words.find(','));
    if (word == name) return true;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return false;
}

}  // namespace

std::optional<index_t> container_memory(std::istream& self, const std::filesystem::path& root) {
  std::optional<index_t> smallest;
  for (std::string line; std::getline(self, line);) {  // hierarchy:controllers:path
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const auto controllers = std::string_view(line).substr(first + 1, second - first - 1);
    const auto path = std::string_view(line).substr(second + 1);
    if (controllers.empty()) {
      take_smaller(smallest, smallest_limit(root, path, "memory.max"));
      take_smaller(smallest, smallest_limit(root / "unified", path, "memory.max"));
    } else if (lists(controllers, "memory")) {
      take_smaller(smallest, smallest_limit(root / "memory", path, "memory.limit_in_bytes"));
    }
  }
  return smallest;
}

std::optional<index_t> container_memory() {
  std::ifstream self("/proc/self/cgroup");
  return container_memory(self, "/sys/fs/cgroup");
}

index_t usable_memory() {
  static const index_t found = [] {
    struct sysinfo system {};
    if (sysinfo(&system) != 0) return index_t{0};
    const auto all = (system.totalram + system.totalswap) * system.mem_unit;
    return std::min(container_memory().value_or(std::numeric_limits<index_t>::max()),
                    static_cast<index_t>(all));
  }();
  return found;
}

}  // namespace gossamer
