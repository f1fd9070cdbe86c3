// What a thread does between two looks at a variable that another one will change.
#pragma once

namespace gossamer::detail {

/// Leaves the core to its other hardware thread for some tens of cycles.
void relax();

}  // namespace gossamer::detail
