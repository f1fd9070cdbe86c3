#include "kernels/spgemm/cuda/column_order.hpp"

#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "base/bits.hpp"
#include "kernels/spgemm/cuda/counted_operands.cuh"

namespace gossamer::device {

namespace {

constexpr index_t most_sampled = 4096;

/// Pairs of neighbours that do not ascend, less those of two rows.
__global__ void __launch_bounds__(count_threads)
    count_disorder_kernel(cuda::index_reader offsets, index_t rows, cuda::index_reader columns,
                          unsigned long long* found) {
  __shared__ index_t warp_sums[count_threads / warp_size];
  const index_t nnz = offsets[rows];
  index_t mine = 0;
  for (index_t k = cuda::first_element(); k + 1 < nnz; k += cuda::element_stride())
    mine += columns[k + 1] <= columns[k];
  for (index_t j = cuda::first_element(); j < rows; j += cuda::element_stride()) {
    const index_t begin = offsets[j];
    if (begin > 0 && begin < offsets[j + 1]) mine -= columns[begin] <= columns[begin - 1];
  }
  mine = block_sum<count_threads>(mine, warp_sums);
  if (threadIdx.x == 0 && mine != 0) atomicAdd(found, static_cast<unsigned long long>(mine));
}

}  // namespace

buffer<unsigned long long> count_disorder(const context& where, const product_structure& of) {
  buffer<unsigned long long> found(1, where.memory());
  found.set(0);
  constexpr unsigned blocks_each = 8;  // per multiprocessor
  const auto most =
      blocks_each * static_cast<unsigned>(cuda::properties(where.device()).multiprocessors);
  const auto blocks = std::min(cuda::blocks_for(of.b_columns.size(), where.device()), most);
  count_disorder_kernel<<<blocks, count_threads, 0, cuda::stream_of(where)>>>(
      cuda::index_reader(of.b_offsets), of.b_shape.rows, cuda::index_reader(of.b_columns),
      found.data());
  cuda::launch_check("looking at the order of columns", of.b_shape, of.b_columns.size());
  return found;
}

buffer<std::uint64_t> sample_columns(const context& where, const product_structure& of) {
  const index_t size = of.b_columns.size(), count = std::min(size, most_sampled);
  buffer<std::uint64_t> sample(count, where.memory());
  std::uint64_t* const to = sample.data();
  const cuda::index_reader from(of.b_columns);
  cuda::for_each(where, count, "sampling columns", [=] __device__(index_t k) {
    to[k] = static_cast<std::uint64_t>(from[k * size / count]);
  });
  return cuda::order_of(where, std::move(sample), bits_below(of.b_shape.cols)).keys;
}

}  // namespace gossamer::device
