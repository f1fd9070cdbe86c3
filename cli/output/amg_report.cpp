#include "cli/output/amg_report.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "bench/report/canvas.hpp"

namespace gossamer::cli {

namespace {

/// Share of the set-up that Dalton, Bell and Olson (2015, Fig. 1) measured in sparse products,
/// about.
constexpr double share_in_the_paper = 0.5;

struct part {
  std::string_view name, about;
  double amg::setup_times::*seconds;
};
constexpr part parts[] = {
    {"strength", "strong connections, diagonals", &amg::setup_times::strength},
    {"aggregation", "MIS-2 and aggregates", &amg::setup_times::aggregation},
    {"prolongator", "QR of aggregates, smoothing", &amg::setup_times::prolongator},
    {"transpose", "P'", &amg::setup_times::transpose},
    {"product_1", "first product (SpGEMM)", &amg::setup_times::first_product},
    {"product_2", "second product (SpGEMM)", &amg::setup_times::second_product},
    {"coarsest", "direct solver", &amg::setup_times::coarsest},
    {"plans", "spectra, plans of SpMV", &amg::setup_times::plans},
    {"copies", "between host and device", &amg::setup_times::copies},
};

json describe_times(const amg::setup_times& t) {
  json told;
  for (const auto& p : parts) told[std::string(p.name)] = t.*p.seconds;
  told["total"] = t.total;
  told["spgemm_share"] = t.total > 0 ? t.products() / t.total : 0;
  return told;
}

std::string bar(double share, int width) {
  const int eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  constexpr std::string_view ends[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  return text + std::string(ends[eighths % 8]);
}

void print_levels(const amg_run& done) {
  print_heading("\nhierarchy");
  table shown({"level", "rows", "nonzeros", "per row", "aggregates", "nonzeros of P", "weak",
               "spectrum", "A x by"},
              ">>>>>>>><");
  for (std::size_t l = 0; l < done.stats.levels.size(); ++l) {
    const auto& on = done.stats.levels[l];
    const auto unless_zero = [](index_t n) { return n > 0 ? count_text(n) : std::string("-"); };
    shown.row({formatted("{}", l), count_text(on.rows), count_text(on.nnz),
               formatted("{:.1f}", static_cast<double>(on.nnz) / static_cast<double>(on.rows)),
               unless_zero(on.aggregates), unless_zero(on.prolongator_nnz), unless_zero(on.weak),
               formatted("{:.2f}", on.spectrum), on.kernel});
  }
  shown.print();
  print_field("complexity",
              formatted("operators {:.2f}, grids {:.2f}", done.stats.operator_complexity(),
                        done.stats.grid_complexity()));
  print_field("coarsest", done.stats.coarsest);
}

void print_times(const amg_run& done) {
  const auto& t = done.stats.times;
  const painter paint = painter::for_stdout();
  print_heading(formatted("\nset-up  {}", seconds_text(t.total)));
  const auto line = [&](std::string_view name, double share, const std::string& text, int series) {
    print("  {:<30} {:>5.1f} %  {}{}\n", name, 100 * share, paint.series(series, bar(share, 30)),
          text);
  };
  for (const auto& p : parts) {
    const double seconds = t.*p.seconds;
    if (seconds <= 0) continue;
    const bool product = p.seconds == &amg::setup_times::first_product ||
                         p.seconds == &amg::setup_times::second_product;
    line(p.about, seconds / t.total, "  " + seconds_text(seconds), product ? 1 : 0);
  }
  line("all SpGEMM", t.products() / t.total, "", 1);
  line("  Dalton et al. 2015, on a GPU", share_in_the_paper, "", 2);
}

/// The residuals over the iterations, on a logarithmic scale.
void print_residuals(const std::vector<double>& residuals) {
  if (residuals.size() < 3) return;
  constexpr int height = 10, width = 60;
  const auto log_of = [](double r) { return std::log10(std::max(r, 1e-17)); };
  const auto [low, high] = std::minmax_element(residuals.begin(), residuals.end());
  const double top = std::ceil(log_of(*high)), bottom = std::min(top - 1, std::floor(log_of(*low)));
  bench::canvas on(width, height);
  const auto at = [&](std::size_t i) {
    return bench::point{static_cast<double>(i) / static_cast<double>(residuals.size() - 1),
                        (log_of(residuals[i]) - bottom) / (top - bottom)};
  };
  for (std::size_t i = 1; i < residuals.size(); ++i) on.line(at(i - 1), at(i), 0);
  std::vector<std::string> left(height);
  left.front() = formatted("1e{:+03.0f}", top);
  left.back() = formatted("1e{:+03.0f}", bottom);
  const std::string last = formatted("{} iterations", residuals.size() - 1);
  const std::vector<bench::axis_label> below{
      {0, "0"}, {std::max(2, width - static_cast<int>(last.size())), last}};
  const painter paint = painter::for_stdout();
  for (const auto& line : bench::framed(on, left, below)) {
    std::string text;
    for (const auto& piece : line)
      text += piece.series < 0 ? piece.text : paint.series(piece.series, piece.text);
    text.erase(text.find_last_not_of(' ') + 1);
    print("  {}\n", text);
  }
}

void print_solve(const amg_run& done, const amg_solve& solve) {
  const painter paint = painter::for_stdout();
  const auto& r = solve.result;
  const std::string ending = formatted("{}: {}", name(r.outcome), r.because);
  print_field("solved by",
              formatted("{}, {} cycle, {} of {} {}", name(done.solve_options.method),
                        name(done.setup.cycle), name(done.setup.smoother),
                        done.setup.smoother == amg::smoother::jacobi ? "sweeps:" : "degree",
                        done.setup.sweeps));
  print_field("result", r.converged() ? paint.good(ending) : paint.bad(ending));
  if (solve.error) print_field("error of x", formatted("{:.1e}", *solve.error));
  print_field("time", seconds_text(r.seconds));
}

void print_updates(const amg_run& done) {
  if (done.updates.empty()) return;
  print_heading("\nnew values, the same structure");
  table shown({"", "set-up", "faster than in full", "SpGEMM", "iterations", "solve"}, "<>>>>>");
  const double whole = done.stats.times.total;
  for (std::size_t u = 0; u < done.updates.size(); ++u) {
    const auto& t = done.updates[u];
    shown.row({u == 0 ? "1, with plans" : formatted("{}", u + 1), seconds_text(t.total),
               formatted("{:.2f} x", whole / t.total),
               formatted("{:.0f} %", 100 * t.products() / t.total),
               formatted("{}", done.solves[u + 1].result.iterations),
               seconds_text(done.solves[u + 1].result.seconds)});
  }
  shown.print();
}

}  // namespace

json describe(const amg_run& done) {
  json levels = json::array(), solves = json::array(), updates = json::array();
  for (const auto& on : done.stats.levels)
    levels.push_back({{"rows", on.rows},
                      {"nnz", on.nnz},
                      {"aggregates", on.aggregates},
                      {"prolongator_nnz", on.prolongator_nnz},
                      {"weak", on.weak},
                      {"spectrum", on.spectrum},
                      {"kernel", on.kernel}});
  for (const auto& s : done.solves) {
    solves.push_back({{"outcome", name(s.result.outcome)},
                      {"because", s.result.because},
                      {"iterations", s.result.iterations},
                      {"residual", s.result.residual},
                      {"residuals", s.result.residuals},
                      {"seconds", s.result.seconds}});
    if (s.error) solves.back()["error"] = *s.error;
  }
  for (const auto& t : done.updates) updates.push_back(describe_times(t));
  return {{"matrix", done.source},
          {"type", done.type},
          {"backend", done.backend},
          {"threads", done.threads},
          {"symmetric", done.symmetric},
          {"method", name(done.solve_options.method)},
          {"smoother", name(done.setup.smoother)},
          {"sweeps", done.setup.sweeps},
          {"cycle", name(done.setup.cycle)},
          {"product", name(done.setup.product)},
          {"tolerance", done.solve_options.tolerance},
          {"levels", levels},
          {"operator_complexity", done.stats.operator_complexity()},
          {"grid_complexity", done.stats.grid_complexity()},
          {"coarsest", done.stats.coarsest},
          {"setup", describe_times(done.stats.times)},
          {"updates", updates},
          {"solves", solves}};
}

void print_run(const amg_run& done) {
  const auto& finest = done.stats.levels.front();
  print_field("A", formatted("{}  {} x {}, {} nonzeros, {}{}", done.source, count_text(finest.rows),
                             count_text(finest.rows), count_text(finest.nnz), done.type,
                             done.symmetric ? ", symmetric" : ", not symmetric"));
  print_field("on", done.backend == "cuda"
                        ? "cuda"
                        : formatted("{}, {} threads", done.backend, done.threads));
  print_levels(done);
  print_times(done);
  print_heading(formatted("\nsolve  {}", seconds_text(done.solves.front().result.seconds)));
  print_residuals(done.solves.front().result.residuals);
  print_solve(done, done.solves.front());
  print_updates(done);
  print("\n");
}

}  // namespace gossamer::cli
