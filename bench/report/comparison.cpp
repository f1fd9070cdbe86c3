#include "bench/report/comparison.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"

namespace gossamer::bench {

namespace {

using case_key = std::tuple<std::string, std::string, std::string, std::string, int, long long>;
using record_key = std::pair<std::string, std::string>;  // contestant, mode
using records = std::map<record_key, const record*>;

case_key key_of(const raced_case& c) {
  return {c.operation, c.matrix, c.right, c.type, c.threads, c.columns};
}

std::string title_of(const raced_case& c) {
  std::string text = c.operation + " " + c.name();
  if (c.operation == "spmm") text += formatted(", {} columns", c.columns);
  return text + formatted(", {}, {} thread{}", c.type, c.threads, c.threads == 1 ? "" : "s");
}

std::string contestant_of(const record_key& key) {
  return key.second == "whole" ? key.first : key.first + " (" + key.second + ")";
}

records by_key(const raced_case& c) {
  records found;
  for (const auto& r : c.records) found[{r.contestant, r.mode}] = &r;
  return found;
}

measured time_of(const record& r) { return {r.warm.median, r.warm.range}; }

// Geometric mean of several times; the interval is that of the means of the bounds.
measured mean_of(const std::vector<measured>& times) {
  std::vector<double> values, low, high;
  for (const auto& t : times) {
    values.push_back(t.value);
    low.push_back(t.range.low), high.push_back(t.range.high);
  }
  return {geomean(values), {geomean(low), geomean(high)}};
}

// The noise of the peers adds to that of the ratio: each bound is divided by the opposite one.
measured over(const measured& time, const measured& unit) {
  return {time.value / unit.value,
          {time.range.low / unit.range.high, time.range.high / unit.range.low}};
}

struct units {
  bool there = false;
  measured before, after;
};

enum class side { host, device };
side side_of(const record& r) { return r.backend == "cuda" ? side::device : side::host; }

// Peers of the host or of a device: one says nothing about the speed of the other.
units common_peers(const records& old, const records& now, side where,
                   std::set<std::string>& names) {
  std::vector<measured> before, after;
  for (const auto& [key, r] : old) {
    const auto at = now.find(key);
    if (r->kind != record_kind::peer || at == now.end() || side_of(*r) != where) continue;
    before.push_back(time_of(*r)), after.push_back(time_of(*at->second));
    names.insert(contestant_of(key));
  }
  if (before.empty()) return {};
  return {true, mean_of(before), mean_of(after)};
}

class comparer {
 public:
  comparer(comparison& into, const comparison_request& asked) : into_(into), asked_(asked) {}

  void one_case(const raced_case& before, const raced_case& after) {
    const records old = by_key(before), now = by_key(after);
    const std::string title = title_of(before);
    units host, device;
    if (into_.by == yardstick::ratio) {
      host = common_peers(old, now, side::host, peers_);
      device = common_peers(old, now, side::device, peers_);
    }
    for (const auto& [key, r] : old)
      if (!now.contains(key)) into_.only_old.push_back(title + ": " + contestant_of(key));
    for (const auto& [key, r] : now) {
      const units& unit = side_of(*r) == side::device ? device : host;
      const auto at = old.find(key);
      if (at == old.end())
        into_.only_new.push_back(title + ": " + contestant_of(key));
      else if (!unit.there && !into_.same_machine && into_.by == yardstick::ratio)
        into_.incomparable.push_back(title + ": " + contestant_of(key));
      else if (!(unit.there && r->kind == record_kind::peer))
        add(title, key, *at->second, *r, unit);
    }
  }

  void finish() {
    into_.peers.assign(peers_.begin(), peers_.end());
    std::stable_sort(into_.changes.begin(), into_.changes.end(), [](const auto& a, const auto& b) {
      const bool peer_a = a.kind == record_kind::peer, peer_b = b.kind == record_kind::peer;
      return peer_a != peer_b ? peer_b : a.factor() > b.factor();
    });
  }

 private:
  void add(const std::string& title, const record_key& key, const record& old, const record& now,
           const units& unit) {
    change c{title,        contestant_of(key), now.kind,  time_of(old),
             time_of(now), verdict::same,      unit.there};
    if (unit.there) c.before = over(c.before, unit.before), c.after = over(c.after, unit.after);
    c.outcome = judge(c.before, c.after, asked_.threshold);
    into_.changes.push_back(std::move(c));
  }

  comparison& into_;
  const comparison_request& asked_;
  std::set<std::string> peers_;
};

std::map<case_key, const raced_case*> cases_of(const results& file) {
  std::map<case_key, const raced_case*> found;
  for (const auto& c : file.cases) found[key_of(c)] = &c;
  return found;
}

}  // namespace

verdict judge(const measured& before, const measured& after, double threshold) {
  if (after.range.low > before.range.high && after.value > before.value * (1 + threshold))
    return verdict::slower;
  if (after.range.high < before.range.low && before.value > after.value * (1 + threshold))
    return verdict::faster;
  return verdict::same;
}

std::size_t comparison::count(verdict outcome) const {
  return static_cast<std::size_t>(std::count_if(
      changes.begin(), changes.end(),
      [=](const change& c) { return c.outcome == outcome && c.kind != record_kind::peer; }));
}

comparison compare(const results& before, const results& after, const comparison_request& asked) {
  comparison found;
  found.same_machine = before.same_machine(after);
  found.by = asked.by;
  if (asked.by == yardstick::automatic)
    found.by = found.same_machine ? yardstick::time : yardstick::ratio;
  const auto old = cases_of(before), now = cases_of(after);
  comparer with(found, asked);
  for (const auto& [key, c] : old) {
    if (const auto at = now.find(key); at != now.end())
      with.one_case(*c, *at->second);
    else
      found.only_old.push_back(title_of(*c));
  }
  for (const auto& [key, c] : now)
    if (!old.contains(key)) found.only_new.push_back(title_of(*c));
  with.finish();
  return found;
}

}  // namespace gossamer::bench
