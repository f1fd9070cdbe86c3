// The checksum of .gsm files: 64 bits, computed by blocks so that all threads can help, fast enough
// not to be seen beside the memory traffic. It finds damage; it does not resist forgery.
#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::io {

/// Defined in docs/guide/formats.md, "Checksum". The same for any number of threads.
std::uint64_t checksum(std::string_view bytes, int threads);

}  // namespace gossamer::io
