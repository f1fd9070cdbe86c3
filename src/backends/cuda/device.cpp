#include "backends/cuda/device.hpp"

#include <deque>
#include <mutex>

#include "backends/cuda/check.hpp"
#include "backends/cuda/runtime.hpp"

namespace gossamer::cuda {

namespace {

/// The number of devices, or the reason why none can be used.
struct presence {
  std::string why_not;
  int devices = 0;
};

presence look() {
  int driver = 0, runtime = 0, devices = 0;
  if (const auto status = cudaDriverGetVersion(&driver); status != cudaSuccess)
    return {"the NVIDIA driver does not answer: " + error_text(status)};
  if (driver == 0) return {"no NVIDIA driver found (libcuda.so.1)"};
  (void)cudaRuntimeGetVersion(&runtime);
  if (const auto status = cudaGetDeviceCount(&devices); status != cudaSuccess) {
    const auto text = error_text(status);
    if (status == cudaErrorInsufficientDriver)
      return {formatted("the NVIDIA driver is too old: it knows CUDA {}.{}, this build needs {}.{}",
                        driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10)};
    return {"no CUDA device: " + text};
  }
  if (devices == 0) return {"the NVIDIA driver lists no CUDA device"};
  return {"", devices};
}

/// Queried once per process.
const presence& here() {
  static const presence found = look();
  return found;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "attribute {} of device {}",
        static_cast<int>(which), device);
  return value;
}

machine describe(int device) {
  cudaDeviceProp found{};
  check(cudaGetDeviceProperties(&found, device), "the properties of device {}", device);
  gpu one;
  one.name = found.name;
  one.multiprocessors = found.multiProcessorCount;
  one.compute_capability = found.major * 10 + found.minor;
  one.l2 = found.l2CacheSize;
  one.memory = static_cast<index_t>(found.totalGlobalMem);
  one.shared_per_block = static_cast<index_t>(found.sharedMemPerBlockOptin);
  // Two transfers per clock; good kernels reach nine tenths of the peak. The L2 of an H100 has
  // about two and a half times that.
  const double clock = 1e3 * attribute(cudaDevAttrMemoryClockRate, device);
  const double width = attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8.0;
  const double peak = 2 * clock * width;
  one.bandwidth = peak > 0 ? 0.9 * peak : 1e12;
  one.l2_bandwidth = 2.5 * one.bandwidth;
  machine all = this_machine();
  all.gpu = std::move(one);
  return all;
}

}  // namespace

device_guard::device_guard(int device) : now_(device) {
  check(cudaGetDevice(&before_), "the current device");
  if (before_ != now_) check(cudaSetDevice(now_), "device {} could not be made current", now_);
}

device_guard::~device_guard() {
  if (before_ != now_) (void)cudaSetDevice(before_);
}

bool is_captured(cudaStream_t stream) {
  auto state = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &state), "whether a stream is captured");
  return state != cudaStreamCaptureStatusNone;
}

std::string why_not_available() { return here().why_not; }

const machine& machine_of(int device) {
  // A deque keeps the addresses of its elements; they are never removed.
  static std::mutex guard;
  static std::deque<std::pair<int, machine>> known;
  const std::lock_guard lock(guard);
  for (const auto& [number, found] : known)
    if (number == device) return found;
  return known.emplace_back(device, describe(device)).second;
}

const gpu& properties(int device) { return *machine_of(device).gpu; }

std::shared_ptr<void> make_stream(int device) {
  if (!here().why_not.empty())
    throw fail(error_kind::not_available, "CUDA cannot be used: {}; use context::openmp()",
               here().why_not);
  if (device < 0 || device >= here().devices)
    throw fail(error_kind::not_available, "CUDA device {} was asked for, but there are {} (from 0)",
               device, here().devices);
  const device_guard on(device);
  cudaStream_t result = nullptr;
  check(cudaStreamCreateWithFlags(&result, cudaStreamNonBlocking), "a stream on device {}", device);
  return {result, [](void* stream) { (void)cudaStreamDestroy(static_cast<cudaStream_t>(stream)); }};
}

void synchronise(int device, void* stream) {
  const device_guard on(device);
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)),
        "waiting for the stream of device {} (what ran on it failed)", device);
}

}  // namespace gossamer::cuda
