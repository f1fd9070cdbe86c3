#pragma once

#include <string>

#include "bench/records/json.hpp"

namespace gossamer::bench {

/// Records as JSON, for people and for diffs. A list of plain values is one line, however long, and
/// so is an object of plain values and such lists: what was measured cold, with its samples, or
/// what one kernel said of a problem. Everything else is indented by one space a level. Bytes that
/// are not UTF-8 are replaced. Ends with a newline.
std::string record_text(const json& records);

}  // namespace gossamer::bench
