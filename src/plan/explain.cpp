#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text.hpp"
#include "gossamer/plan.hpp"

namespace gossamer {

std::string explanation::text() const {
  std::string out =
      formatted("{}: {}\nchosen {}\n  because {}\n", operation, problem, chosen, because);
  if (expected_calls > 1) out += formatted("  weighed over {} calls\n", count_text(expected_calls));
  if (memory_limit > 0) out += formatted("  within {}\n", bytes_text(memory_limit));
  out += "considered\n";
  for (const auto& [kernel, deterministic, v, measured] : all) {
    if (v.possible) {
      out += formatted("  {:<30} predicted {:>9}", kernel, seconds_text(v.run_seconds));
      if (v.prepare_seconds > 0)
        out += formatted(" after {} once", seconds_text(v.prepare_seconds));
      if (measured)
        out += formatted(", measured {} after {} once", seconds_text(measured->run_seconds),
                         seconds_text(measured->prepare_seconds));
      out += formatted(", {}{}\n", v.because, deterministic ? "" : " (not bitwise reproducible)");
    } else {
      out += formatted("  {:<30} no: {}\n", kernel, v.because);
    }
  }
  if (!phases.empty()) out += "measured\n";
  for (const auto& [name, seconds, bytes] : phases)
    out +=
        formatted("  {:<10} {:>9}, {:>9} to move, {:.1f} GB/s\n", name, seconds_text(seconds),
                  bytes_text(static_cast<index_t>(bytes)), bytes / 1e9 / std::max(seconds, 1e-9));
  return out;
}

std::string explanation::json() const {
  nlohmann::ordered_json out{{"operation", operation},
                             {"problem", problem},
                             {"chosen", chosen},
                             {"because", because},
                             {"expected_calls", expected_calls},
                             {"memory_limit", memory_limit}};
  auto& list = out["considered"] = nlohmann::ordered_json::array();
  for (const auto& [kernel, deterministic, v, measured] : all) {
    list.push_back({{"kernel", kernel},
                    {"deterministic", deterministic},
                    {"possible", v.possible},
                    {"prepare_seconds", v.prepare_seconds},
                    {"run_seconds", v.run_seconds},
                    {"bytes", v.bytes},
                    {"because", v.because}});
    if (measured)
      list.back()["measured"] = {{"prepare_seconds", measured->prepare_seconds},
                                 {"run_seconds", measured->run_seconds},
                                 {"runs", measured->runs}};
  }
  if (!phases.empty()) {
    auto& parts = out["phases"] = nlohmann::ordered_json::array();
    for (const auto& [name, seconds, bytes] : phases)
      parts.push_back({{"name", name}, {"seconds", seconds}, {"bytes", bytes}});
  }
  return out.dump(2);
}

std::ostream& operator<<(std::ostream& out, const explanation& why) { return out << why.text(); }

}  // namespace gossamer
