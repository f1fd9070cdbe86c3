// What this build is, for the records.
#pragma once

#include <string>

namespace gossamer::bench {

struct build_description {
  std::string commit;  ///< "" outside a repository
  bool dirty = false;  ///< there were changes that no commit has
  std::string compiler, type, flags;
  std::string openmp, cuda;
  std::string peers_when_installed;  ///< folder, relative to the program's
};
const build_description& build_facts();

}  // namespace gossamer::bench
