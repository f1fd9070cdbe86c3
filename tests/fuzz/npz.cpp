// Also .npy files, which are what an archive is made of.
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer::fuzz;
  require_good_reader(view_of(data, size));
  require_good_reader(with_zip_checksums(view_of(data, size)));
  return 0;
}
