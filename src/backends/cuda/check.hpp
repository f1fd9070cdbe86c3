// Checks every call of the CUDA runtime. The error names what failed, with its sizes, and CUDA's
// message. For kernel files and the backend itself.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "base/text.hpp"
#include "gossamer/types.hpp"

namespace gossamer::cuda {

/// "invalid argument (cudaErrorInvalidValue)". Forgets the error, so that no later call finds it.
std::string error_text(cudaError_t status);
[[noreturn]] void throw_failed(cudaError_t status, const std::string& what);

/// check(cudaEventRecord(e, s), "the event after {} rows", rows): formatted only when it failed.
template <class... Parts>
void check(cudaError_t status, fmt::format_string<Parts...> what, Parts&&... parts) {
  if (status != cudaSuccess) [[unlikely]]
    throw_failed(status, detail::text_from(what, fmt::make_format_args(parts...)));
}

/// After a launch: names the kernel by its id and what it was launched for. Waits for nothing.
inline void launch_check(std::string_view kernel_id, extents shape, index_t nnz) {
  check(cudaGetLastError(), "{} could not be launched for {} with {} entries", kernel_id,
        shape_text(shape), count_text(nnz));
}

}  // namespace gossamer::cuda
