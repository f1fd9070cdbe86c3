// A summary as a document: sections of text, tables and a chart, rendered for a terminal or as
// Markdown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/report/canvas.hpp"
#include "bench/report/summary.hpp"

namespace gossamer::bench {

struct document_table {
  std::vector<std::string> heading;
  std::string align;  ///< '<' or '>' per column
  std::vector<std::vector<std::string>> rows;
};

struct section {
  std::string heading;
  std::vector<std::string> before;  ///< paragraphs
  std::vector<drawn_line> chart;    ///< terminals only
  std::vector<document_table> tables;
  std::vector<std::string> after;
};

using document = std::vector<section>;

document describe(const summary& found, const std::vector<results>& files,
                  const summary_request& asked);
std::string to_markdown(const document& shown);
nlohmann::ordered_json to_json(const summary& found, const std::vector<results>& files,
                               const summary_request& asked);

/// A line per phase; empty without phases.
document_table phases_table(const std::vector<phase_total>& phases);
nlohmann::ordered_json phases_json(const std::vector<phase_total>& phases);

/// The performance profile, with a letter per contestant on its curve.
std::vector<drawn_line> draw_profile(const contest& shown, int columns);

/// Cuts the widest texts (ending them in "…") until the table takes at most `columns`.
document_table fitted(document_table wide, std::size_t columns);

}  // namespace gossamer::bench
