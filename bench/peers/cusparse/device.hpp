// Shared by all contestants of this peer: one device, one stream, one handle, memory from the
// device's stream-ordered pool, and errors that name the call.
#pragma once

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <cstddef>
#include <memory>
#include <string>

#include "bench/clock/device_clock.hpp"
#include "bench/race/contestant.hpp"

namespace gossamer::bench::cusparse {

/// Both throw std::runtime_error: the call, what the library says about it.
void check(cudaError_t, const char* call);
void check(cusparseStatus_t, const char* call);

/// Device memory from the pool. An empty array still has an address: for cuSPARSE a null buffer
/// means "tell me the size".
class device_array {
 public:
  device_array() = default;
  /// Throws std::runtime_error with what was asked for and what is free when there is not enough.
  device_array(std::size_t bytes, const char* what);
  device_array(device_array&&) noexcept;
  device_array& operator=(device_array&&) noexcept;
  /// Gives the memory back to the pool, in the order of the stream.
  device_array& operator=(std::nullptr_t) noexcept;
  ~device_array();

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  /// The most that all arrays held since restart_peak, beyond what they held then.
  static void restart_peak();
  static index_t peak_growth();

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The device as this peer uses it. Created once; the contestants of one run share its stream.
class session {
 public:
  /// Throws std::runtime_error when there is no usable device.
  static session& current();

  cusparseHandle_t handle() const { return handle_; }
  cudaStream_t stream() const { return stream_; }
  std::string library_version() const;

  /// As device_clock times it.
  template <class Work>
  double time(Work&& work) {
    return clock_->time(work);
  }
  void wait();
  void sweep() { clock_->sweep(); }

 private:
  session();

  cudaStream_t stream_ = nullptr;
  cusparseHandle_t handle_ = nullptr;
  std::unique_ptr<device_clock> clock_;
};

/// Copies to and from the device; both wait.
device_array upload(const void* from, std::size_t bytes, const char* what);
/// The same, once for all contestants that hold it at a time: the arrays of a problem do not
/// change.
std::shared_ptr<const device_array> upload_shared(const void* from, std::size_t bytes,
                                                  const char* what);
void download(void* to, const device_array& from, std::size_t bytes);

struct destroy {
  void operator()(cusparseSpMatDescr* d) const { cusparseDestroySpMat(d); }
  void operator()(cusparseDnVecDescr* d) const { cusparseDestroyDnVec(d); }
  void operator()(cusparseDnMatDescr* d) const { cusparseDestroyDnMat(d); }
  void operator()(cusparseSpGEMMDescr* d) const { cusparseSpGEMM_destroyDescr(d); }
};
using sparse_descriptor = std::unique_ptr<cusparseSpMatDescr, destroy>;
using vector_descriptor = std::unique_ptr<cusparseDnVecDescr, destroy>;
using dense_descriptor = std::unique_ptr<cusparseDnMatDescr, destroy>;
using spgemm_descriptor = std::unique_ptr<cusparseSpGEMMDescr, destroy>;

std::size_t size_of(value_type);
cudaDataType data_type(value_type);

/// alpha = 1 and beta = 0 in the type of the computation, where cuSPARSE reads them.
class scalars {
 public:
  explicit scalars(value_type t) : double_(t == value_type::f64) {}
  const void* one() const { return double_ ? static_cast<const void*>(&one64_) : &one32_; }
  const void* zero() const { return double_ ? static_cast<const void*>(&zero64_) : &zero32_; }

 private:
  bool double_;
  double one64_ = 1, zero64_ = 0;
  float one32_ = 1, zero32_ = 0;
};

/// A CSR matrix on the device with its descriptor.
struct device_csr {
  device_array offsets, columns, values;
  sparse_descriptor descriptor;
};
device_csr upload(const csr_arrays&, value_type);
sparse_descriptor describe_csr(index_t rows, index_t cols, index_t nnz, const device_csr& arrays,
                               value_type);

/// The clock and the cache flush of all contestants.
class device_contestant : public contestant {
 public:
  explicit device_contestant(const race_problem& p) : problem_(p), scalars_(p.type) {}
  double device_seconds() const override { return seconds_; }
  std::optional<index_t> device_bytes() const override { return bytes_; }
  void cool_down() override { session::current().sweep(); }

 protected:
  template <class Work>
  void timed(Work&& work) {
    device_array::restart_peak();
    seconds_ = session::current().time(work);
    bytes_ = device_array::peak_growth();
  }
  cudaDataType compute_type() const { return data_type(problem_.type); }
  std::size_t bytes_of(index_t count) const {
    return static_cast<std::size_t>(count) * size_of(problem_.type);
  }

  race_problem problem_;
  scalars scalars_;

 private:
  double seconds_ = -1;
  index_t bytes_ = 0;  // of the last run; what cuSPARSE allocates by itself is not seen
};

}  // namespace gossamer::bench::cusparse
