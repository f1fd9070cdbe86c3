#pragma once

#include <string>

namespace gossamer {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;
/// "0.1.0"
std::string version();
/// What this build has: compiler, backends, commit. One line each.
std::string build_description();

}  // namespace gossamer
