// gossamer bench: kernels measured on matrices, as a table and as JSON.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>

#include "base/text.hpp"
#include "bench_run.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/version.hpp"
#include "io/atomic_file.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer bench spmv cant.mtx --all-kernels
  gossamer bench spgemm rmat:scale=14,edge-factor=8 poisson2d:nx=500,ny=500 --out results.json
  gossamer bench spmm cant.mtx --dense 64 --threads 4 --json

Every kernel is checked against the reference before it is timed: a wrong result has no time and
ends with exit code 1. Kernels take turns, so that disturbances hit all alike. GB/s count every
operand read once and the result written once; the share is that of the measured STREAM triad, and
exceeds 100 % when everything fits the caches.)";

json describe_context(const context& where, double bandwidth) {
  const machine& here = this_machine();
  return {{"version", version()},
          {"build", build_description()},
          {"date", formatted("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
          {"cpu", here.cpu},
          {"cores", here.cores},
          {"l1", here.l1},
          {"l2", here.l2},
          {"l3", here.l3},
          {"memory", here.memory},
          {"simd", here.simd},
          {"threads", where.threads()},
          {"backend", name(where.backend())},
          {"stream_triad", bandwidth}};
}

void print_text(const json& results) {
  table shown({"matrix", "kernel", "median", "least", "GFLOP/s", "GB/s", "of STREAM"}, "<<>>>>>");
  std::vector<std::string> notes;
  for (const auto& matrix : results["matrices"]) {
    const auto subject = matrix["matrix"].get<std::string>();
    for (const auto& r : matrix["records"])
      shown.row({subject, r["kernel"], seconds_text(r["seconds"]["median"]),
                 seconds_text(r["seconds"]["min"]), formatted("{:.3g}", r["gflops"].get<double>()),
                 formatted("{:.3g}", r["gbytes_per_second"].get<double>()),
                 formatted("{:.0f} %", 100 * r["bandwidth_share"].get<double>())});
    for (const auto& s : matrix["skipped"])
      notes.push_back(formatted("{}  {}: {}", subject, s["kernel"].get<std::string>(),
                                s["why"].get<std::string>()));
  }
  shown.print();
  if (notes.empty()) return;
  print_heading("\nnot measured");
  for (const auto& note : notes) fmt::print("{}\n", note);
}

bool any_wrong(const json& matrices) {
  for (const auto& matrix : matrices)
    for (const auto& s : matrix["skipped"])
      if (s["wrong"].get<bool>()) return true;
  return false;
}

exit_code run_bench(const bench_request& asked) {
  const context where = asked.where.open();
  progress ticker;
  ticker.stage("measuring memory bandwidth");
  const double bandwidth = measure_stream(where.threads()).triad;
  json matrices = json::array();
  for (const auto& subject : asked.subjects)
    matrices.push_back(with_type(asked.type, [&](auto type) {
      return bench_matrix<typename decltype(type)::type>(asked, subject, bandwidth, ticker);
    }));
  ticker.finish();
  const json results = {{"command", "bench"},
                        {"context", describe_context(where, bandwidth)},
                        {"matrices", matrices}};
  if (!asked.out.empty()) {
    io::atomic_file file(asked.out);
    file.write(results.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    file.commit();
  }
  if (asked.as_json)
    print_json(results);
  else
    print_text(results);
  if (!any_wrong(matrices)) return exit_code::done;
  return report_failure({exit_code::wrong_result, "wrong result",
                         "a kernel gave a wrong result; it was not timed", ""},
                        {});
}

}  // namespace

void add_bench(CLI::App& app, action& chosen) {
  auto asked = std::make_shared<bench_request>();
  auto product = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand("bench", "Kernels measured on matrices");
  command.footer(closing);
  command.add_option("PRODUCT", *product, "spmv, spmm or spgemm (A times itself)")
      ->required()
      ->check(CLI::IsMember({"spmv", "spmm", "spgemm"}).description(""));
  command
      .add_option("MATRIX", asked->subjects, "Files, or recipes like rmat:scale=14,edge-factor=8")
      ->required();
  CLI::Option* all = command.add_flag("--all-kernels", asked->all_kernels,
                                      "Every kernel of the catalogue that can run, in its format");
  add_count(command, "--dense", asked->dense, 1, "spmm: columns of the dense matrix; default 32");
  add_count(command, "--repeat", asked->repeat, 1, "Samples per kernel; default 11");
  command.add_option("--out", asked->out, "Also write the JSON to a file")->type_name("FILE");
  add_place(command, asked->where);
  add_plan_wishes(command, asked->wishes);
  all->excludes("--algorithm");
  add_type(command, asked->type);
  add_seed(command, asked->seed);
  add_json(command, asked->as_json);
  command.callback([asked, product, &chosen] {
    asked->product = *product == "spmv"   ? operation::spmv
                     : *product == "spmm" ? operation::spmm
                                          : operation::spgemm;
    chosen = [asked] { return run_bench(*asked); };
  });
}

}  // namespace gossamer::cli
