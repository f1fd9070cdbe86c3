// gossamer generate: generated matrices.
#include "gossamer/generate.hpp"

#include "base/text.hpp"
#include "bench/race/timing.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer generate --list                             every kind and its parameters
  gossamer generate poisson2d nx=1000 ny=1000 -o p.mtx
  gossamer generate rmat scale=16 edge-factor=8 --seed 7 -o r.gsm
The same kind, parameters and seed give the same matrix for any number of threads.)";

struct request {
  std::string kind, out, type = "f64";
  std::vector<std::string> settings;
  std::uint64_t seed = 1;
  bool seed_given = false, list = false, as_json = false;
  int threads = 0;
};

exit_code list_recipes(const request& asked) {
  json all = json::array();
  for (const auto& recipe : generate::recipes()) {
    json parameters = json::array();
    for (const auto& p : recipe.parameters)
      parameters.push_back({{"name", p.name}, {"default", p.value}, {"help", p.help}});
    all.push_back({{"kind", recipe.kind}, {"summary", recipe.summary}, {"parameters", parameters}});
  }
  if (asked.as_json) {
    print_json({{"command", "generate"}, {"kinds", all}});
    return exit_code::done;
  }
  for (const auto& recipe : generate::recipes()) {
    print_heading(formatted("{}  {}", recipe.kind, recipe.summary));
    for (const auto& p : recipe.parameters)
      print("  {:<24} {}\n", formatted("{}={}", p.name, p.value), p.help);
  }
  return exit_code::done;
}

// --seed S is the recipe's parameter of that name, for all recipes alike.
std::vector<std::string> settings_with_seed(const request& asked) {
  std::vector<std::string> settings = asked.settings;
  if (!asked.seed_given) return settings;
  for (const auto& recipe : generate::recipes()) {
    if (recipe.kind != asked.kind) continue;
    const bool seeded = std::any_of(recipe.parameters.begin(), recipe.parameters.end(),
                                    [](const auto& p) { return p.name == "seed"; });
    if (!seeded) throw usage_error(formatted("--seed: nothing in '{}' is random", asked.kind));
  }
  settings.push_back(formatted("seed={}", asked.seed));
  return settings;
}

template <scalar T>
exit_code generate_file(const request& asked) {
  if (asked.kind.empty() || asked.out.empty())
    throw usage_error(asked.kind.empty() ? "which kind of matrix?" : "where to? -o OUT is missing",
                      "'gossamer generate --list' shows the kinds; then: gossamer generate KIND "
                      "[name=value...] -o OUT");
  const context where = context::openmp(asked.threads);
  const output_file target(asked.out);
  target.require_sparse();
  progress ticker;
  ticker.stage("generating " + asked.kind);
  const stopwatch making;
  const csr_matrix<T> matrix = generate::by_name<T>(where, asked.kind, settings_with_seed(asked));
  const double make_seconds = making.seconds();
  const double write_seconds = seconds_of([&] { target.write(matrix, where, ticker); });
  ticker.finish();

  if (asked.as_json) {
    print_json({{"command", "generate"},
                {"kind", asked.kind},
                {"settings", settings_with_seed(asked)},
                {"output", asked.out},
                {"type", asked.type},
                {"rows", matrix.rows()},
                {"cols", matrix.cols()},
                {"nnz", matrix.nnz()},
                {"bytes", target.size()},
                {"seconds", {{"generate", make_seconds}, {"write", write_seconds}}}});
  } else {
    print_field("generated", formatted("{}  {} x {}, {} nonzeros, {}", asked.kind,
                                       count_text(matrix.rows()), count_text(matrix.cols()),
                                       count_text(matrix.nnz()), seconds_text(make_seconds)));
    print_field("written", formatted("{}  {}, {}", asked.out, bytes_text(target.size()),
                                     seconds_text(write_seconds)));
  }
  return exit_code::done;
}

}  // namespace

void add_generate(const command& program, action& chosen) {
  auto asked = std::make_shared<request>();
  const command generate =
      program.add_subcommand("generate", "Generate a matrix: meshes, graphs, bands", closing);
  generate.add_option("KIND", asked->kind, "The generator; --list shows them");
  generate.add_option("SETTINGS", asked->settings, "Its parameters: name=value ...");
  generate.add_option("-o,--output", asked->out, "The file to write", {.shown_as = "OUT"});
  add_seed(generate, asked->seed);
  add_type(generate, asked->type);
  add_threads(generate, asked->threads);
  generate.add_flag("--list", asked->list, "The kinds and their parameters");
  add_json(generate, asked->as_json);
  generate.when_chosen([asked, generate, &chosen] {
    asked->seed_given = generate.given("--seed");
    chosen = [asked] {
      if (asked->list) return list_recipes(*asked);
      return with_type(asked->type, [&](auto type) {
        return generate_file<typename decltype(type)::type>(*asked);
      });
    };
  });
}

}  // namespace gossamer::cli
