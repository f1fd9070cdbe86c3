// The commands. Each adds itself to the parser and leaves its action behind; main runs the one that
// was asked for, so that every error passes one place.
#pragma once

#include <functional>

#include "exit_codes.hpp"

namespace CLI {
class App;
}

namespace gossamer::cli {

using action = std::function<exit_code()>;

void add_info(CLI::App& app, action& chosen);
void add_multiply(CLI::App& app, action& chosen);
void add_convert(CLI::App& app, action& chosen);
void add_generate(CLI::App& app, action& chosen);
void add_bench(CLI::App& app, action& chosen);
void add_bench_report(CLI::App& bench, action& chosen);
void add_bench_compare(CLI::App& bench, action& chosen);
void add_roofline(CLI::App& app, action& chosen);

}  // namespace gossamer::cli
