#include "bench/session/devices.hpp"

#include <dlfcn.h>

#include "bench/peers/load_peers.hpp"
#include "bench/probes/device_probe.hpp"

namespace gossamer::bench {

namespace {

json describe(const device_probe& probe, const device_facts& device) {
  const device_rates rates = probe.measure(device.index);
  json reads = json::array(), gathers = json::array();
  for (const auto& r : rates.reads)
    reads.push_back({{"working_set", r.working_set}, {"bytes_per_second", r.bytes_per_second}});
  for (const auto& g : rates.gathers)
    gathers.push_back({{"table", g.table}, {"per_second", g.per_second}});
  return {{"backend", probe.backend},
          {"name", device.name},
          {"memory", device.memory},
          {"l2", device.l2},
          {"multiprocessors", device.multiprocessors},
          {"compute_capability", device.compute_capability},
          {"runtime", device.runtime},
          {"driver", device.driver},
          {"copy", rates.copy},
          {"reads", reads},
          {"gathers", gathers}};
}

}  // namespace

json describe_devices(std::string* why_not) {
  json all = json::array();
  std::string why = "no probe was built (no CUDA toolkit)";
  for (const auto& folder : peer_folders()) {
    const auto file = folder / "gossamer_probe_cuda.so";
    if (!std::filesystem::exists(file)) continue;
    try {
      void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!handle) throw std::runtime_error(dlerror());
      using entrance = const device_probe& (*)();
      const auto enter = reinterpret_cast<entrance>(dlsym(handle, "gossamer_device_probe"));
      if (!enter || enter().interface != probe_interface)
        throw std::runtime_error(file.string() + " is not a probe of this version");
      for (const auto& device : enter().devices()) all.push_back(describe(enter(), device));
      break;
    } catch (const std::exception& e) {
      why = e.what();
    }
  }
  if (why_not) *why_not = all.empty() ? why : "";
  return all;
}

}  // namespace gossamer::bench
