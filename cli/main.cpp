// gossamer: sparse matrix multiplication from the command line.

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/interrupt.hpp"
#include "cli/output/report.hpp"
#include "gossamer/version.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer info cant.mtx                      what a matrix looks like
  gossamer info cant.mtx --why spgemm         which kernel would square it, and why
  gossamer multiply cant.mtx --vector ones    y = A x, with time and rate
  gossamer multiply cant.mtx --square -o c.mtx
  gossamer generate rmat scale=14 -o r.mtx
  gossamer amg poisson3d:nx=100               solve a linear system by multigrid
  gossamer explore cant.mtx -o cant.html      all kernels on it, as a page
  gossamer compare c.mtx d.mtx                equal, or close?
  zcat cant.mtx.gz | gossamer info -          standard input and output are '-'

Files: .mtx and .mtx.gz (Matrix Market), .gsm (Gossamer's own, loads fastest),
.npz (sparse, SciPy), .npy (dense, NumPy); .txt (edge lists, as of SNAP) to read.

Exit codes: 0 done, 1 wrong result under --check or different matrices,
2 bad usage, 3 not available in this build, 4 bad input (a file is missing,
unreadable, broken, does not fit, or cannot be written), 5 out of memory or over
a limit, 70 a defect of Gossamer itself.)";

/// gossamer help bench spmv: the same as gossamer bench spmv --help.
void add_help(const command_line& line, action& chosen) {
  auto words = std::make_shared<std::vector<std::string>>();
  const command help = line.root().add_subcommand("help", "The help of a command", "");
  help.add_option("COMMAND", *words, "The command, such as multiply or bench spmv");
  help.when_chosen([&line, &chosen, words] {
    chosen = [&line, words] {
      print("{}", line.help_of(*words));
      return exit_code::done;
    };
  });
}

exit_code run(command_line& line, int argc, char** argv) {
  action chosen;
  bool version_wanted = false;
  line.root().add_flag("-V,--version", version_wanted, "Print version and build, and stop");
  for (const auto add : {add_info, add_multiply, add_convert, add_compare, add_generate, add_amg,
                         add_explore, add_bench, add_roofline})
    add(line.root(), chosen);
  add_help(line, chosen);
  if (!line.parse(argc, argv)) return exit_code::done;
  if (version_wanted) {
    print("gossamer {}\n{}", version(), build_description());
    return exit_code::done;
  }
  if (!chosen) {
    print_error("{}", line.help());
    return exit_code::bad_usage;
  }
  return chosen();
}

}  // namespace

exit_code run_reporting(int argc, char** argv) {
  command_line line("gossamer", "Sparse matrix multiplication on multicore CPUs and NVIDIA GPUs",
                    closing);
  try {
    const exit_code code = run(line, argc, argv);
    flush_output();
    return code;
  } catch (...) {
    const bool as_json = std::any_of(
        argv, argv + argc, [](std::string_view argument) { return argument == "--json"; });
    return report_failure(describe_current_exception(line.command_name()), {.as_json = as_json});
  }
}

}  // namespace gossamer::cli

int main(int argc, char** argv) {
  gossamer::cli::end_cleanly_on_signals();
  return static_cast<int>(gossamer::cli::run_reporting(argc, argv));
}
