// Definitions of adaptive_rows.hpp, compiled once per value type.
#pragma once

#include <bit>

#include "kernels/spgemm/cuda/adaptive_rows.hpp"
#include "kernels/spgemm/cuda/bitmap_rows.cuh"
#include "kernels/spgemm/cuda/block_rows.cuda.cuh"
#include "kernels/spgemm/cuda/patterns/pattern_lanes.cuh"
#include "kernels/spgemm/cuda/patterns/pattern_rows.cuh"
#include "kernels/spgemm/cuda/row_launch.cuh"
#include "kernels/spgemm/cuda/sorted_rows.cuh"
#include "kernels/spgemm/cuda/terms/term_sums.cuh"
#include "kernels/spgemm/cuda/windows/window_sums.cuh"

namespace gossamer::device {

inline constexpr std::string_view adaptive_id = "spgemm/csr/adaptive/cuda";

template <class T>
general<T> general_of(const adaptive_operands<T>& of) {
  const pattern none{};
  const pattern& mask = of.mask ? *of.mask : none;
  return {of.semiring, of.mask != nullptr, mask.complemented, offset_reader(mask.offsets),
          cuda::index_reader(mask.columns)};
}

template <int Most, class Key, class Product, class Arithmetic, class T>
void launch_sorted(const context& where, const Product& of, const Arithmetic& by,
                   const row_list& rows, const row_target<T>& to) {
  const auto kernel = sorted_rows<Most, Key, Product, Arithmetic, T>;
  constexpr std::size_t bytes = sizeof(sorted_space<T, Key, Most>) * sorted_warps;
  allow_shared(kernel, bytes);
  const auto blocks = static_cast<unsigned>((rows.count + sorted_warps - 1) / sorted_warps);
  kernel<<<blocks, sorted_warps * warp_size, bytes, cuda::stream_of(where)>>>(of, by, rows, to);
}

/// The rows of one class.
struct class_rows {
  row_list rows;
  index_t limit;  ///< of the class
};

/// Rows of one class with columns of any width, any arithmetic: a key has 64 bits.
template <class Arithmetic, class T>
void multiply_wide_class(const context& where, const adaptive_operands<T>& of, const Arithmetic& by,
                         const class_rows& which, const row_target<T>& to) {
  const auto product = product_of<cuda::index_reader>(of);
  if (which.limit <= 128)
    launch_sorted<128, unsigned long long>(where, product, by, which.rows, to);
  else
    launch_sorted<512, unsigned long long>(where, product, by, which.rows, to);
}

template <class T>
void multiply_class(const context& where, const adaptive_operands<T>& of, const row_work& work,
                    const class_rows& which, const row_target<T>& to) {
  const auto& [rows, limit] = which;
  if (rows.count == 0) return;
  if (!of.ordinary()) return multiply_wide_class(where, of, general_of(of), which, to);
  if (!of.narrow() || !keys_fit(of.b.shape.cols, limit))
    return multiply_wide_class(where, of, ordinary<T>{}, which, to);
  const auto product = product_of<const std::int32_t*>(of);
  // Rows of B that come from all over memory are waited for: many warps with a row each then do
  // more than few whose threads have one each, which win where neighbouring rows of C share rows of
  // B.
  if (work.scattered && (limit == 32 || limit == 64))
    return launch_sorted<64, unsigned>(where, product, ordinary<T>{}, rows, to);
  switch (limit) {
    case 16: return launch_threads<16>(where, product, work.products.data(), rows, to);
    case 32: return launch_threads<32>(where, product, work.products.data(), rows, to);
    case 64: return launch_threads<64>(where, product, work.products.data(), rows, to);
    case 128: return launch_sorted<128, unsigned>(where, product, ordinary<T>{}, rows, to);
    default: return launch_sorted<512, unsigned>(where, product, ordinary<T>{}, rows, to);
  }
}

template <int Threads, int Items, class Key, class Product, class Arithmetic, class T>
void launch_blocks(const context& where, const Product& of, const Arithmetic& by,
                   const row_list& rows, const row_target<T>& to) {
  if (rows.count == 0) return;
  const auto kernel = block_rows<Threads, Items, Key, Product, Arithmetic, T>;
  constexpr std::size_t bytes = sizeof(block_space<T, Key, Threads, Items>);
  allow_shared(kernel, bytes);
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(of.b.cols - 1)));
  kernel<<<static_cast<unsigned>(rows.count), Threads, bytes, cuda::stream_of(where)>>>(
      of, by, rows, std::max(bits, 1), to);
}

/// Rows that are sorted by blocks, with the threads for each limit.
template <class Columns, class Arithmetic, class T>
void multiply_scattered(const context& where, const adaptive_operands<T>& of, const Arithmetic& by,
                        const large_rows& large, const row_target<T>& to) {
  using key = column_key<Columns>;
  const auto product = product_of<Columns>(of);
  const auto [few, many] = large.sorted_rows;
  launch_blocks<1024, 12, key>(where, product, by,
                               {large.sorted.data() + large.sorted.size() - many, many}, to);
  if constexpr (std::is_pointer_v<Columns>)
    launch_blocks<512, 8, key>(where, product, by, {large.sorted.data(), few}, to);
  else  // rare: one size less to compile
    launch_blocks<1024, 12, key>(where, product, by, {large.sorted.data(), few}, to);
}

/// The first of the classes that are computed together with this one. Few rows leave most of a
/// device idle: a warp each is then faster than a thread each, and one launch than four.
inline int first_class_with(const row_work& work, int last) {
  constexpr index_t few_rows = 1 << 16;
  constexpr int warp_class = large_class - 2;
  static_assert(class_limits[warp_class] == 128);
  if (last != warp_class) return last;
  index_t rows = 0;
  for (int k = empty_class + 1; k <= last; ++k) rows += work.rows[static_cast<std::size_t>(k)];
  return rows <= few_rows ? empty_class + 1 : last;
}

template <class T>
void multiply_sorted_rows(const context& where, const adaptive_operands<T>& of,
                          const row_work& work, const large_rows& large,
                          const adaptive_target<T>& to) {
  const auto target = device_target(to);
  if (!of.ordinary())
    multiply_scattered<cuda::index_reader>(where, of, general_of(of), large, target);
  else if (of.narrow())
    multiply_scattered<const std::int32_t*>(where, of, ordinary<T>{}, large, target);
  else
    multiply_scattered<cuda::index_reader>(where, of, ordinary<T>{}, large, target);
  const auto multiply_rows = [&](int row_class, const row_list& rows) {
    multiply_class(where, of, work, {rows, class_limits[static_cast<std::size_t>(row_class)]},
                   target);
  };
  if (work.only_class > empty_class) {
    multiply_rows(work.only_class, {nullptr, of.a.shape.rows});
  } else if (work.only_class < 0) {
    for (int k = large_class - 1; k > empty_class;) {
      const int first = first_class_with(work, k);
      index_t count = 0;
      for (int each = first; each <= k; ++each) count += work.rows[static_cast<std::size_t>(each)];
      multiply_rows(k, {work.list.data() + work.begin_of(first), count});
      k = first - 1;
    }
  }
  cuda::launch_check(adaptive_id, of.a.shape, of.a.nnz());
}

template <class T>
void launch_stripes(const context& where, const adaptive_operands<T>& of, index_t stripes,
                    const stripe_list& list, const row_target<T>& to) {
  if (stripes == 0) return;
  const auto launch = [&](const auto& product, const auto& by) {
    stripe_rows<<<static_cast<unsigned>(stripes), warp_size, 0, cuda::stream_of(where)>>>(
        product, by, list, to);
  };
  if (!of.ordinary())
    launch(product_of<cuda::index_reader>(of), general_of(of));
  else if (of.narrow())
    launch(product_of<const std::int32_t*>(of), ordinary<T>{});
  else
    launch(product_of<cuda::index_reader>(of), ordinary<T>{});
  cuda::launch_check(adaptive_id, of.a.shape, of.a.nnz());
}

template <class T>
void count_stripes(const context& where, const adaptive_operands<T>& of, large_rows& large) {
  launch_stripes(where, of, large.stripes.size(),
                 {large.stripes.data(), large.starts.data(), nullptr},
                 device_target(adaptive_target<T>{}));
}

template <class T>
void multiply_stripes(const context& where, const adaptive_operands<T>& of, const large_rows& large,
                      const adaptive_target<T>& to) {
  launch_stripes(where, of, large.stripes.size(),
                 {large.stripes.data(), nullptr, large.starts.data()}, device_target(to));
}

template <class T>
void multiply_compact_rows(const context& where, const narrow_product<T>& of,
                           const windowed_rows& rows, const row_target<T>& to) {
  const auto launch = [&](auto kernel) {
    kernel<<<static_cast<unsigned>(rows.compact_rows), warp_size, 0, cuda::stream_of(where)>>>(
        of, rows.compact.data(), rows.compact_first.data(), to);
  };
  // The narrower the window, the more of them fit the shared memory of a multiprocessor.
  if (rows.compact_width <= compact_columns / 4)
    launch(sum_compact_rows<T, compact_columns / 4>);
  else if (rows.compact_width <= compact_columns / 2)
    launch(sum_compact_rows<T, compact_columns / 2>);
  else
    launch(sum_compact_rows<T, compact_columns>);
}

template <class T>
void multiply_windows(const context& where, const adaptive_operands<T>& of,
                      const windowed_rows& rows, const adaptive_target<T>& to) {
  const auto product = product_of<const std::int32_t*>(of);
  const auto target = device_target(to);
  if (rows.compact_rows > 0) multiply_compact_rows(where, product, rows, target);
  constexpr index_t most_blocks = index_t{1} << 30;
  const index_t all = rows.cut_rows * rows.windows;
  for (index_t begin = 0; begin < all; begin += most_blocks)
    sum_cut_rows<<<static_cast<unsigned>(std::min(all - begin, most_blocks)), warp_size, 0,
                   cuda::stream_of(where)>>>(product, two_ended_list(rows), window_table(rows),
                                             rows.counts.data(), begin, target);
  cuda::launch_check(adaptive_id, of.a.shape, of.a.nnz());
}

template <class T>
void multiply_by_pattern(const context& where, const adaptive_operands<T>& of,
                         const row_patterns& by, index_t nnz, const adaptive_target<T>& to) {
  const auto product = product_of<const std::int32_t*>(of);
  const pattern_list list{by.patterns.data(), by.pattern_of.data(), by.base.data()};
  if (by.most_nonzeros <= lane_pattern_nonzeros &&
      of.a.nnz() <= lane_pattern_added * of.a.shape.rows) {
    const std::size_t bytes = pattern_lane_bytes<T>(by.most_nonzeros);
    constexpr index_t each = pattern_lane_warps * warp_size;
    pattern_lanes<<<static_cast<unsigned>((of.a.shape.rows + each - 1) / each),
                    static_cast<unsigned>(each), bytes, cuda::stream_of(where)>>>(
        product, list, by.most_nonzeros, device_target(to));
    return cuda::launch_check(adaptive_id, of.a.shape, of.a.nnz());
  }
  const auto shape = shape_of_patterns(of.a.shape.rows, of.a.nnz(), nnz);
  const auto blocks = static_cast<unsigned>((of.a.shape.rows + shape.rows - 1) / shape.rows);
  pattern_rows<<<blocks, pattern_block, 0, cuda::stream_of(where)>>>(product, list, shape,
                                                                     device_target(to));
  cuda::launch_check(adaptive_id, of.a.shape, of.a.nnz());
}

template <class T>
void multiply_by_terms(const context& where, const adaptive_operands<T>& of, const term_lists& by,
                       const adaptive_target<T>& to) {
  const index_t nnz = by.columns.size();
  if (nnz == 0) return;
  constexpr index_t each = term_warps * warp_size;
  term_sums<T>
      <<<static_cast<unsigned>((nnz + each - 1) / each), static_cast<unsigned>(each), 0,
         cuda::stream_of(where)>>>({by.terms.data(), by.starts.data(), by.columns.data(), nnz},
                                   {of.a.values, of.b.values, of.alpha}, device_target(to));
  cuda::launch_check(adaptive_id, of.a.shape, of.a.nnz());
}

inline constexpr int move_warps = 8, moves_in_flight = 4;

/// Where rows were stored, and their multiplications: those without any, or that are not sorted,
/// were not.
template <class T>
struct moved_rows {
  index_t count;
  const index_t* products;
  const index_t* places;
  cuda::index_reader columns;
  const T* values;
  int each;  ///< rows that a warp moves
};

/// A warp moves up to 32 rows at a time.
template <class T>
__global__ void __launch_bounds__(move_warps* warp_size)
    move_rows_kernel(moved_rows<T> from, row_target<T> to) {
  __shared__ index_t first_from[move_warps][warp_size], first_to[move_warps][warp_size];
  const int warp = static_cast<int>(threadIdx.x) / warp_size, lane = lane_index();
  const index_t row = (static_cast<index_t>(blockIdx.x) * move_warps + warp) * from.each + lane;
  int length = 0;
  if (lane < from.each && row < from.count && from.products[row] > 0)
    length = static_cast<int>(to.places[row + 1] - to.places[row]);
  lane_segments<int> segments(length);
  if (segments.nonempty()) {
    first_from[warp][segments.rank()] = from.places[row] - segments.start();
    first_to[warp][segments.rank()] = to.places[row] - segments.start();
  }
  __syncwarp();
  for (int t = 0; t < segments.total(); t += warp_size * moves_in_flight) {
    index_t column[moves_in_flight], into[moves_in_flight];
    T value[moves_in_flight];
#pragma unroll
    for (int u = 0; u < moves_in_flight; ++u) {
      const int rank = segments.next(t + u * warp_size).rank;
      const int mine = t + u * warp_size + lane;
      into[u] = -1;
      if (mine >= segments.total()) continue;
      into[u] = first_to[warp][rank] + mine;
      column[u] = from.columns[first_from[warp][rank] + mine];
      value[u] = from.values[first_from[warp][rank] + mine];
    }
#pragma unroll
    for (int u = 0; u < moves_in_flight; ++u)
      if (into[u] >= 0) {
        to.columns.set(into[u], column[u]);
        to.values[into[u]] = value[u];
      }
  }
}

template <class T>
void move_rows(const context& where, const row_work& work, const staged_rows<T>& from,
               const adaptive_target<T>& to) {
  const index_t rows = work.products.size();
  if (rows == 0) return;
  // Some hundred nonzeros a warp: few long rows are then enough to keep a device busy.
  constexpr index_t per_warp = 512;
  const index_t mean = from.columns.size() / rows + 1;
  const auto each = static_cast<int>(std::clamp<index_t>(per_warp / mean, 1, warp_size));
  const index_t per_block = index_t{each} * move_warps;
  move_rows_kernel<T>
      <<<static_cast<unsigned>((rows + per_block - 1) / per_block), move_warps * warp_size, 0,
         cuda::stream_of(where)>>>({rows, work.products.data(), from.places,
                                    cuda::index_reader(from.columns), from.values, each},
                                   device_target(to));
  cuda::check(cudaGetLastError(), "moving {} rows", count_text(rows));
}

}  // namespace gossamer::device
