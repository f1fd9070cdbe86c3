// One streaming pass over columns and values with the gather of x, summed and discarded: a product
// without rows and without y, and so a lower bound on the time of any CSR kernel.
#pragma once

#include <cstdint>

namespace gossamer::bench {

/// How threads share nonzeros: neighbours read neighbouring ones, 4 or 8 each before the first is
/// used, or each reads 4 contiguous ones with wide loads. Which is fastest depends on the matrix.
enum class flat_order { four, eight, wide };

template <class T>
struct flat_arrays {
  const std::int32_t* columns;  ///< as an allocation begins: wide loads need that
  const T* values;
  const T* x;
  std::int64_t nnz;
  T* never;  ///< an address that is never written, which the compiler cannot know
};

/// On this cudaStream_t of the current device. Throws std::runtime_error in a build without CUDA.
void launch_flat_pass(const flat_arrays<float>&, flat_order, void* stream);
void launch_flat_pass(const flat_arrays<double>&, flat_order, void* stream);

}  // namespace gossamer::bench
