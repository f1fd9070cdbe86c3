#include "bench/report/cache_read.hpp"

namespace gossamer::bench {

variants<cache_reader> cache_readers() { return {detail::read_portable}; }

}  // namespace gossamer::bench
