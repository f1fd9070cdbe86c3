// gossamer bench report: summarises results as charts and tables, as Markdown or as JSON.
#include "cli/commands/bench_report.hpp"

#include "base/text.hpp"
#include "bench/report/document.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"
#include "io/files/atomic_file.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer bench report results.jsonl
  gossamer bench report results.jsonl --operation spgemm --threads 2 --markdown report.md
  gossamer bench report host.jsonl device.jsonl --cold --kernels

Only contestants of one case are compared: they were measured side by side. The profile tells on
which share of the cases a contestant is within a factor of the fastest; refused cases count as
never. Speeds are times of the other over times of the baseline: more than 1 is faster.)";

constexpr std::size_t widest_table = 100;

struct report_request {
  std::vector<std::string> files;
  std::string markdown;
  bench::summary_request summary;
  bool cold = false, kernels = false, as_json = false;
};

void print_section(const bench::section& s) {
  print_heading(s.heading);
  for (const auto& paragraph : s.before) print("{}\n", wrapped(paragraph, widest_table));
  if (!s.chart.empty()) print_drawing(s.chart);
  for (const auto& t : s.tables) {
    print("\n");
    print_fitted(t);
  }
  if (!s.after.empty()) print("\n");
  for (const auto& paragraph : s.after) print("{}\n", wrapped(paragraph, widest_table));
}

void write_markdown(const std::string& destination, const std::string& text) {
  io::atomic_file file(destination);
  file.write(text);
  file.commit();
}

exit_code run_report(report_request asked) {
  if (asked.as_json && asked.markdown == "-")
    throw usage_error("--json and --markdown - both want stdout", "give --markdown a file name");
  if (asked.cold) asked.summary.caches = bench::temperature::cold;
  if (asked.kernels) asked.summary.shown = bench::field::everyone;
  std::vector<bench::results> files;
  for (const auto& file : asked.files) files.push_back(bench::read_results(file));
  const auto found = bench::summarise(files, asked.summary);
  if (found.contests.empty() && found.conversions.empty())
    throw fail(error_kind::bad_input,
               "{} no record that fits --operation, --type, --threads and --cold: leave some out",
               files.size() == 1 ? asked.files.front() + " has" : "the files have");
  const auto document = bench::describe(found, files, asked.summary);
  if (asked.markdown == "-")
    print("{}", bench::to_markdown(document));
  else if (!asked.markdown.empty())
    write_markdown(asked.markdown, bench::to_markdown(document));
  if (asked.as_json) {
    print_json(bench::to_json(found, files, asked.summary));
  } else if (asked.markdown.empty()) {
    bool first = true;
    for (const auto& s : document) {
      if (!std::exchange(first, false)) print("\n");
      print_section(s);
    }
  }
  return exit_code::done;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string lines;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (used > 0 && used + 1 + end - at > columns) lines += '\n', used = 0;
    if (used > 0) lines += ' ', ++used;
    lines.append(text, at, end - at);
    used += end - at;
    at = end + 1;
  }
  return lines;
}

void print_fitted(const bench::document_table& wide) {
  const auto fits = bench::fitted(wide, widest_table);
  table shown(fits.heading, fits.align);
  for (const auto& row : fits.rows) shown.row(row);
  shown.print();
}

void print_drawing(const std::vector<bench::drawn_line>& lines) {
  const painter out = painter::for_stdout();
  for (const auto& line : lines) {
    std::string text;
    for (const auto& part : line)
      text += part.series < 0 ? part.text : out.series(part.series, part.text);
    text.erase(text.find_last_not_of(' ') + 1);
    print("{}\n", text);
  }
}

void add_bench_report(const command& bench, action& chosen) {
  auto asked = std::make_shared<report_request>();
  const command report = bench.add_subcommand(
      "report", "Summarise results: performance profiles, speedups, regret", closing);
  report.add_option("FILE", asked->files, "Results written by 'gossamer bench ... --out'",
                    {.required = true});
  report.add_option("--markdown", asked->markdown,
                    "Write tables for GitHub to a file instead, or to stdout (-)",
                    {.shown_as = "FILE"});
  report.add_option("--baseline", asked->summary.baseline,
                    "The contestant to compare with the peers; default best, the library's choice",
                    {.shown_as = "NAME"});
  add_choice(report, "--operation", asked->summary.operation, {"spmv", "spmm", "spgemm", "convert"},
             "Only spmv, spmm, spgemm or convert");
  add_choice(report, "--type", asked->summary.type, {"f32", "f64"}, "Only f32 or f64");
  report.add_option("--threads", asked->summary.threads, "Only cases with this many threads",
                    {.shown_as = "N", .within = bounds{.least = 1, .most = 1024}});
  report.add_flag("--cold", asked->cold, "Use first calls with empty caches instead of warm ones");
  report.add_flag("--kernels", asked->kernels, "Show each of our kernels, not only the chosen one");
  add_json(report, asked->as_json);
  report.when_chosen([asked, &chosen] { chosen = [asked] { return run_report(*asked); }; });
}

}  // namespace gossamer::cli
