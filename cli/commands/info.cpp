// gossamer info: statistics of a matrix, which kernel would multiply it and why, kernels and
// machine.
#include "cli/commands/info.hpp"

#include "base/text.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/arguments/rereadable.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer info cant.mtx                          rows, lengths, bands, bytes of each format
  gossamer info cant.mtx --why spmv --on openmp   every kernel's verdict on y = A x
  gossamer info a.mtx --why spgemm --times b.mtx  what A B would be and cost, and the choice
  gossamer info --kernels                         the catalogue
  gossamer info --machine                         cores, caches, measured bandwidth
  gossamer info a.mtx b.mtx c.npz                 one after the other)";

std::string contents(const file_info& found) {
  const std::string type = found.type.empty() ? "" : formatted(" ({})", found.type);
  return formatted("{}, {}{} {}, {}", extension(found.kind), found.field, type, found.symmetry,
                   found.dense ? "array: the statistics are those of its nonzeros"
                               : count_text(found.stored) + " nonzeros stored");
}

json describe_file(const std::string& file, const file_info& found) {
  return {{"name", file},         {"format", extension(found.kind)}, {"dense", found.dense},
          {"field", found.field}, {"symmetry", found.symmetry},      {"stored", found.stored},
          {"type", found.type}};
}

/// Prints one file for people, or returns its JSON object.
template <scalar T>
json show_file_as(const context& where, const std::string& name, const rereadable_file& file,
                  bool as_json) {
  const file_info found = inspect_file(file.path(), limits_of_files());
  progress ticker;
  const csr_matrix<T> matrix = load_sparse<T>(file.path(), where, ticker);
  ticker.stage("analysing " + name);
  const matrix_analysis analysis = analyse<T>(where, matrix.view());
  ticker.finish();
  if (as_json)
    return {{"file", describe_file(name, found)}, {"analysis", parsed(to_json(analysis))}};
  print_heading(name);
  print("{}\n{}\n", contents(found), describe(analysis));
  print_heading("rows by number of nonzeros");
  print("{}", render(analysis.row_histogram));
  return {};
}

/// The same in the type that was asked for, or that of the file.
json show_file(const context& where, const std::string& name, const info_request& asked) {
  const rereadable_file file(name);
  return with_any_type(type_for(asked.type, {file.path()}), [&](auto type) {
    return show_file_as<typename decltype(type)::type>(where, name, file, asked.as_json);
  });
}

}  // namespace

exit_code show_matrix(const info_request& asked) {
  const context where = asked.where.open();
  json all = json::array();
  for (const auto& name : asked.files) {
    if (&name != &asked.files.front() && !asked.as_json) print("\n");
    all.push_back(show_file(where, name, asked));
  }
  if (!asked.as_json) return exit_code::done;
  json result = {{"command", "info"}};
  if (all.size() == 1)
    result.update(all[0]);
  else
    result["files"] = all;
  print_json(result);
  return exit_code::done;
}

namespace {

void require_one_subject(const info_request& asked) {
  if (asked.files.size() > 1 && !asked.why.empty())
    throw usage_error("--why explains the choice for one matrix, but several were given",
                      "the right matrix of a sparse product is given with --times");
  const int given = int{!asked.file.empty()} + int{asked.kernels} + int{asked.machine};
  if (given != 1)
    throw usage_error(given == 0 ? "info about what?" : "info tells one thing at a time",
                      "give one of FILE, --kernels, --machine");
  if (!asked.why.empty() && asked.file.empty())
    throw usage_error("--why needs a matrix: gossamer info FILE --why " + asked.why);
}

void add_options(const command& info, info_request& asked) {
  info.add_option("FILE", asked.files, "A matrix file, or several; - is standard input");
  add_choice(info, "--why", asked.why, {"spmv", "spmm", "spgemm"},
             "Explain the choice of a kernel: spmv, spmm or spgemm");
  info.add_option("--times", asked.times, "--why spgemm: the right matrix; default: FILE itself",
                  {.shown_as = "B.mtx"});
  add_count(info, "--dense", asked.dense, 1, "--why spmm: columns of the dense matrix; default 32");
  add_count(info, "--calls", asked.calls, 1, "--why: number of uses of the plan; default 1");
  info.add_flag("--transpose-a", asked.transpose_a, "--why: A' instead of A");
  info.add_option("--format", asked.format,
                  "--why: format of A: csr (default), csc, coo, ell, sellp, hyb",
                  {.shown_as = "F"});
  add_place(info, asked.where);
  add_plan_options(info, asked.wanted);
  add_any_type(info, asked.type);
  info.add_flag("--kernels", asked.kernels, "List all kernels, and whether they can run here");
  info.add_flag("--machine", asked.machine, "Cores, caches, measured bandwidth");
  add_json(info, asked.as_json);
}

}  // namespace

void add_info(const command& program, action& chosen) {
  auto asked = std::make_shared<info_request>();
  const command info = program.add_subcommand(
      "info", "Statistics of a matrix, choice of a kernel and why, kernels and machine", closing);
  add_options(info, *asked);
  info.when_chosen([asked, &chosen] {
    chosen = [asked] {
      if (!asked->files.empty()) asked->file = asked->files.front();
      require_one_subject(*asked);
      if (asked->kernels) return show_kernels(*asked);
      if (asked->machine) return show_machine(*asked);
      return asked->why.empty() ? show_matrix(*asked) : show_why(*asked);
    };
  });
}

}  // namespace gossamer::cli
