// The memory of NVIDIA devices: a copy, reads of growing working sets, random gathers.
//
// Every rate is the best of several launches, timed by events on the device, after one that is not
// counted. Loads of the read test pass by the L1, so that the curve shows L2 and memory only.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "bench/probes/device_probe.hpp"

namespace gossamer::bench {
namespace {

constexpr int block = 512;
constexpr int repetitions = 5;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status) + " (" +
                           cudaGetErrorName(status) + ")");
}

/// Blocks that fill the device once; kernels stride over their work.
int grid_of(int device) {
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute(MultiProcessorCount)");
  return multiprocessors * (2048 / block);
}

class device_memory {
 public:
  explicit device_memory(std::size_t bytes) { check(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { (void)cudaFree(data_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

class stopwatch {
 public:
  stopwatch() {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() {
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
  }

  /// The least time of several launches, after a warm-up.
  template <class Launch>
  double best(Launch&& launch) {
    double least = 0;
    for (int i = 0; i <= repetitions; ++i) {
      check(cudaEventRecord(begin_), "cudaEventRecord");
      launch();
      check(cudaGetLastError(), "the launch of a probe's kernel");
      check(cudaEventRecord(end_), "cudaEventRecord");
      check(cudaEventSynchronize(end_), "cudaEventSynchronize");
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
      const double seconds = static_cast<double>(milliseconds) * 1e-3;
      if (i == 1 || (i > 1 && seconds < least)) least = seconds;
    }
    return least;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

__device__ std::size_t first_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::size_t stride() { return std::size_t{gridDim.x} * blockDim.x; }

__global__ void copy_kernel(const uint4* __restrict__ from, uint4* __restrict__ to,
                            std::size_t count) {
  const auto step = stride();
  auto i = first_index();
  for (; i + 3 * step < count; i += 4 * step) {
    const uint4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
    to[i] = a;
    to[i + step] = b;
    to[i + 2 * step] = c;
    to[i + 3 * step] = d;
  }
  for (; i < count; i += step) to[i] = from[i];
}

/// 16 bytes, from the L2 or below it; volatile, so that reading a set again is not optimised away.
__device__ unsigned read_past_l1(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v.x ^ v.y ^ v.z ^ v.w;
}

/// Reads `total` times 16 bytes, going round in a set of mask + 1 (a power of two).
__global__ void read_kernel(const uint4* set, std::size_t mask, std::size_t total,
                            unsigned* never) {
  const auto step = stride();
  unsigned sum = 0;
  auto i = first_index();
  for (; i + 3 * step < total; i += 4 * step)
    sum ^= read_past_l1(set + (i & mask)) ^ read_past_l1(set + ((i + step) & mask)) ^
           read_past_l1(set + ((i + 2 * step) & mask)) ^
           read_past_l1(set + ((i + 3 * step) & mask));
  for (; i < total; i += step) sum ^= read_past_l1(set + (i & mask));
  if (sum == 0x9e3779b9U) *never = sum;
}

__global__ void index_kernel(unsigned* indices, std::size_t count, unsigned mask) {
  for (auto i = first_index(); i < count; i += stride()) {
    // splitmix64 of the place: no two launches differ, no pattern a cache could follow.
    auto h = static_cast<unsigned long long>(i) * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
    indices[i] = static_cast<unsigned>(h >> 32) & mask;
  }
}

__global__ void gather_kernel(const double* __restrict__ table, const uint4* __restrict__ indices,
                              std::size_t count, double* never) {
  double sum = 0;
  for (auto i = first_index(); i < count; i += stride()) {
    const uint4 at = indices[i];
    sum += table[at.x] + table[at.y] + table[at.z] + table[at.w];
  }
  // The table is all zeros.
  if (sum != 0) *never = sum;
}

/// The largest power of two up to `wanted` of which two fit into half of what is free.
std::size_t affordable(std::size_t wanted) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  while (wanted > mebibyte && wanted > free / 4) wanted /= 2;
  return wanted;
}

double measure_copy(stopwatch& watch, int grid) {
  const auto bytes = affordable(1024 * mebibyte);
  const device_memory from(bytes), to(bytes);
  check(cudaMemset(from.as<void>(), 0x5a, bytes), "cudaMemset");
  const double seconds = watch.best([&] {
    copy_kernel<<<grid, block>>>(from.as<uint4>(), to.as<uint4>(), bytes / sizeof(uint4));
  });
  return 2 * static_cast<double>(bytes) / seconds;
}

std::vector<read_rate> measure_reads(stopwatch& watch, int grid) {
  const auto most = affordable(1024 * mebibyte);
  const device_memory set(most), never(sizeof(unsigned));
  check(cudaMemset(set.as<void>(), 0x5a, most), "cudaMemset");
  // Long enough for launches not to count, and at least four rounds.
  const auto total = 4 * most / sizeof(uint4);
  std::vector<read_rate> rates;
  for (auto bytes = mebibyte; bytes <= most; bytes *= 2) {
    const double seconds = watch.best([&] {
      read_kernel<<<grid, block>>>(set.as<uint4>(), bytes / sizeof(uint4) - 1, total,
                                   never.as<unsigned>());
    });
    rates.push_back(
        {static_cast<std::int64_t>(bytes), static_cast<double>(total * sizeof(uint4)) / seconds});
  }
  return rates;
}

std::vector<gather_rate> measure_gathers(stopwatch& watch, int grid) {
  const auto most = affordable(1024 * mebibyte);
  const auto count = std::min<std::size_t>(std::size_t{1} << 26, most / 16);
  const device_memory table(most), indices(count * sizeof(unsigned)), never(sizeof(double));
  check(cudaMemset(table.as<void>(), 0, most), "cudaMemset");
  std::vector<gather_rate> rates;
  for (const auto wanted : {8 * mebibyte, 64 * mebibyte, 1024 * mebibyte}) {
    if (wanted > most) continue;
    const auto mask = static_cast<unsigned>(wanted / sizeof(double) - 1);
    index_kernel<<<grid, block>>>(indices.as<unsigned>(), count, mask);
    check(cudaGetLastError(), "the launch of a probe's kernel");
    const double seconds = watch.best([&] {
      gather_kernel<<<grid, block>>>(table.as<double>(), indices.as<uint4>(), count / 4,
                                     never.as<double>());
    });
    rates.push_back({static_cast<std::int64_t>(wanted), static_cast<double>(count) / seconds});
  }
  return rates;
}

std::string version_text(int v) {
  return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10);
}

std::vector<device_facts> devices() {
  int count = 0, runtime = 0, driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  if (driver == 0) throw std::runtime_error("this machine has no NVIDIA driver (libcuda.so.1)");
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (count == 0) throw std::runtime_error("cudaGetDeviceCount: this machine has no CUDA device");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  std::vector<device_facts> found;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp p{};
    check(cudaGetDeviceProperties(&p, i), "cudaGetDeviceProperties");
    device_facts one;
    one.index = i;
    one.name = p.name;
    one.memory = static_cast<std::int64_t>(p.totalGlobalMem);
    one.l2 = p.l2CacheSize;
    one.multiprocessors = p.multiProcessorCount;
    one.compute_capability = std::to_string(p.major) + "." + std::to_string(p.minor);
    one.runtime = version_text(runtime);
    one.driver = version_text(driver);
    found.push_back(one);
  }
  return found;
}

device_rates measure(int index) {
  int before = 0;
  check(cudaGetDevice(&before), "cudaGetDevice");
  check(cudaSetDevice(index), "cudaSetDevice");
  stopwatch watch;
  const int grid = grid_of(index);
  device_rates rates;
  rates.copy = measure_copy(watch, grid);
  rates.reads = measure_reads(watch, grid);
  rates.gathers = measure_gathers(watch, grid);
  check(cudaSetDevice(before), "cudaSetDevice");
  return rates;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::device_probe& gossamer_device_probe() {
  using namespace gossamer::bench;
  static const device_probe probe{probe_interface, "cuda", devices, measure};
  return probe;
}
