// The paths of a processor that is no x86-64: plain loops.
#include "kernels/spgemm/hashvec/bucket_locate.hpp"

namespace gossamer {

std::vector<probe_path> probe_paths() { return {probe_path::portable}; }

template <class I>
bucket_probe<I> probe_by(probe_path) {
  return {detail::locate_portable<I>};
}
template bucket_probe<std::int32_t> probe_by(probe_path);
template bucket_probe<std::int64_t> probe_by(probe_path);

}  // namespace gossamer
