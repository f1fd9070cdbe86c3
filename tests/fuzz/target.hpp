// The frame of a fuzz target: a fault of the reader ends the process, so that libFuzzer keeps the
// input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/try_parse.hpp"

namespace gossamer::fuzz {

inline void require_good_reader(std::string_view bytes) {
  if (const auto fault = try_parse(bytes)) {
    std::fprintf(stderr, "%s\n", fault->c_str());
    std::abort();
  }
}

inline std::string_view view_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace gossamer::fuzz
