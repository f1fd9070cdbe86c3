// gossamer roofline: bounds by this machine's memory bandwidth, and how close results come.
#include <sys/ioctl.h>
#include <unistd.h>

#include <set>

#include "base/text.hpp"
#include "bench/report/roofline.hpp"
#include "bench/session/devices.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/bench_report.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "io/files/atomic_file.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer roofline
  gossamer roofline --threads 1,2,4 --svg roofline.svg
  gossamer roofline --points results.jsonl --operation spgemm

Measures STREAM and the bandwidth of each cache per number of threads; takes some seconds on an idle
machine. Ceilings and points are those of the largest number of threads. docs/guide/roofline.md has the
model.)";

struct roofline_request {
  std::vector<int> threads;
  std::string points, operation, svg, type = "f64";
  bool as_json = false;
};

// Charts are as wide as the terminal, within reason.
int chart_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::clamp<int>(size.ws_col - 1, 60, 120);
}

std::vector<int> threads_of(const roofline_request& asked) {
  std::set<int> wanted(asked.threads.begin(), asked.threads.end());
  if (wanted.empty()) wanted = {1, this_machine().cores};
  return {wanted.begin(), wanted.end()};
}

void measure(bench::roofline& found, const std::vector<int>& threads) {
  progress ticker;
  for (const int n : threads) {
    ticker.stage(formatted("measuring memory and caches, {} threads", n));
    found.stream.push_back(measure_stream(n));
    found.caches.push_back(bench::measure_caches(n));
  }
  ticker.finish();
}

std::string rate(double bytes_per_second) {
  return bytes_per_second > 0 ? formatted("{:.1f}", bytes_per_second / 1e9) : "-";
}

void print_rates(const bench::roofline& found) {
  print_heading("GB/s");
  table shown({"threads", "copy", "scale", "add", "triad", "L1", "L2", "L3", "memory, read"},
              ">>>>>>>>>");
  for (std::size_t i = 0; i < found.stream.size(); ++i) {
    const auto& s = found.stream[i];
    const auto& c = found.caches[i];
    shown.row({std::to_string(s.threads), rate(s.copy), rate(s.scale), rate(s.add), rate(s.triad),
               rate(c.l1), rate(c.l2), rate(c.l3), rate(c.memory)});
  }
  shown.print();
  for (const auto& d : found.devices)
    print("{}: copy {:.0f} GB/s{}\n", d.name, d.copy / 1e9,
          d.gather > 0 ? formatted(", {:.3g} billion random reads/s", d.gather / 1e9) : "");
}

/// A line per kernel and case; phases that only some kernels have leave gaps.
void print_phases(const std::vector<bench::case_phases>& cases) {
  if (cases.empty()) return;
  bench::document_table shown{{"case", "phases of"}, "<<", {}};
  const auto column = [&](const std::string& name) {
    auto& names = shown.heading;
    auto at = std::find(names.begin() + 2, names.end(), name);
    if (at == names.end()) at = names.insert(at, name), shown.align += '>';
    return static_cast<std::size_t>(at - names.begin());
  };
  for (const auto& [label, phases] : cases) {
    const std::string* before = nullptr;
    for (const auto& p : phases) {
      if (!before || *before != p.kernel) shown.rows.push_back({label, p.kernel});
      before = &p.kernel;
      auto& row = shown.rows.back();
      const auto at = column(p.name);
      row.resize(std::max(row.size(), at + 1));
      row[at] = rate(p.rate()) + (p.share() ? formatted(" ({:.0f} %)", 100 * *p.share()) : "");
    }
  }
  for (auto& row : shown.rows) row.resize(shown.heading.size());
  print("\n");
  print_heading("GB/s of the phases (share of STREAM)");
  print_fitted(shown);
}

/// What the bounds predict for every sparse product, and what was attained.
void print_predictions(const std::vector<bench::spgemm_prediction>& all) {
  if (all.empty()) return;
  bench::document_table shown{
      {"case", "by", "cf", "C alone", "stored", "by rows", "as CSR", "attained", "of by rows"},
      "<<>>>>>>>",
      {}};
  const auto whole = [](double value) { return formatted("{:.0f}", value); };
  for (const auto& p : all)
    shown.rows.push_back({p.label, p.contestant, formatted("{:.2f}", p.compression), whole(p.upper),
                          whole(p.outer), whole(p.row), whole(p.row_stored), whole(p.attained),
                          formatted("{:.0f} %", 100 * p.attained / p.row)});
  print("\n");
  print_heading("MFLOP/s of sparse products: bounds (b = 16, and as CSR stores it) and attained");
  print_fitted(shown);
}

json as_json(const bench::roofline& found, const std::string& type) {
  json stream = json::array(), caches = json::array(), devices = json::array(),
       points = json::array();
  for (const auto& s : found.stream)
    stream.push_back({{"threads", s.threads},
                      {"copy", s.copy},
                      {"scale", s.scale},
                      {"add", s.add},
                      {"triad", s.triad}});
  for (const auto& c : found.caches) {
    json sweep = json::array();
    for (const auto& s : c.sweep)
      sweep.push_back({{"bytes_per_thread", s.bytes}, {"bytes_per_second", s.bytes_per_second}});
    caches.push_back({{"threads", c.threads},
                      {"l1", c.l1},
                      {"l2", c.l2},
                      {"l3", c.l3},
                      {"memory", c.memory},
                      {"sweep", sweep}});
  }
  for (const auto& d : found.devices)
    devices.push_back({{"name", d.name}, {"copy", d.copy}, {"gather", d.gather}});
  for (const auto& p : found.points)
    points.push_back({{"case", p.label},
                      {"contestant", p.contestant},
                      {"peer", p.peer},
                      {"device", p.device},
                      {"intensity", p.intensity},
                      {"gflops", p.gflops},
                      {"compression", p.compression > 0 ? json(p.compression) : json(nullptr)}});
  json predictions = json::array();
  for (const auto& p : bench::predictions_of(found, type))
    predictions.push_back({{"case", p.label},
                           {"contestant", p.contestant},
                           {"compression", p.compression},
                           {"upper", p.upper},
                           {"row", p.row},
                           {"outer", p.outer},
                           {"row_stored", p.row_stored},
                           {"attained", p.attained}});
  json phases = json::array();
  for (const auto& c : found.phases)
    phases.push_back({{"case", c.label}, {"phases", bench::phases_json(c.phases)}});
  const machine& here = this_machine();
  return {{"command", "roofline"}, {"cpu", here.cpu},  {"cores", here.cores},
          {"stream", stream},      {"caches", caches}, {"devices", devices},
          {"points", points},      {"phases", phases}, {"mflops", predictions}};
}

void add_points(bench::roofline& found, const roofline_request& asked, const bench::results& from,
                int threads) {
  found.devices = bench::devices_of(from);
  found.points = bench::points_of(from, threads, asked.operation);
  found.phases = bench::phases_by_case(from, threads, asked.operation);
  if (found.points.empty())
    throw fail(error_kind::bad_input,
               "{} has no {}case with {} threads to draw: give --threads as in the file",
               asked.points, asked.operation.empty() ? "" : asked.operation + " ", threads);
  // A roof without points only compresses the chart.
  const bool any = std::any_of(found.points.begin(), found.points.end(),
                               [](const bench::roof_point& p) { return p.device; });
  if (!any) found.devices.clear();
}

std::vector<bench::device_roof> devices_here() {
  std::vector<bench::device_roof> roofs;
  for (const auto& d : bench::describe_devices()) {
    double gather = 0;
    for (const auto& g : d.at("gathers"))
      gather = std::max(gather, g.at("per_second").get<double>());
    roofs.push_back({d.at("name"), d.at("copy"), gather});
  }
  return roofs;
}

void write_svg(const std::string& destination, const std::vector<bench::plot>& plots) {
  io::atomic_file file(destination);
  file.write(bench::to_svg(plots, "Roofline of " + this_machine().cpu));
  file.commit();
}

exit_code run_roofline(const roofline_request& asked) {
  const std::vector<int> threads = threads_of(asked);
  bench::roofline found;
  std::optional<bench::results> from;
  if (!asked.points.empty()) {
    from = bench::read_results(asked.points);
    add_points(found, asked, *from, threads.back());
  }
  measure(found, threads);
  if (asked.points.empty()) found.devices = devices_here();
  std::vector<bench::plot> plots{bench::ceilings_plot(found)};
  if (asked.operation.empty() || asked.operation == "spgemm")
    plots.push_back(bench::spgemm_plot(found, asked.type));
  if (!asked.svg.empty()) write_svg(asked.svg, plots);
  if (asked.as_json) {
    print_json(as_json(found, asked.type));
    return exit_code::done;
  }
  print_rates(found);
  for (const auto& p : plots) {
    print("\n");
    print_heading(p.title);
    print("{}\n", p.note);
    print_drawing(bench::draw(p, chart_columns(), 20));
  }
  print_predictions(bench::predictions_of(found, asked.type));
  print_phases(found.phases);
  if (from && !(from->cpu == this_machine().cpu && from->cores == this_machine().cores))
    print(
        "\nThe points are from another machine ({}, {} cores); the ceilings are of this "
        "one.\n",
        from->cpu, from->cores);
  return exit_code::done;
}

}  // namespace

void add_roofline(const command& program, action& chosen) {
  auto asked = std::make_shared<roofline_request>();
  const command roofline = program.add_subcommand(
      "roofline", "Bounds by memory bandwidth, and how close results come", closing);
  roofline.add_option(
      "--threads", asked->threads, "Numbers of threads; default 1 and all cores",
      {.shown_as = "N,N", .by_commas = true, .within = bounds{.least = 1, .most = 1024}});
  roofline.add_option("--points", asked->points,
                      "Draw results of 'gossamer bench ... --out' as points", {.shown_as = "FILE"});
  add_choice(roofline, "--operation", asked->operation, {"spmv", "spmm", "spgemm"},
             "Only points of spmv, spmm or spgemm");
  add_type(roofline, asked->type);
  roofline.add_option("--svg", asked->svg, "Also draw into a file", {.shown_as = "FILE"});
  add_json(roofline, asked->as_json);
  roofline.when_chosen([asked, &chosen] { chosen = [asked] { return run_roofline(*asked); }; });
}

}  // namespace gossamer::cli
