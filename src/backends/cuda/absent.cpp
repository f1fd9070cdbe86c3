// For builds without CUDA: every function reports the reason.
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/runtime.hpp"
#include "backends/cuda/structure.hpp"
#include "base/text.hpp"
#include "formats/value_types.hpp"

namespace gossamer::cuda {

namespace {

[[noreturn]] void refuse() {
  throw fail(error_kind::not_available, "{}; use context::openmp()", why_not_available());
}

}  // namespace

std::string why_not_available() { return "this build of Gossamer has no CUDA backend"; }

std::shared_ptr<void> make_stream(int) { refuse(); }
// NOLINTNEXTLINE(performance-unnecessary-value-param): the backend keeps the stream.
std::shared_ptr<memory_resource> device_memory(int, std::shared_ptr<void>) { refuse(); }
std::shared_ptr<memory_resource> on_stream(std::shared_ptr<memory_resource> source,
                                           const std::shared_ptr<void>&) {
  return source;
}
void synchronise(int, void*) { refuse(); }
void release_memory() noexcept {}
void set_bytes(void*, unsigned char, std::size_t) { refuse(); }
void copy_bytes(const context&, void*, const void*, std::size_t, direction) { refuse(); }
const machine& machine_of(int) { refuse(); }

template <scalar T>
void scale(const context&, const dense_view<T>&, T) {
  refuse();
}
template <scalar T>
void copy_elements(const context&, const dense_view<const T>&, const dense_view<T>&) {
  refuse();
}
index_t longest_line(const context&, index_view) { refuse(); }
bool ascends(const context&, index_view) { refuse(); }
bool is_captured(const context&) { return false; }
std::vector<std::uint64_t> fingerprints(const context&, std::span<const index_view>) { refuse(); }
index_t count_products(const context&, const compressed_lines&, const compressed_lines&, index_t) {
  refuse();
}
template <class View>
bool is_tidy(const context&, const View&) {
  refuse();
}

#define GOSSAMER_INSTANTIATE(T)                                                                  \
  template void scale(const context&, const dense_view<T>&, T);                                  \
  template void copy_elements(const context&, const dense_view<const T>&, const dense_view<T>&); \
  template bool is_tidy(const context&, const csr_view<const T>&);                               \
  template bool is_tidy(const context&, const csc_view<const T>&);                               \
  template bool is_tidy(const context&, const coo_view<const T>&);                               \
  template bool is_tidy(const context&, const ell_view<const T>&);                               \
  template bool is_tidy(const context&, const sellp_view<const T>&);                             \
  template bool is_tidy(const context&, const hyb_view<const T>&);                               \
  template bool is_tidy(const context&, const dense_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
