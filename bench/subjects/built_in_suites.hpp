// The suites that are compiled in; the list itself is written by CMake from suites/*.json.
#pragma once

#include <string>
#include <vector>

namespace gossamer::bench {

struct suite_text {
  std::string name, text;
};
const std::vector<suite_text>& built_in_suite_texts();

}  // namespace gossamer::bench
