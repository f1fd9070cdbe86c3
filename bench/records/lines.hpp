// Files of results: one line for the context of a run, one per case, one per record.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/records/json.hpp"

namespace gossamer::bench {

/// Name and version of the format of files. The version grows when a reader of the old one would
/// misunderstand a file. bench/schema/results.schema.json
inline constexpr const char* results_schema = "gossamer-bench/2";

/// Results as JSON lines. A record is an array; the first line names its fields and holds, once per
/// entrant (a contestant in one mode), what is the same in all of its records. Times are
/// microseconds, medians with seven digits. What follows from other fields (rates, the spread) is
/// left out. Bytes that are not UTF-8 are replaced.
std::string to_lines(const json& results);

/// A line that cannot be read: counted from 1.
struct bad_line : std::runtime_error {
  bad_line(std::size_t number, const std::string& what) : runtime_error(what), line(number) {}
  std::size_t line;
};

/// The inverse: {"schema", "context", "cases": [{..., "records": [{...}], "refused": [{...}]}]},
/// times in seconds, rates included. Throws bad_line. to_lines(from_lines(text)) == text for what
/// to_lines wrote.
json from_lines(std::string_view text);

/// Is the first line that of such a file, of whatever version from 2 on?
bool looks_like_lines(std::string_view text);

}  // namespace gossamer::bench
