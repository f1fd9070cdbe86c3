#pragma once

#include <nlohmann/json.hpp>

namespace gossamer::bench {

/// Objects keep the order in which people wrote them.
using json = nlohmann::ordered_json;

}  // namespace gossamer::bench
