// A probe tells what accelerators are there and how fast their memory is: the scale against which
// `gossamer roofline` and the records of a race hold a device. Like a peer it is a plug-in,
// gossamer_probe_<backend>.so beside the peers, so that the command line needs no CUDA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::bench {

/// Raised whenever this header changes; a probe of another version is not used.
inline constexpr int probe_interface = 1;

struct device_facts {
  int index = 0;
  std::string name;         ///< "NVIDIA H200"
  std::int64_t memory = 0;  ///< bytes, all of it
  std::int64_t l2 = 0;      ///< bytes
  int multiprocessors = 0;
  std::string compute_capability;  ///< "9.0"
  std::string runtime;             ///< "13.0": what the probe was built with
  std::string driver;              ///< "13.0": the newest runtime the driver serves
};

/// How fast `working_set` bytes are read, over and over: from the L2 while they fit it.
struct read_rate {
  std::int64_t working_set = 0;
  double bytes_per_second = 0;
};

/// How many 8-byte values at random places of a table are fetched, the 4-byte indices streamed.
struct gather_rate {
  std::int64_t table = 0;  ///< bytes
  double per_second = 0;
};

struct device_rates {
  double copy = 0;  ///< bytes/s read and written, a copy far larger than the L2
  std::vector<read_rate> reads;
  std::vector<gather_rate> gathers;
};

struct device_probe {
  int interface = probe_interface;
  std::string backend;  ///< "cuda"
  /// Both throw std::exception with a text for people; devices() also when there is none.
  std::vector<device_facts> (*devices)() = nullptr;
  /// Under a second, on a device that has 2 GiB free (a smaller one: smaller sets).
  device_rates (*measure)(int index) = nullptr;
};

}  // namespace gossamer::bench

/// The one symbol of a probe.
extern "C" __attribute__((visibility("default"))) const gossamer::bench::device_probe&
gossamer_device_probe();
