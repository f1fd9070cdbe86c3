// gossamer explore: results, or a matrix measured now, as one interactive page.
#include <filesystem>

#include "base/text.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/explore/measure.hpp"
#include "cli/explore/page.hpp"
#include "cli/explore/serve.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"
#include "io/files/atomic_file.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer explore results.jsonl -o report.html   a page for any browser; works offline
  gossamer explore before.jsonl after.jsonl       two runs, compared
  gossamer explore A.mtx                          measure all kernels on a matrix, show its page
  gossamer explore results.jsonl --serve          the page on this machine, until interrupted

Arguments that end in .json, .jsonl or these with .gz are results of 'gossamer bench ... --out'; all
others are matrices: files, or recipes like rmat:scale=12,edge-factor=8. The page has everything in
it: it loads nothing from elsewhere.)";

struct explore_request {
  std::vector<std::string> words;
  std::string out, records;
  measurement measure;
  bool serve = false, as_json = false;
  int port = 0;
};

void write_file(const std::string& destination, const std::string& text) {
  io::atomic_file file(destination);
  file.write(text);
  file.commit();
}

void split_words(explore_request& asked, std::vector<std::string>& results) {
  for (const auto& word : asked.words)
    (names_results(word) ? results : asked.measure.matrices).push_back(word);
  if (asked.words.empty() && !asked.serve)
    throw usage_error("nothing to show: name results or matrices",
                      "gossamer explore results.jsonl -o report.html");
  if (!asked.records.empty() && asked.measure.matrices.empty())
    throw usage_error("--records keeps what is measured now, but no matrix is named");
}

/// Two files of one name are told apart by their folders.
void tell_apart(std::vector<page_data>& files, const std::vector<std::string>& paths) {
  for (std::size_t k = 0; k < files.size(); ++k)
    for (std::size_t other = 0; other < k; ++other)
      if (files[other].name == files[k].name) files[k].name = paths[k];
}

exit_code run_explore(explore_request asked) {
  std::vector<std::string> results;
  split_words(asked, results);
  if (!asked.serve && asked.out.empty()) asked.out = "report.html";
  if (!asked.out.empty()) require_writable(asked.out);
  if (!asked.records.empty()) require_writable(asked.records);
  std::vector<page_data> files;
  for (const auto& file : results) files.push_back(read_page_data(file));
  tell_apart(files, results);
  int wrong = 0;
  if (!asked.measure.matrices.empty()) {
    progress ticker;
    auto found = measure_matrices(asked.measure, ticker);
    ticker.finish();
    wrong = found.wrong;
    if (!asked.records.empty()) write_file(asked.records, found.results.text);
    files.push_back(std::move(found.details));
    files.push_back(std::move(found.results));
  }
  const std::string page = report_page(files);
  if (!asked.out.empty()) {
    write_file(asked.out, page);
    if (asked.as_json)
      print_json({{"command", "explore"},
                  {"output", asked.out},
                  {"bytes", page.size()},
                  {"results", results},
                  {"measured", asked.measure.matrices}});
    else
      print_field("written", formatted("{}  {}; open it in a browser", asked.out,
                                       bytes_text(static_cast<index_t>(page.size()))));
  }
  if (wrong > 0)
    return report_failure(
        {exit_code::wrong_result, "wrong result",
         formatted("{} wrong {}; they were not timed", wrong, wrong == 1 ? "result" : "results"),
         "this is a defect of the kernel; the page names it"},
        {});
  if (asked.serve)
    serve_page(page, asked.port, [](const std::string& address) {
      print_field("serving", address + "  (Ctrl-C ends it)");
      flush_output();
    });
  return exit_code::done;
}

}  // namespace

void add_explore(const command& program, action& chosen) {
  auto asked = std::make_shared<explore_request>();
  const command explore = program.add_subcommand(
      "explore", "Results, or a matrix measured now, as an interactive page", closing);
  explore.add_option("WHAT", asked->words, "Results (.jsonl), or matrices to measure",
                     {.shown_as = "RESULTS|MATRIX..."});
  explore.add_option("-o,--output", asked->out, "The page; default report.html",
                     {.shown_as = "PAGE.html"});
  explore.add_flag("--serve", asked->serve, "Show the page on http://127.0.0.1 until interrupted");
  explore.add_option("--port", asked->port, "Port for --serve; default: a free one",
                     {.within = bounds{.least = 0, .most = 65535}});
  explore.add_option("--operation", asked->measure.operations,
                     "Products to measure: spmv, spmm, spgemm; default: all that fit",
                     {.by_commas = true, .one_of = {"spmv", "spmm", "spgemm"}});
  explore.add_option("--case-seconds", asked->measure.seconds,
                     "Time for the samples of one product; default 0.3",
                     {.shown_as = "S", .positive = true});
  explore.add_option("--records", asked->records, "Also write what is measured as results",
                     {.shown_as = "FILE.jsonl"});
  add_threads(explore, asked->measure.threads);
  add_json(explore, asked->as_json);
  explore.when_chosen([asked, &chosen] { chosen = [asked] { return run_explore(*asked); }; });
}

}  // namespace gossamer::cli
