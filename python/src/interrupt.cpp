#include "module.hpp"

namespace binding {

void interruptible(gs::index_t, const std::function<void()>& work) {
  const py::gil_scoped_release released;
  work();
}

}  // namespace binding
