#include "bench/report/roofline.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace gossamer::bench {

namespace {

// Series, as both renderers colour them.
constexpr int memory_series = 0, ours_series = 1, device_series = 2, peer_series = 3,
              cache_series = 4, outer_series = 5;
constexpr int curve_samples = 64;
constexpr double paper_bytes = 16;  // two 4-byte indices and 8 bytes of value
/// A column and a value.
double csr_entry_bytes(const std::string& type) { return type == "f32" ? 8 : 12; }

std::string rate(double bytes_per_second) {
  return bytes_per_second < 1e12 ? formatted("{:.3g} GB/s", bytes_per_second / 1e9)
                                 : formatted("{:.3g} TB/s", bytes_per_second / 1e12);
}

std::string threads_text(int threads) {
  return formatted("{} thread{}", threads, threads == 1 ? "" : "s");
}

// y = f(x) at powers of a common factor from one end of the axis to the other.
template <class Function>
std::vector<point> sampled(const log_axis& axis, Function&& f) {
  std::vector<point> points;
  for (int i = 0; i <= curve_samples; ++i) {
    const double x = axis.low * std::pow(axis.high / axis.low, double(i) / curve_samples);
    points.push_back({x, f(x)});
  }
  return points;
}

void add_ceiling(plot& shown, const std::string& name, double bytes_per_second, int series,
                 stroke style) {
  if (!(bytes_per_second > 0)) return;
  shown.curves.push_back({formatted("{} {}", name, rate(bytes_per_second)),
                          sampled(shown.x, [=](double x) { return x * bytes_per_second / 1e9; }),
                          series, style, naming::along});
}

std::vector<mark_group> groups_of(const std::vector<roof_point>& points) {
  std::vector<mark_group> groups;
  for (const bool device : {false, true})
    for (const bool peer : {false, true})
      if (std::any_of(points.begin(), points.end(),
                      [=](const roof_point& p) { return p.device == device && p.peer == peer; }))
        groups.push_back(
            {formatted("{}{}", peer ? "fastest peer" : "Gossamer", device ? ", on the device" : ""),
             device ? device_series
             : peer ? peer_series
                    : ours_series,
             peer ? plot_mark::shape::ring : plot_mark::shape::disc});
  return groups;
}

plot_mark mark_of(const roof_point& p, point at) {
  return {formatted("{}: {}, {:.3g} GFLOP/s", p.label, p.contestant, p.gflops), at,
          p.device ? device_series
          : p.peer ? peer_series
                   : ours_series,
          p.peer ? plot_mark::shape::ring : plot_mark::shape::disc};
}

// The fastest of some kind in a case; null when there is none.
template <class Fits>
const record* fastest(const raced_case& c, Fits&& fits) {
  const record* best = nullptr;
  for (const auto& r : c.records)
    if (r.mode == "whole" && fits(r) && (best == nullptr || r.gflops > best->gflops)) best = &r;
  return best;
}

bool drawn(const raced_case& c, int threads, const std::string& operation) {
  return c.threads == threads && c.bytes > 0 && c.flop > 0 &&
         (operation.empty() || c.operation == operation);
}

std::string label_of(const raced_case& c, const std::string& operation) {
  return operation.empty() ? c.operation + " " + c.name() : c.name();
}

}  // namespace

double spgemm_intensity(spgemm_bound bound, double cf, double b) {
  switch (bound) {
    case spgemm_bound::upper: return cf / b;
    case spgemm_bound::row: return cf / ((2 + cf) * b);
    default: return cf / ((3 + 2 * cf) * b);
  }
}

double spgemm_gflops(spgemm_bound bound, double compression, double bytes_per_entry,
                     double bytes_per_second) {
  return 2 * spgemm_intensity(bound, compression, bytes_per_entry) * bytes_per_second / 1e9;
}

std::vector<roof_point> points_of(const results& from, int threads, const std::string& operation) {
  std::vector<roof_point> points;
  for (const auto& c : from.cases) {
    if (!drawn(c, threads, operation)) continue;
    for (const bool device : {false, true}) {
      const auto here = [=](const record& r) { return (r.backend == "cuda") == device; };
      const record* ours =
          fastest(c, [&](const record& r) { return here(r) && r.kind == record_kind::choice; });
      if (ours == nullptr)
        ours = fastest(c, [&](const record& r) { return here(r) && r.kind != record_kind::peer; });
      const record* peer =
          fastest(c, [&](const record& r) { return here(r) && r.kind == record_kind::peer; });
      for (const record* r : {ours, peer})
        if (r != nullptr && r->gflops > 0)
          points.push_back({label_of(c, operation),
                            r->contestant == "best" ? r->kernel : r->contestant, c.flop / c.bytes,
                            r->gflops, c.compression, r == peer, device});
    }
  }
  return points;
}

std::vector<case_phases> phases_by_case(const results& from, int threads,
                                        const std::string& operation) {
  std::vector<case_phases> all;
  for (const auto& c : from.cases) {
    if (!drawn(c, threads, operation)) continue;
    const phased_case one{&c, triad_of(from, threads)};
    if (auto phases = phases_of({&one, 1}); !phases.empty())
      all.push_back({label_of(c, operation), std::move(phases)});
  }
  return all;
}

std::vector<device_roof> devices_of(const results& from) {
  std::vector<device_roof> roofs;
  for (const auto& d : from.devices)
    if (d.copy > 0) roofs.push_back({d.name, d.copy, d.gather});
  return roofs;
}

plot ceilings_plot(const roofline& known) {
  const auto& drawn = known.stream.back();
  plot shown{"What memory allows",
             formatted("{}; each operand counted once", threads_text(drawn.threads)),
             {"operations per byte", 1.0 / 64, 4},
             {"GFLOP/s", 1, 2},
             {},
             {},
             groups_of(known.points)};
  for (const auto& p : known.points) shown.x.include(p.intensity);
  shown.y = {"GFLOP/s", 0.25, 0.5};
  shown.y.include(shown.x.low * 2 * drawn.triad / 1e9);
  shown.y.include(drawn.triad / 1e9);
  for (const auto& p : known.points) {
    shown.y.include(p.gflops * 1.5), shown.y.include(p.gflops / 1.5);
    shown.marks.push_back(mark_of(p, {p.intensity, p.gflops}));
  }
  for (const auto& d : known.devices) {
    shown.y.include(d.copy / 4e9);
    add_ceiling(shown, d.name, d.copy, device_series, stroke::strong);
    if (d.gather > 0)
      shown.curves.push_back({formatted("{} gathers {:.3g} G/s", d.name, d.gather / 1e9),
                              sampled(shown.x, [&](double) { return 2 * d.gather / 1e9; }),
                              device_series, stroke::dashed, naming::along});
  }
  if (!known.caches.empty()) {
    const auto& caches = known.caches.back();
    shown.y.include(caches.l1 / 2e9);
    add_ceiling(shown, "L1", caches.l1, cache_series, stroke::solid);
    add_ceiling(shown, "L2", caches.l2, cache_series, stroke::solid);
    add_ceiling(shown, "L3", caches.l3, cache_series, stroke::solid);
  }
  add_ceiling(shown, "memory (triad)", drawn.triad, memory_series, stroke::strong);
  for (std::size_t i = 0; i + 1 < known.stream.size(); ++i)
    add_ceiling(shown, "memory, " + threads_text(known.stream[i].threads), known.stream[i].triad,
                memory_series, stroke::faint);
  return shown;
}

std::vector<spgemm_prediction> predictions_of(const roofline& known, const std::string& type) {
  std::vector<spgemm_prediction> all;
  for (const auto& p : known.points) {
    if (p.compression <= 0 || p.device) continue;
    const auto predicted = [&](spgemm_bound bound, double b) {
      return 1e3 * spgemm_gflops(bound, p.compression, b, known.stream.back().triad);
    };
    all.push_back({.label = p.label,
                   .contestant = p.contestant,
                   .compression = p.compression,
                   .upper = predicted(spgemm_bound::upper, paper_bytes),
                   .row = predicted(spgemm_bound::row, paper_bytes),
                   .outer = predicted(spgemm_bound::outer, paper_bytes),
                   .row_stored = predicted(spgemm_bound::row, csr_entry_bytes(type)),
                   .attained = 1e3 * p.gflops});
  }
  return all;
}

plot spgemm_plot(const roofline& known, const std::string& type) {
  const auto& drawn = known.stream.back();
  const double csr_bytes = csr_entry_bytes(type);
  plot shown{"Sparse times sparse: bounds by compression",
             formatted("at the triad of {}, {}; solid b = 16, dashed b = {} (CSR, {})",
                       threads_text(drawn.threads), rate(drawn.triad), csr_bytes, type),
             {"compression factor cf = products / entries of C", 1, 32},
             {"GFLOP/s", 1, 2},
             {},
             {},
             {}};
  std::vector<roof_point> points;
  for (const auto& p : known.points)
    if (p.compression > 0 && !p.device) points.push_back(p);
  shown.groups = groups_of(points);
  for (const auto& p : points) shown.x.include(p.compression);
  const auto value = [&](spgemm_bound bound, double cf, double b) {
    return spgemm_gflops(bound, cf, b, drawn.triad);
  };
  const double least = value(spgemm_bound::outer, shown.x.low, paper_bytes);
  shown.y = {"GFLOP/s", std::exp2(std::floor(std::log2(least))),
             std::exp2(std::floor(std::log2(least)) + 1)};
  shown.y.include(value(spgemm_bound::upper, shown.x.high, paper_bytes));
  for (const auto& p : points) {
    shown.y.include(p.gflops / 1.2), shown.y.include(p.gflops * 1.2);
    shown.marks.push_back(mark_of(p, {p.compression, p.gflops}));
  }
  struct named_bound {
    spgemm_bound bound;
    const char* name;
    int series;
  };
  for (const auto& [bound, name, series] :
       {named_bound{spgemm_bound::upper, "only C is written: cf/b", memory_series},
        named_bound{spgemm_bound::row, "row by row: cf/((2+cf)b)", device_series},
        named_bound{spgemm_bound::outer, "all products stored: cf/((3+2cf)b)", outer_series}}) {
    const auto curve_for = [&, which = bound](double b) {
      return sampled(shown.x, [&](double cf) { return value(which, cf, b); });
    };
    shown.curves.push_back({name, curve_for(paper_bytes), series, stroke::solid, naming::end});
    shown.curves.push_back({formatted("same, b = {}", csr_bytes), curve_for(csr_bytes), series,
                            stroke::dashed, naming::hidden});
  }
  return shown;
}

}  // namespace gossamer::bench
