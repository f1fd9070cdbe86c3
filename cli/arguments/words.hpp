// Words of users, and texts for terminals.
#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

/// The candidate that `word` is most likely a misspelling of: the least number of letters added,
/// left out, changed or swapped, at most a third of them. Empty where none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// Help with long lines broken at spaces; descriptions go on below where they began.
std::string within_80_columns(const std::string& help);

}  // namespace gossamer::cli
