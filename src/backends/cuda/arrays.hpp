// What the conductor needs to know of arrays on a device, and to do to them; implemented either by
// the backend or by absent.cpp.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::cuda {

/// y = beta y; beta = 0 does not read y. Queued, like a kernel.
template <scalar T>
void scale(const context&, const dense_view<T>& y, T beta);
/// to = from, element by element, whatever the strides. Queued.
template <scalar T>
void copy_elements(const context&, const dense_view<const T>& from, const dense_view<T>& to);

/// The longest of the lines that these offsets describe. Waits for the answer; 0 while the stream
/// is being captured, when nobody may wait.
index_t longest_line(const context&, index_view offsets);
/// Whether each index is at least the one before. Waits; false while the stream is being captured.
bool ascends(const context&, index_view indices);

}  // namespace gossamer::cuda
