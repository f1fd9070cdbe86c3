// The commands that read results, and what they share to print.
#pragma once

#include <string>
#include <vector>

#include "bench/report/document.hpp"
#include "cli/commands/commands.hpp"

namespace gossamer::cli {

/// Subcommands of bench.
void add_bench_report(CLI::App& bench, action& chosen);
void add_bench_compare(CLI::App& bench, action& chosen);
void add_roofline(CLI::App& app, action& chosen);

/// Broken at spaces into lines of at most `columns` characters.
std::string wrapped(const std::string& text, std::size_t columns);
/// At most 100 columns wide.
void print_fitted(const bench::document_table& wide);
/// Series in colours of their own where stdout takes colours.
void print_drawing(const std::vector<bench::drawn_line>& lines);

}  // namespace gossamer::cli
