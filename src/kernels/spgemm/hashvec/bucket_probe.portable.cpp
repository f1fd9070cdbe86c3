// Searching buckets of keys with plain loops.
#include "kernels/spgemm/hashvec/bucket_locate.hpp"

namespace gossamer {

template <class I>
variants<bucket_locator<I>> bucket_locators() {
  return {detail::locate_portable<I>};
}
template variants<bucket_locator<std::int32_t>> bucket_locators();
template variants<bucket_locator<std::int64_t>> bucket_locators();

}  // namespace gossamer
