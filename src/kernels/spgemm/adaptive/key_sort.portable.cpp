// Plain loops alone.
#include "kernels/spgemm/adaptive/key_network.hpp"

namespace gossamer {

variants<key_sorter> key_sorters() { return {detail::sort_portably}; }

}  // namespace gossamer
