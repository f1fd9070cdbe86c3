// DLPack (dmlc/dlpack, version 0.8): arrays of other libraries by their address, without a copy.
#pragma once

#include "arrays.hpp"

namespace binding {

/// The array of a capsule named "dltensor", which is consumed.
device_array from_dlpack(const py::capsule& capsule);
/// A capsule over the memory of the array, which stays alive until the capsule's deleter is called.
/// `stream` is the consumer's: work submitted before is waited for.
py::capsule to_dlpack(const device_array& array, const py::object& stream);

}  // namespace binding
