// The CUDA backend as the rest of the library sees it: plain C++, implemented either by the
// backend or by absent.cpp.
#pragma once

#include <memory>
#include <string>

#include "gossamer/context.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::cuda {

/// Empty when a device can be used; else the reason, for people.
std::string why_not_available();

/// Creates a stream that does not wait for the default stream. Throws error(not_available) with the
/// reason when there is no such device.
std::shared_ptr<void> make_stream(int device);

/// Stream-ordered memory of one device. Every array keeps the stream alive.
std::shared_ptr<memory_resource> device_memory(int device, std::shared_ptr<void> stream);

/// The library's memory source on another stream; a caller's source is returned unchanged.
std::shared_ptr<memory_resource> on_stream(std::shared_ptr<memory_resource> source,
                                           const std::shared_ptr<void>& stream);

void synchronise(int device, void* stream);

/// Returns memory kept by the pools of all devices to the system.
void release_memory() noexcept;

/// Sets bytes of any device memory, and waits.
void set_bytes(void* data, unsigned char byte, std::size_t bytes);

/// Direction of a copy. Copies are ordered in the context's stream. To the host they wait; from the
/// host they return when the source has been read, unless that is pinned.
enum class direction { to_device, to_host, on_device };
void copy_bytes(const context& where, void* to, const void* from, std::size_t bytes, direction);

/// The machine including this device; cached after the first call.
const machine& machine_of(int device);

}  // namespace gossamer::cuda
