// The parts of a record that are not measured.
#include <algorithm>
#include <ctime>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"
#include "bench/records/build_facts.hpp"
#include "bench/session/case.hpp"
#include "bench/session/devices.hpp"
#include "gossamer/analysis.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/version.hpp"

namespace gossamer::bench {

namespace {

/// As in 2026-11-15T08:00:00Z.
std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

json describe_machine() {
  const machine& here = this_machine();
  return {{"cpu", here.cpu}, {"cores", here.cores},   {"l1", here.l1},    {"l2", here.l2},
          {"l3", here.l3},   {"memory", here.memory}, {"simd", here.simd}};
}

json describe_bandwidths(const std::vector<int>& threads, world& in, session_watch& watch) {
  json all = json::array();
  for (const int t : threads) {
    watch.stage(
        formatted("measuring memory bandwidth with {} {}", t, t == 1 ? "thread" : "threads"));
    const stream_result s = in.bandwidth(t);
    all.push_back(
        {{"threads", t}, {"copy", s.copy}, {"scale", s.scale}, {"add", s.add}, {"triad", s.triad}});
  }
  return all;
}

json describe_method(const request& asked) {
  return {{"seed", asked.seed},
          {"least_rounds", asked.by.least_rounds},
          {"most_rounds", asked.by.most_rounds},
          {"spread", asked.by.spread},
          {"seconds_per_case", asked.by.seconds},
          {"expected_calls", asked.expected_calls}};
}

template <scalar T>
json describe_features(const factors<T>& of) {
  const matrix_analysis found = analyse(context::best(), of.a);
  json features = {{"rows", found.shape.rows},
                   {"cols", found.shape.cols},
                   {"nnz", found.nnz},
                   {"row_min", found.rows.min},
                   {"row_mean", found.rows.mean},
                   {"row_max", found.rows.max},
                   {"row_deviation", found.rows.deviation},
                   {"imbalance", found.rows.imbalance},
                   {"bandwidth", found.bandwidth},
                   {"symmetry", found.pattern_symmetry}};
  if (of.product != operation::spgemm) return features;
  const index_t products = count_products(context::best(), of.a, of.sparse());
  features["flop"] = products;
  features["expansion"] =
      found.nnz > 0 ? static_cast<double>(products) / static_cast<double>(found.nnz) : 0;
  return features;
}

}  // namespace

json describe_context(const request& asked, const peer_set& peers, world& in,
                      session_watch& watch) {
  const auto& build = build_facts();
  json loaded = json::array(), missing = json::array(), devices = json::array();
  for (const auto* one : peers.peers)
    loaded.push_back({{"name", one->name},
                      {"title", one->title},
                      {"version", one->version},
                      {"backend", one->backend}});
  for (const auto& one : peers.absent) missing.push_back({{"name", one.name}, {"why", one.why}});
  if (std::find(asked.on.begin(), asked.on.end(), backend::cuda) != asked.on.end()) {
    watch.stage("measuring the device");
    devices = describe_devices();
  }
  return {{"date", now_in_utc()},
          {"version", version()},
          {"commit", build.commit},
          {"dirty", build.dirty},
          {"build",
           {{"compiler", build.compiler},
            {"type", build.type},
            {"flags", build.flags},
            {"openmp", build.openmp},
            {"cuda", build.cuda}}},
          {"machine", describe_machine()},
          {"bandwidth", describe_bandwidths(asked.threads, in, watch)},
          {"devices", devices},
          {"peers", loaded},
          {"missing", missing},
          {"method", describe_method(asked)}};
}

template <scalar T>
json describe_case(const case_spec& what, const factors<T>& of) {
  json described = {{"operation", what.operation},
                    {"matrix",
                     {{"name", what.on->name},
                      {"source", what.on->source},
                      {"class", what.on->kind},
                      {"labels", what.on->labels}}}};
  if (what.on->transpose) described["matrix"]["transposed"] = true;
  if (what.operation == "spgemm") described["right"] = what.on->right_text();
  described["type"] = name(what.type);
  described["threads"] = what.threads;
  described["columns"] = what.columns;
  described["features"] = describe_features(of);
  return described;
}

json describe_series(const series& taken, record_detail kept) {
  const auto [low, high] = median_interval(taken.seconds);
  json timing = {{"median", median(taken.seconds)},
                 {"min", *std::min_element(taken.seconds.begin(), taken.seconds.end())},
                 {"low", low},
                 {"q1", quantile(taken.seconds, 0.25)},
                 {"q3", quantile(taken.seconds, 0.75)},
                 {"high", high},
                 {"count", taken.seconds.size()},
                 {"calls_per_sample", taken.calls_per_sample},
                 {"spread", relative_spread(taken.seconds)},
                 {"disturbed", taken.disturbed}};
  if (kept == record_detail::full) timing["samples"] = taken.seconds;
  return timing;
}

json describe_phases(const std::vector<phase>& measured) {
  json list = json::array();
  for (const auto& [name, seconds, bytes] : measured)
    list.push_back({{"name", name}, {"seconds", seconds}, {"bytes", bytes}});
  return list;
}

template json describe_case(const case_spec&, const factors<float>&);
template json describe_case(const case_spec&, const factors<double>&);

}  // namespace gossamer::bench
