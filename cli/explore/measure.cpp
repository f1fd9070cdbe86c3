#include "cli/explore/measure.hpp"

#include <algorithm>
#include <ctime>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"
#include "bench/subjects/product.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/explore/structure.hpp"
#include "cli/output/report.hpp"
#include "gossamer/analysis.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/validate.hpp"
#include "gossamer/version.hpp"

namespace gossamer::cli {

namespace {

constexpr index_t dense_columns = 32, expected_calls = 1000;
constexpr int least_rounds = 5, most_rounds = 31;
constexpr double sample_seconds = 1e-3;  // shorter products are repeated within a sample
constexpr double left_behind = 20;       // so much slower than the fastest: one sample is enough

/// One kernel, or the library's choice, on one product.
struct lane {
  std::string name, kernel;  // the record's contestant; the id, "" for the choice
  std::string held = "csr";
  any_matrix<double> held_matrix = {};
  std::optional<bench::prepared_product<double>> product = {};
  double convert = 0, prepare = 0, first = 0, error = 0;
  index_t calls = 1;
  std::vector<double> samples = {};
  explanation why = {};

  double median() const { return bench::median(samples); }
  /// One of expected_calls calls, with its share of what is done once.
  double amortised() const {
    return median() + (convert + prepare) / static_cast<double>(expected_calls);
  }
};

struct refusal {
  std::string who, why;
  bool wrong = false;
};

std::string second_part(const std::string& id) {
  const auto begin = id.find('/') + 1;
  return id.substr(begin, id.find('/', begin) - begin);
}

std::vector<lane> lanes_for(const std::string& operation, const context& where) {
  std::vector<lane> lanes;
  lanes.push_back({.name = "best", .kernel = ""});
  const std::string ending = "/" + std::string(name(where.backend()));
  for (const auto& one : kernels())
    if (one.available && one.id.starts_with(operation + "/") && one.id.ends_with(ending)) {
      const std::string held = second_part(one.id);
      lanes.push_back({.name = one.id, .kernel = one.id, .held = held == "any" ? "csr" : held});
    }
  return lanes;
}

csr_matrix<double> load_matrix(const std::string& source, const context& where, progress& ticker) {
  const auto colon = source.find(':');
  const auto& recipes = generate::recipes();
  const bool recipe = !std::filesystem::exists(source) &&
                      std::any_of(recipes.begin(), recipes.end(),
                                  [&](const auto& r) { return r.kind == source.substr(0, colon); });
  if (!recipe) {
    const auto read = load_sparse<double>(source, where, ticker);
    return sum_duplicates<double>(where, read.view());
  }
  ticker.stage("generating " + source);
  std::vector<std::string> settings;
  for (std::size_t at = colon; at < source.size();) {
    const std::size_t end = std::min(source.find(',', at + 1), source.size());
    settings.push_back(source.substr(at + 1, end - at - 1));
    at = end;
  }
  return generate::by_name<double>(where, source.substr(0, colon), settings);
}

factors<double> factors_for(const std::string& operation, const csr_matrix<double>& a,
                            const context& where) {
  factors<double> of;
  of.a = a;
  if (operation == "spgemm") {
    of.product = operation::spgemm;
    return of;
  }
  of.product = operation == "spmm" ? operation::spmm : operation::spmv;
  of.dense = random_block<double>(where, {a.cols(), operation == "spmm" ? dense_columns : 1}, 1);
  return of;
}

void run_once(lane& one, const factors<double>& of) {
  if (of.product == operation::spgemm)
    one.product->run_whole();
  else
    one.product->run();
}

/// Prepares, runs and judges; what refuses or is wrong leaves the race.
std::optional<refusal> enter(lane& one, const factors<double>& of, const context& where,
                             const bench::yardstick<double>& judge) {
  try {
    expression<double> left = of.left();
    if (one.held != "csr") {
      one.convert =
          seconds_of([&] { one.held_matrix = in_format(where, of.a, parse_format(one.held)); });
      left = of.left_of(express_any(one.held_matrix));
    }
    const options how{
        .algorithm = one.kernel, .expected_calls = expected_calls, .constant_values = true};
    one.prepare = seconds_of([&] { one.product.emplace(where, of, left, how); });
    one.product->poison();
    one.first = seconds_of([&] { run_once(one, of); });
    const auto verdict = judge.judge(one.product->result());
    one.error = verdict.worst;
    one.why = one.product->explain();
    if (!verdict.right) return refusal{one.name, verdict.first_difference, true};
    return {};
  } catch (const error& e) {
    return refusal{one.name, e.what()};
  }
}

double sample(lane& one, const factors<double>& of) {
  const double seconds = seconds_of([&] {
    for (index_t call = 0; call < one.calls; ++call) run_once(one, of);
  });
  return seconds / static_cast<double>(one.calls);
}

/// Rounds in which everybody runs once, so that a disturbance meets all.
void race(std::vector<lane>& lanes, const factors<double>& of, double seconds) {
  double fastest = std::numeric_limits<double>::infinity();
  for (auto& one : lanes) {
    const double warm = sample(one, of);
    one.calls = std::max<index_t>(1, static_cast<index_t>(sample_seconds / std::max(warm, 1e-9)));
    one.samples = {warm};
    fastest = std::min(fastest, warm);
  }
  const stopwatch watch;
  for (int round = 0; round < most_rounds && (round < least_rounds || watch.seconds() < seconds);
       ++round)
    for (auto& one : lanes) {
      if (one.samples.front() > left_behind * fastest) continue;
      if (round == 0) one.samples.clear();
      one.samples.push_back(sample(one, of));
    }
}

// ---- Records

double micro(double seconds) { return seconds * 1e6; }

json timing_of(const lane& one) {
  const auto& s = one.samples;
  if (s.size() == 1) return json::array({micro(s.front()), 1, one.calls});
  const auto [low, high] = bench::median_interval(s);
  return json::array({micro(one.median()), s.size(), one.calls,
                      micro(*std::min_element(s.begin(), s.end())), micro(high), micro(low),
                      micro(bench::quantile(s, 0.25)), micro(bench::quantile(s, 0.75))});
}

json record_of(const lane& one, int threads) {
  json predicted = nullptr;
  for (const auto& [kernel, deterministic, verdict, measured] : one.why.all)
    if (kernel == one.why.chosen) predicted = micro(verdict.run_seconds);
  json record =
      json::array({one.name, threads, micro(one.convert), micro(one.prepare), micro(one.first),
                   predicted, timing_of(one), nullptr, nullptr, one.error});
  if (one.kernel.empty()) record.push_back({{"kernel", one.why.chosen}});
  return record;
}

json entrant_of(const lane& one, const context& where) {
  return {{"contestant", one.name},
          {"mode", "whole"},
          {"kind", one.kernel.empty() ? "choice" : "kernel"},
          {"kernel", one.why.chosen},
          {"how", "multiply with a plan for 1000 calls"},
          {"format", one.held},
          {"backend", name(where.backend())},
          {"sorted", true},
          {"keeps_zeros", true}};
}

json choice_of(const std::vector<lane>& lanes) {
  const lane* best = nullptr;
  const lane* chosen = nullptr;
  for (const auto& one : lanes) {
    if (one.kernel.empty()) chosen = &one;
    if (!one.kernel.empty() && one.held == "csr" &&
        (best == nullptr || one.amortised() < best->amortised()))
      best = &one;
  }
  if (chosen == nullptr) return nullptr;
  json choice = {{"kernel", chosen->why.chosen},
                 {"because", chosen->why.because},
                 {"regret", nullptr},
                 {"best", nullptr}};
  // The same kernel raced under its own name: that measurement counts, as noise is no regret.
  for (const auto& one : lanes)
    if (best != nullptr && one.name == chosen->why.chosen) {
      choice["regret"] = std::max(1.0, one.amortised() / best->amortised());
      choice["best"] = best->name;
    }
  return choice;
}

json features_of(const matrix_analysis& found, const factors<double>& of, const context& where) {
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
  const product_estimate expected = estimate(where, of.a, of.sparse(), {.exact = true});
  features["flop"] = expected.flop;
  features["result_nnz"] = expected.nnz;
  features["compression"] = expected.compression;
  features["expansion"] = expected.expansion;
  return features;
}

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

json context_of(const measurement& asked, const context& where) {
  const machine& here = this_machine();
  const stream_result stream = measure_stream(where.threads());
  return {{"date", now_in_utc()},
          {"version", version()},
          {"commit", nullptr},
          {"dirty", nullptr},
          {"build", {{"compiler", "C++"}, {"type", "explore"}, {"flags", build_description()}}},
          {"machine",
           {{"cpu", here.cpu},
            {"cores", here.cores},
            {"l1", here.l1},
            {"l2", here.l2},
            {"l3", here.l3},
            {"memory", here.memory},
            {"simd", here.simd}}},
          {"bandwidth",
           {{{"threads", where.threads()},
             {"copy", stream.copy},
             {"scale", stream.scale},
             {"add", stream.add},
             {"triad", stream.triad}}}},
          {"devices", json::array()},
          {"peers", json::array()},
          {"missing", json::array()},
          {"method",
           {{"seed", 1},
            {"least_rounds", least_rounds},
            {"most_rounds", most_rounds},
            {"spread", 0},
            {"seconds_per_case", asked.seconds},
            {"expected_calls", expected_calls}}}};
}

/// Measures matrix after matrix and collects the lines of both files.
class session {
 public:
  session(const measurement& asked, progress& ticker)
      : asked_(asked), ticker_(ticker), where_(context::openmp(asked.threads)) {}

  measured_matrices run() {
    for (const auto& source : asked_.matrices) measure(source);
    ticker_.stage("measuring memory bandwidth");
    const json first = {
        {"schema", "gossamer-bench/2"},
        {"context", context_of(asked_, where_)},
        {"fields",
         {"entrant", "threads", "convert", "prepare", "first", "predicted", "warm", "cold",
          "peak_bytes", "error", "more"}},
        {"timing", {"median", "count", "calls_per_sample", "min", "high", "low", "q1", "q3"}},
        {"entrants", entrants_}};
    found_.results = {"measured now", first.dump() + "\n" + lines_};
    found_.details.name = "matrices";
    return std::move(found_);
  }

 private:
  void measure(const std::string& source) {
    const auto a = load_matrix(source, where_, ticker_);
    const std::string shown = shown_name(source);
    const matrix_analysis found = analyse(where_, a);
    json details = describe_structure(a, found, where_);
    details["name"] = shown;
    for (const auto* const operation : {"spmv", "spmm", "spgemm"}) {
      const auto& wanted = asked_.operations;
      const bool square = a.rows() == a.cols();
      if (wanted.empty() ? operation == std::string("spgemm") && !square
                         : std::find(wanted.begin(), wanted.end(), operation) == wanted.end())
        continue;
      if (operation == std::string("spgemm") && !square)
        throw fail(error_kind::bad_input, "{} is {}: only a square matrix can be squared", source,
                   shape_text(a.shape()));
      ticker_.stage(formatted("{}: measuring {}", shown, operation));
      const std::string why = measure_product(
          operation, a, found,
          {{"name", shown}, {"source", source}, {"class", "explored"}, {"labels", json::array()}});
      details["explanations"].push_back({{"operation", operation}, {"text", why}});
    }
    found_.details.text += details.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  }

  /// A recipe is its own name; of a file the last part of its path.
  static std::string shown_name(const std::string& source) {
    return std::filesystem::exists(source) ? std::filesystem::path(source).filename().string()
                                           : source;
  }

  std::string measure_product(const std::string& operation, const csr_matrix<double>& a,
                              const matrix_analysis& found, const json& matrix) {
    const factors<double> of = factors_for(operation, a, where_);
    const bench::yardstick<double> judge(of);
    std::vector<lane> lanes;
    std::vector<refusal> refused;
    for (auto& one : lanes_for(operation, where_))
      if (auto why_not = enter(one, of, where_, judge))
        refused.push_back(*why_not);
      else
        lanes.push_back(std::move(one));
    found_.wrong += static_cast<int>(
        std::count_if(refused.begin(), refused.end(), [](const auto& r) { return r.wrong; }));
    if (lanes.empty()) return "";
    race(lanes, of, asked_.seconds);
    write_case(operation, of, found, matrix, lanes, refused);
    return lanes.front().why.text();
  }

  void write_case(const std::string& operation, const factors<double>& of,
                  const matrix_analysis& found, const json& matrix, const std::vector<lane>& lanes,
                  const std::vector<refusal>& refused) {
    const auto work = lanes.front().product->work();
    json one = {{"operation", operation}, {"matrix", matrix}};
    if (of.product == operation::spgemm) one["right"] = "A";
    one["type"] = "f64";
    one["threads"] = where_.threads();
    one["columns"] = operation == "spmm" ? dense_columns : 1;
    one["features"] = features_of(found, of, where_);
    one["work"] = {{"flop", work.flop}, {"bytes", work.bytes}};
    one["choice"] = choice_of(lanes);
    one["refused"] = json::array();
    for (const auto& [who, why, wrong] : refused) {
      json entry = {{"why", why.empty() ? "no reason given" : why}, {"entrants", {who}}};
      if (wrong) entry["wrong"] = true;
      one["refused"].push_back(std::move(entry));
    }
    lines_ += one.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (const auto& l : lanes) {
      if (!entrants_.contains(l.name)) entrants_[l.name] = entrant_of(l, where_);
      lines_ += record_of(l, where_.threads()).dump() + "\n";
    }
  }

  const measurement& asked_;
  progress& ticker_;
  context where_;
  json entrants_ = json::object();
  std::string lines_;
  measured_matrices found_;
};

}  // namespace

measured_matrices measure_matrices(const measurement& asked, progress& ticker) {
  return session(asked, ticker).run();
}

}  // namespace gossamer::cli
