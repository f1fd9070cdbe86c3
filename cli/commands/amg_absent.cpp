// gossamer amg in a build without the solver: it says how to get it.
#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"

namespace gossamer::cli {

void add_amg(const command& program, action& chosen) {
  const command absent = program.add_subcommand("amg", "Not in this build (GOSSAMER_AMG is OFF)",
                                                "Configure with -DGOSSAMER_AMG=ON.");
  absent.take_any_arguments();
  absent.when_chosen([&chosen] {
    chosen = []() -> exit_code {
      throw not_built_error(
          "this build has no multigrid solver; configure with -DGOSSAMER_AMG=ON",
          "cmake --preset release -DGOSSAMER_AMG=ON && cmake --build --preset release");
    };
  });
}

}  // namespace gossamer::cli
