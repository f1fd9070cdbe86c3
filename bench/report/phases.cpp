#include "bench/report/phases.hpp"

#include <algorithm>

namespace gossamer::bench {

namespace {

bool counts(const raced_case& c, const record& r) {
  if (r.mode != "whole" || r.phases.empty() || r.backend == "cuda") return false;
  return r.kind == record_kind::kernel ||
         (r.kind == record_kind::choice &&
          std::none_of(c.records.begin(), c.records.end(), [&](const record& other) {
            return other.kind == record_kind::kernel && other.mode == r.mode &&
                   other.backend == r.backend && other.kernel == r.kernel;
          }));
}

phase_total& find(std::vector<phase_total>& all, const std::string& kernel,
                  const std::string& name) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const phase_total& t) {
    return t.kernel == kernel && t.name == name;
  });
  if (at != all.end()) return *at;
  phase_total fresh;
  fresh.kernel = kernel, fresh.name = name;
  // Behind the others of its kernel.
  const auto last = std::find_if(all.rbegin(), all.rend(),
                                 [&](const phase_total& t) { return t.kernel == kernel; });
  return *all.insert(last == all.rend() ? all.end() : last.base(), fresh);
}

}  // namespace

std::optional<double> phase_total::share() const {
  if (!triad_known || !(seconds > 0)) return std::nullopt;
  return at_triad / seconds;
}

std::vector<phase_total> phases_of(std::span<const phased_case> cases) {
  std::vector<phase_total> all;
  for (const auto& [from, triad] : cases)
    for (const auto& r : from->records) {
      if (!counts(*from, r)) continue;
      for (const auto& p : r.phases) {
        phase_total& sum = find(all, r.kernel, p.name);
        ++sum.cases;
        sum.seconds += p.seconds;
        sum.bytes += p.bytes;
        if (triad > 0)
          sum.at_triad += p.bytes / triad;
        else
          sum.triad_known = false;
      }
    }
  for (auto& one : all)
    for (const auto& other : all)
      if (other.kernel == one.kernel) one.all_seconds += other.seconds;
  return all;
}

double triad_of(const results& file, int threads) {
  for (const auto& b : file.bandwidth)
    if (b.threads == threads) return b.triad;
  return 0;
}

}  // namespace gossamer::bench
