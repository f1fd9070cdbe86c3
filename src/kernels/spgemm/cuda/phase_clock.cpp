#include "kernels/spgemm/cuda/phase_clock.hpp"

#include <algorithm>

#include "backends/cuda/device.hpp"

namespace gossamer::device {

phase_clock::phase_clock(const context& where, std::vector<phase>* to) : where_(where), to_(to) {
  if (to_) record("", 0);
}

phase_clock::~phase_clock() {
  for (const auto& one : stops_) (void)cudaEventDestroy(one.event);
}

void phase_clock::mark(const char* name, double bytes) {
  if (to_) record(name, bytes);
}

void phase_clock::record(const char* name, double bytes) {
  const cuda::device_guard on(where_);
  stops_.reserve(stops_.size() + 1);  // an event that exists is always in the list
  cudaEvent_t event = nullptr;
  cuda::check(cudaEventCreate(&event), "an event for the phase '{}'", name);
  stops_.push_back({name, bytes, event});
  cuda::check(cudaEventRecord(event, cuda::stream_of(where_)), "the end of the phase '{}'", name);
}

void phase_clock::finish() {
  if (!to_) return;
  const cuda::device_guard on(where_);
  cuda::check(cudaEventSynchronize(stops_.back().event), "waiting for the last phase");
  std::vector<phase> found;
  for (std::size_t k = 1; k < stops_.size(); ++k) {
    float milliseconds = 0;
    cuda::check(cudaEventElapsedTime(&milliseconds, stops_[k - 1].event, stops_[k].event),
                "the time of the phase '{}'", stops_[k].name);
    auto known = std::find_if(found.begin(), found.end(),
                              [&](const phase& p) { return p.name == stops_[k].name; });
    if (known == found.end()) known = found.insert(found.end(), {.name = stops_[k].name});
    known->seconds += 1e-3 * static_cast<double>(milliseconds);
    known->bytes += stops_[k].bytes;
  }
  to_->insert(to_->end(), found.begin(), found.end());
}

}  // namespace gossamer::device
