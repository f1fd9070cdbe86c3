// What the control groups of this process (a container, a batch job) allow it.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>

#include "gossamer/types.hpp"

namespace gossamer {

/// The smallest memory limit of the groups listed in `self` (/proc/self/cgroup) and of those they
/// are in, by the files below `root` (/sys/fs/cgroup), of version 1 or 2; nothing where none is
/// set. Inside a container the paths of `self` may be those of the host: then the limit of `root`
/// itself counts.
std::optional<index_t> container_memory(std::istream& self, const std::filesystem::path& root);
/// The same for this process. Reads files at every call.
std::optional<index_t> container_memory();

/// Bytes this process can have at most: what its container allows or, without one, RAM and swap.
/// Computed once.
index_t usable_memory();

}  // namespace gossamer
