// Rows by threads and warps, and the launches of all groups; compiled once per value type.
#pragma once

#include "kernels/spgemm/cuda/row_esc/block_rows_launch.hpp"
#include "kernels/spgemm/cuda/row_esc/local_rows.hpp"
#include "kernels/spgemm/cuda/row_esc/warp_scanned.cuh"
#include "kernels/spgemm/cuda/row_launch.cuh"

namespace gossamer::device {

template <int Items, class Key, class Product, class T>
void launch_warps(const context& where, const Product& of, const launched_rows& which,
                  const row_target<T>& to) {
  const auto kernel = warp_scanned_rows<Items, Key, Product, T>;
  const auto most = static_cast<int>(which.most);
  using space = scanned_space<T, Key>;
  // As much as any launch: one from another thread may come between this and the next line.
  allow_shared(kernel, space::bytes(Items * warp_size) * scanned_warps);
  const std::size_t bytes = space::bytes(most) * scanned_warps;
  const auto blocks = static_cast<unsigned>((which.rows.count + scanned_warps - 1) / scanned_warps);
  kernel<<<blocks, scanned_warps * warp_size, bytes, cuda::stream_of(where)>>>(of, most, which.rows,
                                                                               to);
}

/// Rows of up to 1024 multiplications, one per warp.
template <class T>
void multiply_by_warps(const context& where, const adaptive_operands<T>& of,
                       const launched_rows& which, const row_target<T>& to) {
  if (which.rows.count == 0) return;
  const bool few = which.most <= few_of_groups.warp;
  const index_t numbers = index_t{1} << (few ? number_bits(4) : number_bits(32));
  if (of.narrow() && keys_fit(of.b.shape.cols, numbers)) {
    const auto product = product_of<const std::int32_t*>(of);
    return few ? launch_warps<4, unsigned>(where, product, which, to)
               : launch_warps<32, unsigned>(where, product, which, to);
  }
  const auto product = product_of<cuda::index_reader>(of);
  few ? launch_warps<4, unsigned long long>(where, product, which, to)
      : launch_warps<32, unsigned long long>(where, product, which, to);
}

/// Rows of up to 64 multiplications, one per thread; where columns are too many for that, by warps.
template <class T>
void multiply_by_threads(const context& where, const adaptive_operands<T>& of, const row_work& work,
                         const launched_rows& which, const row_target<T>& to) {
  if (which.rows.count == 0) return;
  const bool few = which.most <= few_of_groups.thread;
  if (!of.narrow() || !keys_fit(of.b.shape.cols, few ? 32 : 64))
    return multiply_by_warps(where, of, which, to);
  const auto product = product_of<const std::int32_t*>(of);
  few ? launch_threads<32>(where, product, work.products.data(), which.rows, to)
      : launch_threads<64>(where, product, work.products.data(), which.rows, to);
}

template <class T>
void multiply_local_rows(const context& where, const adaptive_operands<T>& of, const row_work& work,
                         const row_groups& groups, const adaptive_target<T>& to) {
  const auto target = device_target(to);
  const auto all = launch_limits(groups.limits);
  const auto rows_of_launch = [&](row_launch which) -> launched_rows {
    const auto k = static_cast<std::size_t>(which);
    const index_t begin = groups.ends[k - 1];
    return {{groups.order.data() + begin, groups.ends[k] - begin}, all[k]};
  };
  if (groups.natural()) {
    multiply_by_threads(where, of, work, {{nullptr, of.a.shape.rows}, work.most_multiplications},
                        target);
  } else {
    // The longest rows first, so that the last blocks are short.
    for (const auto which : {block_many, block_few})
      multiply_by_blocks(where, of, rows_of_launch(which), target);
    for (const auto which : {warp_many, warp_few})
      multiply_by_warps(where, of, rows_of_launch(which), target);
    for (const auto which : {thread_many, thread_few})
      multiply_by_threads(where, of, work, rows_of_launch(which), target);
  }
  cuda::launch_check("spgemm/csr/row_esc/cuda", of.a.shape, of.a.nnz());
}

}  // namespace gossamer::device
