#include "base/processor.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace gossamer {

namespace {

/// What follows the colon in "key   : value"; empty for other keys.
std::string text_after(const std::string& line, std::string_view key) {
  const auto colon = line.find(": ");
  return line.starts_with(key) && colon != line.npos ? line.substr(colon + 2) : std::string();
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// "48K" or "117M" in bytes; 0 for anything else.
index_t bytes_of(const std::string& text) {
  index_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || end - unit != 1) return 0;
  return *unit == 'K' ? number << 10 : *unit == 'M' ? number << 20 : 0;
}

}  // namespace

std::string processor_name(std::istream& cpuinfo) {
  std::string implementer, part;
  for (std::string line; std::getline(cpuinfo, line);) {
    if (auto name = text_after(line, "model name"); !name.empty()) return name;
    if (auto found = text_after(line, "CPU implementer"); !found.empty()) implementer = found;
    if (auto found = text_after(line, "CPU part"); !found.empty()) part = found;
  }
  if (part.empty()) return "unknown CPU";
  return "Arm CPU, implementer " + implementer + ", part " + part;
}

bool is_virtual(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("flags")) return (line + ' ').find(" hypervisor ") != line.npos;
  return false;
}

int count_processors(std::string_view list) {
  int count = 0;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    int first = 0, last = 0;
    auto read = std::from_chars(at, end, first);
    if (read.ec != std::errc{}) return 0;
    last = first;
    if (read.ptr < end && *read.ptr == '-') {
      read = std::from_chars(read.ptr + 1, end, last);
      if (read.ec != std::errc{} || last < first) return 0;
    }
    if (read.ptr < end && *read.ptr != ',') return 0;
    count += last - first + 1;
    at = read.ptr + 1;
  }
  return count;
}

cache_facts cache_of(const std::filesystem::path& folder, int level) {
  for (int k = 0;; ++k) {
    const auto cache = folder / ("index" + std::to_string(k));
    const auto type = first_line(cache / "type");
    if (type.empty()) return {};
    if (type != "Instruction" && first_line(cache / "level") == std::to_string(level))
      return {bytes_of(first_line(cache / "size")),
              std::max(count_processors(first_line(cache / "shared_cpu_list")), 1)};
  }
}

index_t usable_cache(const cache_facts& found, bool virtual_machine) {
  // More than the cores of most processors have (4 to 5 MiB, 12 with stacked caches): a few guests
  // do not use all of it at once.
  constexpr index_t most_per_core = index_t{32} << 20;
  return virtual_machine ? std::min(found.bytes, most_per_core * found.cores) : found.bytes;
}

spmv_costs assumed_spmv_costs(std::string_view cpu) {
  if (cpu.find("Intel") == cpu.npos) return {};
  return {.entry = 0.39e-9,
          .row = 0.24e-9,
          .surprise = 0.5e-9,
          .misprediction = 2.5e-9,
          .masked_row = 2.3e-9,
          .x_line = 1.35e-9,
          .straight_slot = 0.75e-9,
          .gathered_entry = 0.24e-9,
          .group = 7.7e-9,
          .moved_row = 0.66e-9,
          .remembered_rows = 6000};
}

}  // namespace gossamer
