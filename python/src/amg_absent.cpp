// A build without gossamer::amg: the module has no amg_solver.
#include "module.hpp"

namespace binding {

void define_amg(py::module_&) {}

}  // namespace binding
