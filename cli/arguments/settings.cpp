#include "cli/arguments/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/output/failure.hpp"

namespace gossamer::cli {

namespace {

struct unit {
  std::string_view name;
  double bytes;
};
constexpr double kilo = 1000, kibi = 1024;
constexpr std::array<unit, 14> units{{{"", 1},
                                      {"B", 1},
                                      {"K", kilo},
                                      {"KB", kilo},
                                      {"KiB", kibi},
                                      {"M", kilo* kilo},
                                      {"MB", kilo* kilo},
                                      {"MiB", kibi* kibi},
                                      {"G", kilo* kilo* kilo},
                                      {"GB", kilo* kilo* kilo},
                                      {"GiB", kibi* kibi* kibi},
                                      {"T", kilo* kilo* kilo* kilo},
                                      {"TB", kilo* kilo* kilo* kilo},
                                      {"TiB", kibi* kibi* kibi* kibi}}};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

index_t parse_bytes(const std::string& text, const std::string& option) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  const auto* found = std::find_if(units.begin(), units.end(),
                                   [&](const unit& u) { return same_letters(u.name, suffix); });
  const double bytes = found == units.end() ? 0 : number * found->bytes;
  if (problem != std::errc() || found == units.end() || !(bytes >= 1) || bytes >= 0x1p63)
    throw usage_error(formatted("{}: '{}' is not a size in bytes", option, text),
                      "write it like 2G, 512M or 1.5GiB (K M G T: powers of 1000; KiB MiB GiB "
                      "TiB: of 1024)");
  return static_cast<index_t>(bytes);
}

format parse_format(const std::string& text) {
  for (const auto f : {format::csr, format::csc, format::coo, format::ell, format::sellp,
                       format::hyb, format::dense})
    if (name(f) == text) return f;
  throw usage_error(formatted("--format: '{}' is not a format", text),
                    "formats are csr, csc, coo, ell, sellp, hyb and dense");
}

context place::open() const {
  if (on == "openmp" || on == "best") return context::openmp(threads);
  if (threads > 1)
    throw usage_error(formatted("--threads {} does not go with --on {}", threads, on),
                      "threads are for --on openmp or best");
  return on == "reference" ? context::reference() : context::cuda();
}

void add_place(const command& to, place& where) {
  add_choice(to, "--on", where.on, {"reference", "openmp", "cuda", "best"},
             "Where to compute: reference, openmp, cuda or best (default)");
  add_threads(to, where.threads);
}

options plan_options::for_calls(index_t expected_calls) const {
  options how;
  how.algorithm = algorithm;
  how.deterministic = deterministic;
  how.expected_calls = expected_calls;
  how.constant_values = true;  // a command reads its operands once
  how.tuning = tuning;
  how.tune = tune == "measure" ? gossamer::tune::measure : gossamer::tune::predict;
  if (!memory_limit.empty()) how.memory_limit = parse_bytes(memory_limit, "--memory-limit");
  return how;
}

void add_plan_options(const command& to, plan_options& wanted) {
  to.add_option("--algorithm", wanted.algorithm,
                "An algorithm (merge), a kernel (spmv/csr/merge/openmp), or for sparse products "
                "'paper', a rule; default: the library chooses",
                {.shown_as = "NAME"});
  to.add_option("--memory-limit", wanted.memory_limit,
                "Bytes the product may allocate beyond its operands: 2G, 512M, 1.5GiB",
                {.shown_as = "SIZE"});
  to.add_option("--tuning", wanted.tuning,
                "Parameters of the kernel named by --algorithm: bins=1024,local_bytes=512",
                {.shown_as = "NAME=VALUE,..."});
  add_choice(to, "--tune", wanted.tune, {"predict", "measure"},
             "predict the fastest kernel (default), or measure the best three; for dense results");
  to.add_flag("--deterministic", wanted.deterministic,
              "Only kernels that are bitwise reproducible for any number of threads");
}

void add_count(const command& to, const std::string& name, index_t& count, index_t least,
               const std::string& help) {
  to.add_option(name, count, help,
                {.shown_as = "N", .within = bounds{.least = least, .most = index_t{1} << 40}});
}

void add_choice(const command& to, const std::string& name, std::string& choice,
                std::initializer_list<const char*> words, const std::string& help) {
  to.add_option(name, choice, help, {.shown_as = "WORD", .one_of = {words.begin(), words.end()}});
}

void add_type(const command& to, std::string& type) {
  add_choice(to, "--type", type, {"f32", "f64"}, "Values: f32 or f64 (default)");
}

void add_any_type(const command& to, std::string& type) {
  add_choice(to, "--type", type, {"f32", "f64", "c64", "c128"},
             "Values: f32, f64, c64 or c128 (complex); default f64, for complex files c128");
}

std::string type_for(const std::string& asked, std::initializer_list<std::string> files) {
  if (!asked.empty()) return asked;
  for (const auto& file : files) {
    if (file == "-") keep_standard_input();
    const auto path = input_path(file);
    if (std::filesystem::is_regular_file(path) &&
        inspect_file(path, limits_of_files()).field == "complex")
      return "c128";
  }
  return "f64";
}

void add_seed(const command& to, std::uint64_t& seed) {
  to.add_option("--seed", seed, "Seed of everything random; default 1", {.shown_as = "S"});
}

void add_threads(const command& to, int& threads) {
  to.add_option("--threads", threads, "Threads; 0 takes all cores",
                {.shown_as = "N", .within = bounds{.least = 0, .most = 1024}});
}

void add_json(const command& to, bool& as_json) {
  to.add_flag("--json", as_json, "One JSON object on stdout instead of text");
}

}  // namespace gossamer::cli
