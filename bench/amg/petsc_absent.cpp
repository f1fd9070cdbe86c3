#include "bench/amg/solver.hpp"

namespace gossamer::bench {
std::vector<std::unique_ptr<amg_solver>> petsc_solvers() { return {}; }
}  // namespace gossamer::bench
