#pragma once

#include <string>

namespace gossamer {

/// Version of these headers.
inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;
/// Version of the library as text: "0.1.0".
std::string version();
/// Compiler, backends and commit of this build, one line each.
std::string build_description();

}  // namespace gossamer
