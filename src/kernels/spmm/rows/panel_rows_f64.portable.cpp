// Rows times panels of doubles on a processor that is no x86-64.
#include "kernels/spmm/rows/panel_tiles.hpp"

namespace gossamer {

template <class T, class I>
variants<panel_function<T, I>> panel_functions() {
  return {.portable = detail::multiply_panel_plain<T, I>};
}
template variants<panel_function<double, std::int32_t>> panel_functions();
template variants<panel_function<double, std::int64_t>> panel_functions();

}  // namespace gossamer
