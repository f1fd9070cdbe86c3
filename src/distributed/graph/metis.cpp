// METIS: multilevel k-way partitioning (Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998).
#include <metis.h>

#include "distributed/graph/tools.hpp"

namespace gossamer::mpi {

bool has_metis() { return true; }

std::vector<int> metis_parts(const graph& of, int parts) {
  auto offsets = numbers_of<idx_t>(of.offsets, "METIS");
  auto neighbours = numbers_of<idx_t>(of.neighbours, "METIS");
  auto weights = numbers_of<idx_t>(of.weights, "METIS");
  std::vector<idx_t> found(of.weights.size(), 0);
  std::vector<int> result(of.weights.size(), 0);
  if (parts == 1 || result.empty()) return result;  // METIS refuses one part
  idx_t vertices = static_cast<idx_t>(of.vertices()), constraints = 1, count = parts, cut = 0;
  idx_t settings[METIS_NOPTIONS];
  METIS_SetDefaultOptions(settings);
  settings[METIS_OPTION_SEED] = 1;  // the same parts in each run
  const int code = METIS_PartGraphKway(&vertices, &constraints, offsets.data(), neighbours.data(),
                                       weights.data(), nullptr, nullptr, &count, nullptr, nullptr,
                                       settings, &cut, found.data());
  if (code == METIS_ERROR_MEMORY)
    throw error(error_kind::out_of_memory, "METIS was refused memory; pass a partition instead");
  if (code != METIS_OK)
    throw fail(error_kind::bad_argument, "METIS refused a graph of {} vertices for {} parts",
               count_text(of.vertices()), parts);
  for (std::size_t k = 0; k < found.size(); ++k) result[k] = static_cast<int>(found[k]);
  return result;
}

}  // namespace gossamer::mpi
