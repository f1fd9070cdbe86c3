#include "bench/amg/solver.hpp"

namespace gossamer::bench {
std::vector<std::unique_ptr<amg_solver>> muelu_solvers() { return {}; }
}  // namespace gossamer::bench
