#include "bench/report/summary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"

namespace gossamer::bench {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct entrant {
  const record* from;
  double seconds;
};
// The contestants of one case that belong to one contest.
struct heat {
  const raced_case* from;
  std::vector<entrant> entrants;
  double triad;
};
using heats = std::map<contest_key, std::vector<heat>>;

std::optional<double> seconds_of(const record& r, temperature caches) {
  if (caches == temperature::warm) return r.warm.median;
  return r.cold ? std::optional(r.cold->median) : std::nullopt;
}

bool wanted(const raced_case& c, const summary_request& asked) {
  return (asked.operation.empty() || asked.operation == c.operation) &&
         (asked.type.empty() || asked.type == c.type) &&
         (asked.threads == 0 || asked.threads == c.threads);
}

contest_key key_of(const raced_case& c, const record& r) {
  const bool device = r.backend == "cuda";
  return {c.operation, c.type, device ? r.backend : "host", r.mode, device ? 0 : c.threads,
          c.columns};
}

heats arrange(const std::vector<results>& files, const summary_request& asked) {
  heats arranged;
  for (const auto& file : files)
    for (const auto& c : file.cases) {
      if (!wanted(c, asked)) continue;
      std::map<contest_key, heat> here;
      for (const auto& r : c.records)
        if (const auto seconds = seconds_of(r, asked.caches);
            seconds && r.kind != record_kind::conversion) {
          heat& mine =
              here.try_emplace(key_of(c, r), heat{&c, {}, triad_of(file, c.threads)}).first->second;
          mine.entrants.push_back({&r, *seconds});
        }
      for (auto& [key, mine] : here) arranged[key].push_back(std::move(mine));
    }
  return arranged;
}

bool shown(const record& r, const summary_request& asked) {
  return asked.shown == field::everyone || r.kind != record_kind::kernel ||
         r.contestant == asked.baseline;
}

bool refused_in(const heat& h, const std::string& contestant) {
  const std::string& mode = h.entrants.front().from->mode;  // the same for all of a contest
  return std::any_of(h.from->refused.begin(), h.from->refused.end(), [&](const refusal& r) {
    return r.contestant == contestant && (r.mode.empty() || r.mode == mode);
  });
}

// Warm shares are stored; a cold one is as much smaller as the cold time is longer.
double share_of(const entrant& e) {
  return e.from->bandwidth_share * e.from->warm.median / e.seconds;
}

std::vector<standing> standings_of(const std::vector<heat>& group, const summary_request& asked) {
  std::map<std::string, standing> found;
  std::map<std::string, std::vector<double>> shares;
  for (const auto& h : group)
    for (const auto& e : h.entrants)
      if (shown(*e.from, asked)) {
        standing& s = found[e.from->contestant];
        s.contestant = e.from->contestant, s.kind = e.from->kind, s.sorted = e.from->sorted;
        if (e.from->bandwidth_share > 0) shares[s.contestant].push_back(share_of(e));
      }
  for (const auto& h : group) {
    double best = never;
    for (const auto& e : h.entrants)
      if (shown(*e.from, asked)) best = std::min(best, e.seconds);
    for (const auto& e : h.entrants)
      if (shown(*e.from, asked)) found[e.from->contestant].ratios.push_back(e.seconds / best);
    for (auto& [name, s] : found)
      if (refused_in(h, name)) s.ratios.push_back(never);
  }
  std::vector<standing> ordered;
  for (auto& [name, s] : found) {
    if (!shares[name].empty()) s.share = geomean(shares[name]);
    ordered.push_back(std::move(s));
  }
  // Sorted by the area under the profile, here its mean over a few factors.
  const auto area = [](const standing& s) {
    double sum = 0;
    for (const double t : {1.0, 1.1, 1.25, 1.5, 2.0, 4.0, 8.0}) sum += share_within(s.ratios, t);
    return sum;
  };
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](const auto& a, const auto& b) { return area(a) > area(b); });
  return ordered;
}

struct bout {
  double ratio;
  const raced_case* from;
};

void add_duels(std::vector<duel>& duels, const std::string& against,
               const std::vector<bout>& bouts) {
  std::map<std::string, std::vector<bout>> classes;
  for (const auto& b : bouts) {
    classes[""].push_back(b);
    classes[b.from->matrix_class].push_back(b);
  }
  for (const auto& [matrix_class, members] : classes) {
    if (!matrix_class.empty() && classes.size() == 2) continue;  // the same as all
    std::vector<double> ratios;
    for (const auto& b : members) ratios.push_back(b.ratio);
    const auto [worst, best] =
        std::minmax_element(members.begin(), members.end(),
                            [](const bout& a, const bout& b) { return a.ratio < b.ratio; });
    duels.push_back({against, matrix_class, members.size(), geomean(ratios), worst->ratio,
                     best->ratio, worst->from->name(), best->from->name()});
  }
}

const entrant* find(const heat& h, const std::string& contestant) {
  const auto at = std::find_if(h.entrants.begin(), h.entrants.end(),
                               [&](const entrant& e) { return e.from->contestant == contestant; });
  return at == h.entrants.end() ? nullptr : &*at;
}

template <class Fits>
std::vector<bout> against_best(const std::vector<heat>& group, const std::string& baseline,
                               Fits&& fits) {
  std::vector<bout> bouts;
  for (const auto& h : group) {
    const entrant* mine = find(h, baseline);
    double best = never;
    for (const auto& e : h.entrants)
      if (e.from->kind == record_kind::peer && fits(*e.from)) best = std::min(best, e.seconds);
    if (mine != nullptr && best < never) bouts.push_back({best / mine->seconds, h.from});
  }
  return bouts;
}

std::vector<duel> duels_of(const contest_key& key, const std::vector<heat>& group,
                           const std::string& baseline) {
  std::set<std::string> opponents;
  bool unsorted = false;
  for (const auto& h : group)
    for (const auto& e : h.entrants)
      if (e.from->kind == record_kind::peer) {
        opponents.insert(e.from->contestant);
        unsorted |= !e.from->sorted;
      }
  std::vector<duel> duels;
  for (const auto& name : opponents)
    add_duels(duels, name,
              against_best(group, baseline, [&](const record& r) { return r.contestant == name; }));
  if (opponents.size() > 1)
    add_duels(duels, "best peer",
              against_best(group, baseline, [](const record&) { return true; }));
  if (key.operation == "spgemm" && unsorted)
    add_duels(duels, "best sorting peer",
              against_best(group, baseline, [](const record& r) { return r.sorted; }));
  return duels;
}

std::optional<regret_summary> regret_of(const std::vector<heat>& group) {
  regret_summary found;
  std::vector<double> regrets;
  for (const auto& h : group) {
    const bool raced = std::any_of(h.entrants.begin(), h.entrants.end(), [](const entrant& e) {
      return e.from->kind == record_kind::choice;
    });
    if (!raced || !h.from->choice) continue;
    const raced_choice& choice = *h.from->choice;
    regrets.push_back(choice.regret);
    if (regrets.size() > 1 && choice.regret <= found.worst) continue;
    found.worst = choice.regret, found.worst_case = h.from->name();
    found.chosen = choice.kernel, found.better = choice.best;
  }
  if (regrets.empty()) return std::nullopt;
  found.cases = regrets.size();
  found.geomean = geomean(regrets);
  return found;
}

std::vector<phase_total> phases_in(const std::vector<heat>& group) {
  std::vector<phased_case> cases;
  for (const auto& h : group) cases.push_back({h.from, h.triad});
  return phases_of(cases);
}

std::vector<refused_group> refusals(const std::vector<results>& files,
                                    const summary_request& asked) {
  std::vector<refused_group> groups;
  for (const auto& file : files)
    for (const auto& c : file.cases) {
      if (!wanted(c, asked)) continue;
      for (const auto& r : c.refused) {
        auto at = std::find_if(groups.begin(), groups.end(), [&](const refused_group& g) {
          return g.contestant == r.contestant && g.why == r.why && g.wrong == r.wrong;
        });
        if (at == groups.end())
          at = groups.insert(at, {r.contestant, r.why, c.operation + " " + c.name(), r.wrong, 0});
        ++at->cases;
      }
    }
  std::stable_partition(groups.begin(), groups.end(), [](const auto& g) { return g.wrong; });
  return groups;
}

// Where the baseline did not run, our kernels replace it.
summary_request shown_in(const std::vector<heat>& group, summary_request asked) {
  const bool runs = std::any_of(group.begin(), group.end(),
                                [&](const heat& h) { return find(h, asked.baseline) != nullptr; });
  if (!runs) asked.shown = field::everyone;
  return asked;
}

// spmv, spmm, spgemm; the host before devices; whole products before numeric halves.
auto reading_order(const contest_key& key) {
  const int operation = key.operation == "spmv"     ? 0
                        : key.operation == "spmm"   ? 1
                        : key.operation == "spgemm" ? 2
                                                    : 3;
  return std::tuple(operation, key.columns, key.type, key.place != "host", key.mode != "whole",
                    key.threads);
}

std::vector<conversion_summary> conversions_of(const std::vector<results>& files,
                                               const summary_request& asked) {
  std::map<std::string, conversion_summary> found;
  std::map<std::string, std::vector<double>> multiples;
  for (const auto& file : files)
    for (const auto& c : file.cases)
      for (const auto& r : c.records) {
        if (!wanted(c, asked) || r.kind != record_kind::conversion || !(r.spmv_multiples > 0))
          continue;
        conversion_summary& here = found[r.contestant];
        multiples[r.contestant].push_back(r.spmv_multiples);
        if (r.spmv_multiples > here.worst)
          here.worst = r.spmv_multiples, here.worst_case = c.name();
      }
  std::vector<conversion_summary> ordered;
  for (auto& [name, one] : found) {
    one.contestant = name;
    one.cases = multiples[name].size();
    one.geomean = geomean(multiples[name]);
    ordered.push_back(std::move(one));
  }
  return ordered;
}

}  // namespace

std::string contest_key::title() const {
  std::string text = operation;
  if (operation == "spmm") text += formatted(", {} columns", columns);
  text += ", " + type;
  text += place == "host" ? formatted(", {} thread{}", threads, threads == 1 ? "" : "s")
                          : ", on " + place;
  if (mode != "whole") text += ", " + mode + " only (structure known)";
  return text;
}

summary summarise(const std::vector<results>& files, const summary_request& asked) {
  summary found;
  for (const auto& [key, group] : arrange(files, asked)) {
    contest c{key, group.size(), standings_of(group, shown_in(group, asked)),
              duels_of(key, group, asked.baseline), std::nullopt};
    if (key.mode == "whole") c.regret = regret_of(group);
    if (key.mode == "whole" && key.place == "host" && asked.caches == temperature::warm)
      c.phases = phases_in(group);
    found.contests.push_back(std::move(c));
  }
  std::stable_sort(found.contests.begin(), found.contests.end(), [](const auto& a, const auto& b) {
    return reading_order(a.key) < reading_order(b.key);
  });
  found.conversions = conversions_of(files, asked);
  found.refused = refusals(files, asked);
  return found;
}

}  // namespace gossamer::bench
