// What launches of rows of C share: operands as device code sees them, shared memory, rows by
// threads.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/spgemm/cuda/adaptive_rows.hpp"
#include "kernels/spgemm/cuda/thread_rows.cuh"

namespace gossamer::device {

template <class T>
row_target<T> device_target(const adaptive_target<T>& to) {
  return {to.counts, to.places, cuda::index_writer(to.columns), to.values};
}

template <class Columns, class T>
sparse_rows<T, Columns> rows_of(const csr_view<const T>& m) {
  const auto columns = [&] {
    if constexpr (std::is_pointer_v<Columns>)
      return static_cast<Columns>(m.columns.data());
    else
      return Columns(m.columns);
  };
  return {m.shape.rows, m.shape.cols, offset_reader(m.offsets), columns(), m.values};
}

template <class Columns, class T>
row_product<T, Columns> product_of(const adaptive_operands<T>& of) {
  return {rows_of<Columns>(of.a), rows_of<Columns>(of.b), of.alpha, of.b_ascends};
}

/// Allows a kernel the shared memory it is launched with, which may exceed the default of 48 KB.
template <class... Parameters>
void allow_shared(void (*kernel)(Parameters...), std::size_t bytes) {
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "{} bytes of shared memory", bytes);
}

template <int Most, class Product, class T>
void launch_threads(const context& where, const Product& of, const index_t* products,
                    const row_list& rows, const row_target<T>& to) {
  const auto kernel = thread_rows<Most, Product, T>;
  constexpr std::size_t bytes = sizeof(thread_rows_space<T, Most>) * thread_row_warps;
  allow_shared(kernel, bytes);
  constexpr index_t each = thread_row_warps * warp_size;
  const auto blocks = static_cast<unsigned>((rows.count + each - 1) / each);
  kernel<<<blocks, static_cast<unsigned>(each), bytes, cuda::stream_of(where)>>>(of, products, rows,
                                                                                 to);
}

/// Whether a column and a number below the limit fit 32 bits.
inline bool keys_fit(index_t columns, index_t limit) {
  return columns <= (index_t{1} << 32) / limit;
}

}  // namespace gossamer::device
