// gossamer bench: measures kernels and peers on matrices; records as JSON lines.

#include <cstdlib>

#include "base/text.hpp"
#include "bench/records/lines.hpp"
#include "bench/report/results.hpp"
#include "bench/session/session.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/explore/page.hpp"
#include "cli/output/bench_table.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/compress.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer bench spmv cant.mtx --all-kernels --compare all
  gossamer bench spgemm --suite standard --compare eigen,graphblas --out results.jsonl
  gossamer bench spmm rmat:scale=14,edge-factor=8 --columns 8,32,128 --type f32,f64
  gossamer bench --suite papers --out papers.jsonl --report papers.html
  gossamer bench report results.jsonl

Every result is checked against plain sums before any time counts: a wrong one has no time and ends
with exit code 1. Contestants take turns, so that disturbances hit all alike. A run that was
interrupted goes on where it stopped when it is started again with the same --out.
docs/guide/benchmarking.md says what the numbers mean.)";

struct bench_request {
  bench::request run;
  std::vector<std::string> words, on, types;
  std::string suite, matrices, out, right, report;
  bool transpose = false, fresh = false, as_json = false, full = false;
};

class terminal_watch final : public bench::session_watch {
 public:
  explicit terminal_watch(bool quiet) : quiet_(quiet) {}
  void stage(const std::string& what) override { ticker_.stage(where_ + what); }
  progress_callback share() override { return ticker_.callback(); }
  void case_begins(const bench::case_spec&, std::size_t number, std::size_t of,
                   double left) override {
    where_ = formatted("[{} of {}{}] ", number, of,
                       left < 0 ? "" : formatted(", {} left", rough_time(left)));
  }
  void case_ended(const bench::json& result) override {
    if (quiet_) return;
    ticker_.aside([&] { print_case(result); });
  }
  void case_skipped(const bench::case_spec& what, const std::string& why) override {
    ticker_.aside([&] { print_error("{} {}: {}\n", what.on->name, what.operation, why); });
  }
  void finish() { ticker_.finish(); }

 private:
  static std::string rough_time(double seconds) {
    return seconds < 90 ? formatted("{:.0f} s", seconds) : formatted("{:.0f} min", seconds / 60);
  }
  progress ticker_;
  std::string where_;
  bool quiet_;
};

std::vector<backend> backends_of(const std::vector<std::string>& words) {
  if (words.empty()) return {backend::openmp};
  std::vector<backend> places;
  for (const auto& word : words) {
    bool known = false;
    for (const auto b : {backend::reference, backend::openmp, backend::cuda})
      if (name(b) == word) {
        places.push_back(b);
        known = true;
      }
    if (!known) throw usage_error("--on " + word + ": there are reference, openmp and cuda");
  }
  return places;
}

/// Parses the arguments, and fills in defaults.
bench::request complete(const bench_request& asked) {
  bench::request run = asked.run;
  run.on = backends_of(asked.on);
  if (asked.full) run.kept = bench::record_detail::full;
  for (const auto place : run.on)  // peers may support backends that we do not
    if (!available(place) && run.compare.empty())
      throw fail(error_kind::not_available, "--on {}: {}", name(place), why_not_available(place));
  const bool on_device = std::find(run.on.begin(), run.on.end(), backend::cuda) != run.on.end();
  if (run.ceiling && (run.operation != "spmv" || !on_device))
    throw usage_error("--ceiling times flat passes of SpMV on a device",
                      "bench spmv --on cuda --ceiling");
  run.types.clear();
  for (const auto& type : asked.types)
    run.types.push_back(type == "f32" ? value_type::f32 : value_type::f64);
  if (run.types.empty()) run.types = {value_type::f64};
  if (run.threads.empty()) run.threads = {context::openmp().threads()};
  run.subjects = bench::subjects_from(asked.words);
  if (!asked.right.empty() || asked.transpose)
    for (auto& one : run.subjects) {
      if (!asked.right.empty()) one.right = {asked.right};
      one.transpose = asked.transpose;
    }
  if (!asked.suite.empty()) {
    auto suite = bench::load_suite(asked.suite, asked.matrices);
    for (auto& one : suite.subjects) run.subjects.push_back(std::move(one));
  }
  if (run.subjects.empty())
    throw usage_error("nothing to measure: name matrices, or a suite with --suite",
                      "built-in suites: " + joined(bench::built_in_suites(), ", "));
  if (!run.labels.empty() && bench::cases_of(run).empty())
    throw usage_error(
        formatted("nothing to measure: no {} case has the label '{}'", run.operation,
                  joined(run.labels, "' or '")),
        "labels are exact; some are for GPUs and need --large: docs/guide/suites.md lists them");
  for (const auto& id : run.kernels) {
    const auto all = kernels();
    if (std::none_of(all.begin(), all.end(), [&](const auto& k) { return k.id == id; }))
      throw usage_error("there is no kernel '" + id + "'", "gossamer info --kernels lists them");
  }
  return run;
}

bench::json earlier_results(const bench_request& asked) {
  std::error_code ignored;
  if (asked.out.empty() || asked.fresh || !std::filesystem::exists(asked.out, ignored)) return {};
  const std::string text = bench::results_text(asked.out);
  try {
    return bench::looks_like_lines(text) ? bench::from_lines(text) : bench::json::parse(text);
  } catch (const std::exception& e) {
    throw fail(
        error_kind::bad_input,
        "{} exists, but is not a results file ({}); choose another, or --fresh to replace it",
        asked.out, e.what());
  }
}

void write_results(const std::string& destination, const bench::json& results) {
  io::atomic_file file(destination);
  const std::string text = bench::to_lines(results);
  file.write(destination.ends_with(".gz") ? io::deflate_block(text, io::deflate_form::gzip_member)
                                          : text);
  file.commit();
}

exit_code code_of(const bench::outcome& ended) {
  if (ended.wrong > 0)
    return report_failure({exit_code::wrong_result, "wrong result",
                           formatted("{} wrong {}; they were not timed", ended.wrong,
                                     ended.wrong == 1 ? "result" : "results"),
                           ""},
                          {});
  if (ended.failed > 0)
    return report_failure({exit_code::bad_input, "bad input",
                           formatted("{} {} could not be measured; the reasons are above",
                                     ended.failed, ended.failed == 1 ? "case" : "cases"),
                           ""},
                          {});
  return exit_code::done;
}

/// The request for one operation of a suite; nothing where the suite has no case of it.
std::optional<bench::request> part_of_suite(const bench_request& asked,
                                            const std::string& operation) {
  bench_request part = asked;
  part.run.operation = operation;
  part.run.labels.clear();
  bench::request run = complete(part);
  run.labels = asked.run.labels;
  // All pairs of formats on every matrix would take hours; the paper has five.
  if (operation == "convert" && run.labels.empty()) run.labels = {"Anzt Fig. 16"};
  if (bench::cases_of(run).empty()) return {};
  return run;
}

/// Every operation of a suite, one after the other, into one file of results.
exit_code run_suite(const bench_request& asked) {
  if (asked.suite.empty())
    throw usage_error("nothing to measure: name an operation, or a suite with --suite",
                      "gossamer bench spmv A.mtx, or gossamer bench --suite papers");
  if (!asked.out.empty()) require_writable(asked.out);
  if (!asked.report.empty()) require_writable(asked.report);
  bench::json results = earlier_results(asked);
  terminal_watch watch(asked.as_json);
  const auto keep = [&] {
    if (!asked.out.empty()) write_results(asked.out, results);
  };
  bench::this_world here;
  bench::outcome all;
  const stopwatch since;
  for (const auto* operation : {"spmv", "spmm", "spgemm", "convert"}) {
    auto run = part_of_suite(asked, operation);
    if (!run) continue;
    if (run->time_limit > 0 && (run->time_limit -= since.seconds()) <= 0) break;
    const auto ended = bench::run_session(*run, results, here, watch, keep);
    all.wrong += ended.wrong;
    all.failed += ended.failed;
  }
  watch.finish();
  if (results.empty())
    throw usage_error("nothing to measure: no case of the suite has that label",
                      "labels are exact; some are for GPUs and need --large: "
                      "docs/guide/suites.md lists them");
  if (!asked.report.empty()) {
    io::atomic_file file(asked.report);
    file.write(
        report_page({{asked.out.empty() ? asked.suite : asked.out, bench::to_lines(results)}}));
    file.commit();
  }
  if (asked.as_json) print_json(results);
  return code_of(all);
}

exit_code run_bench(const bench_request& asked) {
  const bench::request run = complete(asked);
  if (!asked.out.empty()) require_writable(asked.out);
  bench::json results = earlier_results(asked);
  terminal_watch watch(asked.as_json);
  const auto keep = [&] {
    if (!asked.out.empty()) write_results(asked.out, results);
  };
  bench::this_world here;
  const bench::outcome ended = bench::run_session(run, results, here, watch, keep);
  watch.finish();
  if (asked.as_json) print_json(results);
  return code_of(ended);
}

void add_selection(const command& to, bench_request& asked) {
  auto& run = asked.run;
  to.add_option("--suite", asked.suite, "A built-in suite, or a JSON file (docs/guide/suites.md)",
                {.shown_as = "NAME|FILE"});
  to.add_option("--matrices", asked.matrices, "The folder that suite 'real' measures",
                {.shown_as = "FOLDER", .environment = "GOSSAMER_MATRICES"});
  to.add_option("--label", run.labels,
                "Only matrices of a suite with this label: 'Gu Fig. 7', 'Dalton Table 9'",
                {.shown_as = "LABEL"});
  to.add_flag("--large", run.large, "Include the matrices a suite marks for GPUs and large hosts");
  to.add_option("--type", asked.types, "f64 (default), f32, or both",
                {.by_commas = true, .one_of = {"f32", "f64"}});
  to.add_option("--threads", run.threads, "Numbers of threads; default all cores",
                {.by_commas = true, .within = bounds{.least = 1, .most = 4096}});
  to.add_option("--on", asked.on, "Backends: openmp (default), cuda, reference",
                {.by_commas = true});
  add_seed(to, run.seed);
}

void add_field(const command& to, bench_request& asked) {
  auto& run = asked.run;
  to.add_flag("--all-kernels", run.all_kernels,
              "Measure every kernel that can run there, each in its format");
  to.add_option("--kernel", run.kernels, "Kernels by id; default: the library's choice alone",
                {.by_commas = true, .excludes = "--all-kernels"});
  to.add_flag("--hyb-splits", run.hyb_splits,
              "Measure HYB kernels with each of the five split strategies");
  to.add_flag("--ceiling", run.ceiling,
              "SpMV on a device: also time plain streaming passes over A, a bound for any kernel");
  to.add_option("--compare", run.compare, "Peers by name, or all", {.by_commas = true});
  to.add_option("--expected-calls", run.expected_calls,
                "options::expected_calls of our plans; default 1", {.positive = true});
}

void add_method(const command& to, bench_request& asked) {
  auto& run = asked.run;
  to.add_option("--time-limit", run.time_limit,
                "End after this many seconds; a case that is not finished then is left out",
                {.shown_as = "S", .positive = true});
  to.add_option("--case-seconds", run.by.seconds, "Time for the samples of one case; default 3",
                {.shown_as = "S", .positive = true});
  to.add_option("--out", asked.out,
                "Write the records here after every case, as JSON lines; resumable",
                {.shown_as = "FILE[.gz]"});
  to.add_flag("--full", asked.full, "Keep every sample and every kernel's verdict in the records");
  to.add_flag("--fresh", asked.fresh, "Overwrite --out instead of resuming it");
  add_json(to, asked.as_json);
}

void add_race(const command& bench, action& chosen, const std::string& operation,
              const std::string& about) {
  auto asked = std::make_shared<bench_request>();
  asked->run.operation = operation;
  const command race = bench.add_subcommand(operation, about, closing);
  race.add_option("MATRIX", asked->words,
                  "Files, folders of files, or recipes like rmat:scale=14,edge-factor=8");
  add_selection(race, *asked);
  if (operation != "convert") add_field(race, *asked);
  add_method(race, *asked);
  if (operation == "spmm")
    race.add_option("--columns", asked->run.columns, "Columns of the dense factor; default 32",
                    {.by_commas = true, .positive = true});
  if (operation == "spgemm") {
    race.add_option("--right", asked->right,
                    "The right factor: A (default), transposed, a file or a recipe",
                    {.shown_as = "WHAT"});
    race.add_flag("--transpose", asked->transpose, "The transpose of A on the left");
  }
  race.when_chosen([asked, &chosen] { chosen = [asked] { return run_bench(*asked); }; });
}

/// bench --suite NAME without an operation: all of them, every kernel, one page at the end.
void add_whole_suite(const command& bench, action& chosen) {
  auto asked = std::make_shared<bench_request>();
  asked->run.all_kernels = true;
  add_selection(bench, *asked);
  bench.add_option("--compare", asked->run.compare, "Peers by name, or all", {.by_commas = true});
  add_method(bench, *asked);
  bench.add_option("--report", asked->report, "Write the explorer's page with the results",
                   {.shown_as = "PAGE.html"});
  bench.when_chosen([asked, &chosen] {
    if (!chosen) chosen = [asked] { return run_suite(*asked); };  // no operation was named
  });
}

}  // namespace

void add_bench(const command& program, action& chosen) {
  const command bench =
      program.add_subcommand("bench", "Measure kernels and peers on matrices", closing);
  add_whole_suite(bench, chosen);
  add_race(bench, chosen, "spmv", "y = A x");
  add_race(bench, chosen, "spmm", "C = A B with a dense B");
  add_race(bench, chosen, "spgemm", "C = A B, both sparse");
  add_race(bench, chosen, "convert", "Conversions of format, in multiples of one SpMV");
  add_bench_report(bench, chosen);
  add_bench_compare(bench, chosen);
}

}  // namespace gossamer::cli
