// One pass over columns and values with the gather of x, added up and forgotten: what a product
// does without rows and without y, and so the time that no kernel for CSR goes below.
#pragma once

#include <cstdint>

namespace gossamer::bench {

/// How threads share entries: neighbours take neighbouring ones, 4 or 8 each before the first is
/// used, or each takes 4 in a row by wide loads. Which is fastest depends on the matrix.
enum class flat_order { four, eight, wide };

template <class T>
struct flat_arrays {
  const std::int32_t* columns;  ///< as an allocation begins: wide loads need that
  const T* values;
  const T* x;
  std::int64_t nnz;
  T* never;  ///< a place that nothing is written to, which the compiler cannot know
};

/// On this cudaStream_t of the current device. Throws std::runtime_error in a build without CUDA.
void launch_flat_pass(const flat_arrays<float>&, flat_order, void* stream);
void launch_flat_pass(const flat_arrays<double>&, flat_order, void* stream);

}  // namespace gossamer::bench
