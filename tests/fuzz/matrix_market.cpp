#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gossamer::fuzz::require_good_reader(gossamer::fuzz::view_of(data, size));
  return 0;
}
