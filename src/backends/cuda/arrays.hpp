// Queries and operations on device arrays that src/multiply needs; implemented by the backend or by
// absent.cpp.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::cuda {

/// y = beta y; beta = 0 does not read y. Queued, like a kernel.
template <scalar T>
void scale(const context&, const dense_view<T>& y, T beta);
/// Copies element by element, with any strides. Queued.
template <scalar T>
void copy_elements(const context&, const dense_view<const T>& from, const dense_view<T>& to);

/// The longest of the lines that these offsets describe. Waits for the device; 0 while the stream
/// is captured, when waiting is impossible.
index_t longest_line(const context&, index_view offsets);
/// Whether the indices ascend (not strictly). Waits; false while the stream is captured.
bool ascends(const context&, index_view indices);

}  // namespace gossamer::cuda
