// gossamer bench compare: compares two files of results.

#include <algorithm>

#include "base/text.hpp"
#include "bench/report/comparison.hpp"
#include "bench/report/document.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/bench_report.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer bench compare before.jsonl after.jsonl
  gossamer bench compare main.jsonl branch.jsonl --gate --threshold 0.1
  gossamer bench compare laptop.jsonl server.jsonl --by ratio

A change counts when the 95 % intervals of the two medians do not overlap and it exceeds the
threshold. Between different machines, and with --by ratio, times are taken over those of the peers
that ran in both: what the machine does to all cancels. Peers themselves are shown, not judged.

Exit codes: 0, or with --gate 1 when something of ours became slower.)";

constexpr std::size_t widest_table = 100;
constexpr std::size_t longest_list = 20;

struct compare_request {
  std::string before, after, by = "auto";
  bench::comparison_request how;
  bool gate = false, as_json = false;
};

std::string value_text(const bench::change& c, double value) {
  return c.by_ratio ? formatted("{:.3g} x", value) : seconds_text(value);
}

const char* word(bench::verdict outcome) {
  switch (outcome) {
    case bench::verdict::faster: return "faster";
    case bench::verdict::slower: return "slower";
    default: return "same";
  }
}

enum class whose { ours, peers };

void print_changes(const bench::comparison& found, const std::string& heading,
                   bench::verdict outcome, whose side) {
  bench::document_table rows{
      {"case", "contestant", "before", "after", "after/before"}, "<<>>>", {}};
  for (const auto& c : found.changes)
    if (c.outcome == outcome && (c.kind == bench::record_kind::peer) == (side == whose::peers))
      rows.rows.push_back({c.title, c.contestant, value_text(c, c.before.value),
                           value_text(c, c.after.value), formatted("{:.3f}", c.factor())});
  if (rows.rows.empty()) return;
  if (outcome == bench::verdict::faster) std::reverse(rows.rows.begin(), rows.rows.end());
  print("\n");
  print_heading(heading);
  const auto fits = bench::fitted(rows, widest_table);
  table shown(fits.heading, fits.align);
  for (const auto& row : fits.rows) shown.row(row);
  shown.print();
}

void print_list(const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty()) return;
  print("\n");
  print_heading(heading);
  for (std::size_t i = 0; i < items.size() && i < longest_list; ++i) print("{}\n", items[i]);
  if (items.size() > longest_list)
    print("... and {} more (--json lists all)\n", items.size() - longest_list);
}

std::string method_text(const bench::comparison& found) {
  if (found.by == bench::yardstick::time)
    return found.same_machine ? "Warm medians are compared as times."
                              : "Warm medians are compared as times, as --by time asks, although "
                                "the machines differ.";
  std::string peers;
  for (const auto& p : found.peers) peers += (peers.empty() ? "" : ", ") + p;
  return std::string(found.same_machine ? "As --by ratio asks, " : "The machines differ: ") +
         "warm medians are compared over the geomean of the peers that ran in both" +
         (peers.empty() ? "" : " (" + peers + ")") +
         (found.same_machine ? "; as times where there is no such peer." : ".");
}

std::string headline(const bench::comparison& found) {
  const painter out = painter::for_stdout();
  const auto slower = found.count(bench::verdict::slower);
  const auto faster = found.count(bench::verdict::faster);
  const auto slow_text = formatted("{} slower", slower), fast_text = formatted("{} faster", faster);
  return formatted("{}, {}, {} within noise or threshold",
                   slower > 0 ? out.bad(slow_text) : slow_text,
                   faster > 0 ? out.good(fast_text) : fast_text, found.count(bench::verdict::same));
}

void print_text(const bench::comparison& found, const bench::results& before,
                const bench::results& after) {
  for (const auto* r : {&before, &after})
    print_field(r == &before ? "old" : "new",
                formatted("{}: {}{}, {}, {} cores", r->file, r->date.substr(0, 10),
                          r->commit.empty() ? "" : " at " + r->commit, r->cpu, r->cores));
  print("{}\n{}\n", wrapped(method_text(found), widest_table), headline(found));
  print_changes(found, "slower", bench::verdict::slower, whose::ours);
  print_changes(found, "faster", bench::verdict::faster, whose::ours);
  print_changes(found, "peers that became slower (the machine, or their versions)",
                bench::verdict::slower, whose::peers);
  print_changes(found, "peers that became faster (the machine, or their versions)",
                bench::verdict::faster, whose::peers);
  print_list("not comparable: different machines and no peer in both", found.incomparable);
  print_list("only in " + before.file, found.only_old);
  print_list("only in " + after.file, found.only_new);
}

json as_json(const bench::comparison& found, const compare_request& asked) {
  json changes = json::array();
  for (const auto& c : found.changes) {
    const auto value = [](const bench::measured& m) {
      return json{{"value", m.value}, {"low", m.range.low}, {"high", m.range.high}};
    };
    changes.push_back({{"case", c.title},
                       {"contestant", c.contestant},
                       {"peer", c.kind == bench::record_kind::peer},
                       {"by", c.by_ratio ? "ratio" : "time"},
                       {"before", value(c.before)},
                       {"after", value(c.after)},
                       {"factor", c.factor()},
                       {"verdict", word(c.outcome)}});
  }
  return {{"command", "bench compare"},
          {"old", asked.before},
          {"new", asked.after},
          {"same_machine", found.same_machine},
          {"by", found.by == bench::yardstick::ratio ? "ratio" : "time"},
          {"peers", found.peers},
          {"threshold", asked.how.threshold},
          {"slower", found.count(bench::verdict::slower)},
          {"faster", found.count(bench::verdict::faster)},
          {"same", found.count(bench::verdict::same)},
          {"changes", changes},
          {"incomparable", found.incomparable},
          {"only_old", found.only_old},
          {"only_new", found.only_new}};
}

exit_code run_compare(compare_request asked) {
  if (asked.by == "time") asked.how.by = bench::yardstick::time;
  if (asked.by == "ratio") asked.how.by = bench::yardstick::ratio;
  const auto before = bench::read_results(asked.before);
  const auto after = bench::read_results(asked.after);
  const auto found = bench::compare(before, after, asked.how);
  if (found.changes.empty() && found.incomparable.empty())
    throw fail(error_kind::bad_input,
               "{} and {} have no record in common (operation, matrix, right factor, type, "
               "threads, columns, contestant and mode must agree): there is nothing to compare",
               asked.before, asked.after);
  if (asked.as_json)
    print_json(as_json(found, asked));
  else
    print_text(found, before, after);
  return asked.gate && found.count(bench::verdict::slower) > 0 ? exit_code::wrong_result
                                                               : exit_code::done;
}

}  // namespace

void add_bench_compare(const command& bench, action& chosen) {
  auto asked = std::make_shared<compare_request>();
  const command compare = bench.add_subcommand(
      "compare", "Compare two files of results: what became faster or slower", closing);
  compare.add_option("OLD", asked->before, "Results before", {.required = true});
  compare.add_option("NEW", asked->after, "Results after", {.required = true});
  compare.add_flag("--gate", asked->gate, "Exit with 1 when one of our kernels became slower");
  compare.add_option("--threshold", asked->how.threshold,
                     "Smallest change that counts, as a share; default 0.05",
                     {.shown_as = "X", .within = bounds{.least = 0, .most = 100}});
  add_choice(compare, "--by", asked->by, {"auto", "time", "ratio"},
             "Compare time, or ratio to common peers; auto (default): ratio when machines differ");
  add_json(compare, asked->as_json);
  compare.when_chosen([asked, &chosen] { chosen = [asked] { return run_compare(*asked); }; });
}

}  // namespace gossamer::cli
