#include "base/processor.hpp"

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

index_t cache_bytes(const std::filesystem::path& folder, int level) {
  for (int k = 0;; ++k) {
    const auto cache = folder / ("index" + std::to_string(k));
    const auto type = first_line(cache / "type");
    if (type.empty()) return 0;
    if (type != "Instruction" && first_line(cache / "level") == std::to_string(level))
      return bytes_of(first_line(cache / "size"));
  }
}

}  // namespace gossamer
