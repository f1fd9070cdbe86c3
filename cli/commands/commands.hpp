// The commands. Each adds itself to the parser and stores its action; main runs the selected one,
// so that every error passes one place.
#pragma once

#include <functional>

#include "cli/arguments/command.hpp"
#include "cli/output/exit_codes.hpp"

namespace gossamer::cli {

using action = std::function<exit_code()>;

void add_info(const command& program, action& chosen);
void add_multiply(const command& program, action& chosen);
void add_convert(const command& program, action& chosen);
void add_compare(const command& program, action& chosen);
void add_generate(const command& program, action& chosen);
void add_amg(const command& program, action& chosen);
void add_explore(const command& program, action& chosen);
void add_bench(const command& program, action& chosen);
void add_bench_report(const command& bench, action& chosen);
void add_bench_compare(const command& bench, action& chosen);
void add_roofline(const command& program, action& chosen);

}  // namespace gossamer::cli
