// The sorts of a processor that is no x86-64: plain loops.
#include "kernels/spgemm/adaptive/key_network.hpp"

namespace gossamer {

std::vector<key_sorter> key_sorters() { return {detail::sort_portably}; }

}  // namespace gossamer
