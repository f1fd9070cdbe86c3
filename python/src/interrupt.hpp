// Ctrl-C during a long product.
#pragma once

#include <functional>

#include "values.hpp"

namespace binding {

/// Runs the work with the GIL released. Python handles signals on its main thread only, which would
/// be busy for as long as the product takes. So when the main thread asks for long work, another
/// thread does it while the main thread waits and looks for signals. If a handler raises, as that
/// of Ctrl-C does, the exception leaves at once and the work is abandoned: it ends at its next
/// allocation or when it is done, and nobody sees its result.
///
/// `size` is about the number of elements that the work visits. `work` must own what it uses: it
/// may outlive the call. It is called with a context that is `where` but for its memory.
void interruptible(gs::index_t size, const gs::context& where,
                   std::function<void(const gs::context&)> work);

void define_interruption(py::module_& m);

}  // namespace binding
