// The report: the explorer's page with results inside. The page is explorer/dist/explorer.html,
// compiled in, so that the program needs neither Node nor a file beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

/// A file of results, or details of matrices, as it goes into the page.
struct page_data {
  std::string name;  ///< shown to people
  std::string text;  ///< JSON lines
};

/// The page with the data in it, complete and without outside references. Each file is compressed,
/// so the page stays small; the browser unpacks it.
std::string report_page(const std::vector<page_data>& files);

/// A results file for the page, unpacked where it is gzip. Throws error(io_failure) when it cannot
/// be read and error(bad_input), with the line, when it holds no results.
page_data read_page_data(const std::string& file);

/// Whether a word on the command line names results (.json, .jsonl, .gz of these), not a matrix.
bool names_results(std::string_view word);

/// The explorer's page as Vite built it, in pieces; written by CMake.
const std::vector<std::string_view>& explorer_page_parts();

}  // namespace gossamer::cli
