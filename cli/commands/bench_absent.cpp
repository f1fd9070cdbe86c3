// The commands of the benchmark runner in a build without it: they say how to get it.
#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"

namespace gossamer::cli {

namespace {

void add_absent(const command& program, action& chosen, const std::string& name) {
  const command absent = program.add_subcommand(
      name, "Not in this build (GOSSAMER_BENCH is OFF)",
      "This build has no benchmark runner; configure with -DGOSSAMER_BENCH=ON.");
  absent.take_any_arguments();
  absent.when_chosen([&chosen] {
    chosen = []() -> exit_code {
      throw not_built_error(
          "this build has no benchmark runner; configure with -DGOSSAMER_BENCH=ON",
          "cmake --preset release -DGOSSAMER_BENCH=ON && cmake --build --preset release");
    };
  });
}

}  // namespace

void add_bench(const command& program, action& chosen) { add_absent(program, chosen, "bench"); }

void add_roofline(const command& program, action& chosen) {
  add_absent(program, chosen, "roofline");
}

}  // namespace gossamer::cli
