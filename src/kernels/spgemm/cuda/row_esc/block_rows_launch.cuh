// Definitions of block_rows_launch.hpp, compiled once per value type.
#pragma once

#include <bit>

#include "kernels/spgemm/cuda/row_esc/block_rows_launch.hpp"
#include "kernels/spgemm/cuda/row_esc/block_scanned.cuda.cuh"
#include "kernels/spgemm/cuda/row_esc/row_groups.hpp"
#include "kernels/spgemm/cuda/row_launch.cuh"

namespace gossamer::device {

template <int Threads, class Space, class Product, class T>
void launch_scanned_blocks(const context& where, const Product& of, const row_list& rows,
                           const row_target<T>& to) {
  const auto kernel = block_scanned_rows<Threads, Space, Product, T>;
  allow_shared(kernel, sizeof(Space));
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(of.b.cols - 1)));
  kernel<<<static_cast<unsigned>(rows.count), Threads, sizeof(Space), cuda::stream_of(where)>>>(
      of, rows, std::max(bits, 1), to);
}

/// Rows of 32-bit columns, up to Threads * Items multiplications.
template <int Threads, int Items, class T>
void multiply_by_blocks_of(const context& where, const adaptive_operands<T>& of,
                           const row_list& rows, const row_target<T>& to) {
  const auto product = product_of<const std::int32_t*>(of);
  constexpr auto numbers = std::bit_ceil(static_cast<unsigned>(Threads * Items));
  if (keys_fit(of.b.shape.cols, numbers))
    launch_scanned_blocks<Threads, packed_space<T, Threads, Items>>(where, product, rows, to);
  else
    launch_scanned_blocks<Threads, paired_space<T, std::uint32_t, Threads, Items>>(where, product,
                                                                                   rows, to);
}

template <class T>
void multiply_by_blocks(const context& where, const adaptive_operands<T>& of,
                        const launched_rows& which, const row_target<T>& to) {
  if (which.rows.count == 0) return;
  if (!of.narrow())  // rare: one size for all
    return launch_scanned_blocks<1024, paired_space<T, std::uint64_t, 1024, 12>>(
        where, product_of<cuda::index_reader>(of), which.rows, to);
  if (which.most <= few_of_groups.block)
    multiply_by_blocks_of<512, 12>(where, of, which.rows, to);
  else
    multiply_by_blocks_of<1024, 12>(where, of, which.rows, to);
}

}  // namespace gossamer::device
