// A summary as JSON, for programs.
#include <cmath>

#include "bench/race/statistics.hpp"
#include "bench/report/document.hpp"

namespace gossamer::bench {

namespace {

using json = nlohmann::ordered_json;

const char* word(record_kind kind) {
  switch (kind) {
    case record_kind::kernel: return "kernel";
    case record_kind::choice: return "choice";
    case record_kind::conversion: return "conversion";
    default: return "peer";
  }
}

json standing_json(const standing& s) {
  json profile = json::array();
  for (const double t : {1.0, 1.1, 1.25, 1.5, 2.0, 4.0, 8.0})
    profile.push_back({{"factor", t}, {"share", share_within(s.ratios, t)}});
  return {
      {"contestant", s.contestant}, {"kind", word(s.kind)},
      {"sorted", s.sorted},         {"cases", s.ratios.size()},
      {"profile", profile},         {"bandwidth_share", s.share ? json(*s.share) : json(nullptr)}};
}

json contest_json(const contest& c) {
  json standings = json::array(), duels = json::array(), regret = nullptr;
  for (const auto& s : c.standings) standings.push_back(standing_json(s));
  for (const auto& d : c.duels)
    duels.push_back({{"against", d.against},
                     {"class", d.matrix_class.empty() ? json(nullptr) : json(d.matrix_class)},
                     {"cases", d.cases},
                     {"geomean", d.geomean},
                     {"worst", d.worst},
                     {"worst_case", d.worst_case},
                     {"best", d.best},
                     {"best_case", d.best_case}});
  if (c.regret)
    regret = {{"cases", c.regret->cases},   {"geomean", c.regret->geomean},
              {"worst", c.regret->worst},   {"worst_case", c.regret->worst_case},
              {"chosen", c.regret->chosen}, {"better", c.regret->better}};
  return {{"operation", c.key.operation},
          {"type", c.key.type},
          {"place", c.key.place},
          {"threads", c.key.threads},
          {"columns", c.key.columns},
          {"mode", c.key.mode},
          {"cases", c.cases},
          {"standings", standings},
          {"duels", duels},
          {"regret", regret},
          {"phases", phases_json(c.phases)}};
}

}  // namespace

json phases_json(const std::vector<phase_total>& phases) {
  json list = json::array();
  for (const auto& p : phases)
    list.push_back({{"kernel", p.kernel},
                    {"name", p.name},
                    {"cases", p.cases},
                    {"seconds", p.seconds},
                    {"bytes", p.bytes},
                    {"stream_share", p.share() ? json(*p.share()) : json(nullptr)}});
  return list;
}

json to_json(const summary& found, const std::vector<results>& files,
             const summary_request& asked) {
  json names = json::array(), contests = json::array(), conversions = json::array(),
       refused = json::array();
  for (const auto& f : files) names.push_back(f.file);
  for (const auto& c : found.contests) contests.push_back(contest_json(c));
  for (const auto& c : found.conversions)
    conversions.push_back({{"contestant", c.contestant},
                           {"cases", c.cases},
                           {"geomean", c.geomean},
                           {"worst", c.worst},
                           {"worst_case", c.worst_case}});
  for (const auto& r : found.refused)
    refused.push_back({{"contestant", r.contestant},
                       {"wrong", r.wrong},
                       {"why", r.why},
                       {"cases", r.cases},
                       {"first_on", r.example}});
  return {
      {"command", "bench report"},  {"files", names},
      {"baseline", asked.baseline}, {"caches", asked.caches == temperature::warm ? "warm" : "cold"},
      {"contests", contests},       {"conversions", conversions},
      {"refused", refused}};
}

}  // namespace gossamer::bench
