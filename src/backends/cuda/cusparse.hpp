// cuSPARSE as the vendor kernels use it: loaded when it is first considered, so that programs start
// without it (docs/adr/0009-cusparse-is-looked-for-at-run-time.md).
#pragma once

#include <cusparse.h>
#include <dlfcn.h>

#include <concepts>
#include <string>
#include <type_traits>

#include "base/text.hpp"
#include "gossamer/types.hpp"

namespace gossamer::cuda {

/// The functions that every product needs, or why they are missing. A kernel adds its own.
struct cusparse_library {
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) set_stream = nullptr;
  decltype(&cusparseGetErrorString) error_string = nullptr;
  decltype(&cusparseCreateCsr) create_csr = nullptr;
  decltype(&cusparseCsrSetPointers) set_pointers = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  std::string why_not;

  cusparse_library() {
    library_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) {
      why_not = file_ + " is not installed here";
      return;
    }
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(set_stream, "cusparseSetStream");
    find(error_string, "cusparseGetErrorString");
    find(create_csr, "cusparseCreateCsr");
    find(set_pointers, "cusparseCsrSetPointers");
    find(destroy_matrix, "cusparseDestroySpMat");
  }

  /// Throws what cuSPARSE says about a call that failed.
  void check(cusparseStatus_t status, const char* call) const {
    if (status != CUSPARSE_STATUS_SUCCESS)
      throw fail(error_kind::device_failure, "{}: {}", call, error_string(status));
  }

 protected:
  template <class F>
  void find(F& function, const char* name) {
    if (!library_) return;
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (!function) why_not = file_ + " has no " + name;
  }

 private:
  std::string file_ = "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR);
  void* library_ = nullptr;
};

constexpr cusparseIndexType_t cusparse_index(index_width w) {
  return w == index_width::i32 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}
template <class T>
constexpr cudaDataType cusparse_value = std::same_as<T, double> ? CUDA_R_64F : CUDA_R_32F;

/// cuSPARSE takes its inputs by pointers to non-const and does not write to them.
template <class T>
T* cusparse_input(const T* array) {
  return const_cast<T*>(array);
}

}  // namespace gossamer::cuda
