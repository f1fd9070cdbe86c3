// A build without gossamer::amg: the module has no amg_solver, and gs.amg says so when it is used.
#include "module.hpp"

namespace binding {

void define_amg(py::module_&) {}

}  // namespace binding
