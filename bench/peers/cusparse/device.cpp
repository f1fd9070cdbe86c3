#include "bench/peers/cusparse/device.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace gossamer::bench::cusparse {
namespace {

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

/// The runtime keeps the last error; a handled one must not show up in a later call.
void clear_error() { (void)cudaGetLastError(); }

cudaMemPool_t pool() {
  cudaMemPool_t found = nullptr;
  check(cudaDeviceGetDefaultMemPool(&found, 0), "cudaDeviceGetDefaultMemPool");
  return found;
}

[[noreturn]] void out_of_memory(std::size_t bytes, const char* what) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  throw std::runtime_error("the device has not the memory for " + std::string(what) + ": " +
                           megabytes(bytes) + " asked for, " + megabytes(free) + " of " +
                           megabytes(total) + " free; take a smaller matrix");
}

}  // namespace

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  clear_error();
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status) + " (" +
                           cudaGetErrorName(status) + ")");
}

void check(cusparseStatus_t status, const char* call) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  clear_error();
  throw std::runtime_error(std::string(call) + ": " + cusparseGetErrorString(status) + " (" +
                           cusparseGetErrorName(status) + ")");
}

namespace {

// One thread runs all contestants.
index_t held_bytes = 0, most_bytes = 0, first_bytes = 0;

}  // namespace

device_array::device_array(std::size_t bytes, const char* what) : bytes_(bytes) {
  const auto stream = session::current().stream();
  const auto size = std::max<std::size_t>(bytes, 256);
  auto status = cudaMallocAsync(&data_, size, stream);
  if (status == cudaErrorMemoryAllocation) {
    // The pool may hold the memory in pieces that do not fit.
    clear_error();
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    check(cudaMemPoolTrimTo(pool(), 0), "cudaMemPoolTrimTo");
    status = cudaMallocAsync(&data_, size, stream);
  }
  if (status == cudaErrorMemoryAllocation) {
    clear_error();
    out_of_memory(size, what);
  }
  check(status, "cudaMallocAsync");
  held_bytes += static_cast<index_t>(bytes_);
  most_bytes = std::max(most_bytes, held_bytes);
}

void device_array::restart_peak() { most_bytes = first_bytes = held_bytes; }
index_t device_array::peak_growth() { return most_bytes - first_bytes; }

device_array::device_array(device_array&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

device_array& device_array::operator=(device_array&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  // Frees the previous memory now, not when `other` is destroyed: workspaces are large.
  other = nullptr;
  return *this;
}

device_array& device_array::operator=(std::nullptr_t) noexcept {
  if (data_ != nullptr) {
    (void)cudaFreeAsync(data_, session::current().stream());
    held_bytes -= static_cast<index_t>(bytes_);
  }
  data_ = nullptr;
  bytes_ = 0;
  return *this;
}

device_array::~device_array() { *this = nullptr; }

session& session::current() {
  // Never destroyed: at the end of the process the driver may be gone before static objects are.
  static auto* opened = new session;
  return *opened;
}

session::session() {
  int driver = 0, devices = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  if (driver == 0) throw std::runtime_error("this machine has no NVIDIA driver (libcuda.so.1)");
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices == 0) throw std::runtime_error("cudaGetDeviceCount: this machine has no CUDA device");
  check(cudaSetDevice(0), "cudaSetDevice");
  int pools = 0;
  check(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0),
        "cudaDeviceGetAttribute(MemoryPoolsSupported)");
  if (pools == 0)
    throw std::runtime_error("the device has no stream-ordered memory pools, which results need");
  auto keep = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReleaseThreshold, &keep),
        "cudaMemPoolSetAttribute(ReleaseThreshold)");
  // A stream that orders itself with the default one: whatever a library puts there counts.
  check(cudaStreamCreate(&stream_), "cudaStreamCreate");
  clock_ = std::make_unique<device_clock>(stream_);
  check(cusparseCreate(&handle_), "cusparseCreate");
  check(cusparseSetStream(handle_, stream_), "cusparseSetStream");
  check(cusparseSetPointerMode(handle_, CUSPARSE_POINTER_MODE_HOST), "cusparseSetPointerMode");
}

std::string session::library_version() const {
  int major = 0, minor = 0, patch = 0;
  check(cusparseGetProperty(MAJOR_VERSION, &major), "cusparseGetProperty");
  check(cusparseGetProperty(MINOR_VERSION, &minor), "cusparseGetProperty");
  check(cusparseGetProperty(PATCH_LEVEL, &patch), "cusparseGetProperty");
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

void session::wait() { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

device_array upload(const void* from, std::size_t bytes, const char* what) {
  device_array to(bytes, what);
  auto& device = session::current();
  if (bytes > 0)
    check(cudaMemcpyAsync(to.data(), from, bytes, cudaMemcpyHostToDevice, device.stream()),
          "cudaMemcpyAsync to the device");
  device.wait();
  return to;
}

std::shared_ptr<const device_array> upload_shared(const void* from, std::size_t bytes,
                                                  const char* what) {
  static std::map<std::pair<const void*, std::size_t>, std::weak_ptr<const device_array>> known;
  auto& last = known[{from, bytes}];
  if (auto held = last.lock()) return held;
  auto fresh = std::make_shared<const device_array>(upload(from, bytes, what));
  last = fresh;
  return fresh;
}

void download(void* to, const device_array& from, std::size_t bytes) {
  auto& device = session::current();
  if (bytes > 0)
    check(cudaMemcpyAsync(to, from.data(), bytes, cudaMemcpyDeviceToHost, device.stream()),
          "cudaMemcpyAsync from the device");
  device.wait();
}

std::size_t size_of(value_type t) { return t == value_type::f64 ? sizeof(double) : sizeof(float); }
cudaDataType data_type(value_type t) { return t == value_type::f64 ? CUDA_R_64F : CUDA_R_32F; }

sparse_descriptor describe_csr(index_t rows, index_t cols, index_t nnz, const device_csr& arrays,
                               value_type type) {
  cusparseSpMatDescr_t descriptor = nullptr;
  check(cusparseCreateCsr(&descriptor, rows, cols, nnz, arrays.offsets.data(),
                          arrays.columns.data(), arrays.values.data(), CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, data_type(type)),
        "cusparseCreateCsr");
  return sparse_descriptor(descriptor);
}

device_csr upload(const csr_arrays& a, value_type type) {
  const auto nnz = static_cast<std::size_t>(a.nnz());
  const auto offsets = static_cast<std::size_t>(a.rows + 1);
  device_csr csr;
  csr.offsets = upload(a.offsets, offsets * sizeof(std::int32_t), "row offsets");
  csr.columns = upload(a.columns, nnz * sizeof(std::int32_t), "columns");
  csr.values = upload(a.values, nnz * size_of(type), "values");
  csr.descriptor = describe_csr(a.rows, a.cols, a.nnz(), csr, type);
  return csr;
}

}  // namespace gossamer::bench::cusparse
