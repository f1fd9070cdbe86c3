// CSR on a GPU, each row by as many threads as suit it, in one launch. Rows that are alike are
// taken in order by groups of 1 to 32 threads, a few entries each, or by blocks if they are long;
// where rows differ much, only short ones are taken so, others are listed for groups and warps, and
// the longest are cut into pieces for whole blocks. The order of additions depends on the matrix
// alone. docs/kernels/spmv-cuda.md has what was measured, and what was tried besides.
#include <cmath>

#include "kernels/shared/uneven_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/adaptive/cuda";
constexpr int threads = device::row_threads;

struct tables {
  bool even = false;
  device::uneven_rows uneven;  ///< unless even
  int width = 1;               ///< even: threads a row, all of a block at most
  bool roomy = false;          ///< even: fewer threads at once, with more registers
};

/// Kernels that do nothing but this take fewer registers, so that more of them run at once: good
/// where entries are waited for, and not where the L2 is busy with lines of x as it is.
template <int Width, int AtOnce, class A, class T>
__global__ void __launch_bounds__(threads, AtOnce / threads) even_rows(A a, vector_call<T> v) {
  device::multiply_short<Width>(a, v, blockIdx.x, std::numeric_limits<index_t>::max());
}

/// Long rows that are alike: a block each.
template <class A, class T>
__global__ void __launch_bounds__(threads, 2048 / threads) a_block_a_row(A a, vector_call<T> v) {
  __shared__ T room[threads / device::warp_size];
  const index_t row = blockIdx.x;
  const T sum = device::block_sum<threads>(
      device::strided_dot<threads, 4>(a.values, a.columns,
                                      static_cast<index_t>(a.offsets[row]) + threadIdx.x,
                                      static_cast<index_t>(a.offsets[row + 1]), v.x),
      room);
  if (threadIdx.x == 0) v.store(row, sum);
}

template <int Width, class A, class T>
void launch_even(const A& a, const vector_call<T>& v, bool roomy, const context& where) {
  constexpr index_t rows_a_block = threads / Width;
  const auto blocks = static_cast<unsigned>((a.rows + rows_a_block - 1) / rows_a_block);
  const auto stream = cuda::stream_of(where);
  if (roomy)
    even_rows<Width, 1536><<<blocks, threads, 0, stream>>>(a, v);
  else
    even_rows<Width, 2048><<<blocks, threads, 0, stream>>>(a, v);
}

template <class A, class T>
void launch(const A& a, const vector_call<T>& v, const tables& made, const context& where) {
  if (!made.even) return device::multiply_uneven(where, a, v, made.uneven);
  switch (made.width) {
    case 1: return launch_even<1>(a, v, made.roomy, where);
    case 2: return launch_even<2>(a, v, made.roomy, where);
    case 4: return launch_even<4>(a, v, made.roomy, where);
    case 8: return launch_even<8>(a, v, made.roomy, where);
    case 16: return launch_even<16>(a, v, made.roomy, where);
    case 32: return launch_even<32>(a, v, made.roomy, where);
    default:
      a_block_a_row<<<static_cast<unsigned>(a.rows), threads, 0, cuda::stream_of(where)>>>(a, v);
  }
}

double mean_row(index_t entries, index_t rows) {
  return static_cast<double>(entries) / static_cast<double>(std::max<index_t>(rows, 1));
}

constexpr double longest_for_warps = 640;  ///< of mean rows

/// Even rows are all taken alike, unless they are so few and so long that blocks must share them.
bool even(const problem& p) {
  return costs::device_even(p) &&
         (mean_row(p.a.nnz, p.a.shape.rows) <= longest_for_warps || p.a.shape.rows >= 1024);
}

/// So many threads that nearly every row takes one round, in which each loads four entries; every
/// row, where that leaves no thread waiting for another to end.
int width_for_even(const problem& p, index_t at_once) {
  const index_t rows = p.a.shape.rows;
  const double mean = mean_row(p.a.nnz, rows);
  if (mean > longest_for_warps) return threads;
  const double usual = mean + 3 * std::sqrt(mean);
  const double longest = p.long_row > 0 ? static_cast<double>(p.long_row) : usual;
  int width = 1;
  while (width < device::warp_size && std::min(longest, usual) > 4 * width) width *= 2;
  while (width < device::warp_size && longest > 4 * width && 2 * width * rows <= at_once)
    width *= 2;
  return width;
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto made = std::make_shared<tables>();
  if (even(p)) {
    made->even = true;
    made->width =
        width_for_even(p, index_t{2048} * cuda::properties(where.device()).multiprocessors);
    made->roomy = p.x_lines > 0.3 && mean_row(p.a.nnz, p.a.shape.rows) >= 12;
  } else {
    made->uneven = device::find_uneven_rows(where, device::offsets_of(o),
                                            device::limits_for(p.a.nnz, p.long_row));
  }
  const index_t held = made->uneven.bytes();
  return {.tables = std::move(made), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& made = prepared.as<tables>();
  with_vector_call<csr_view>(o, [&](const auto& a, const auto& v) {
    if (a.rows == 0) return;
    launch(a, v, made, where);
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const bool alike = even(p);
  const auto offsets = static_cast<double>(p.a.shape.rows * bytes(p.a.index.offsets));
  return {.possible = true,
          .prepare_seconds = alike ? 0 : 2 * costs::device_seconds(offsets, m) + costs::device_wait,
          .run_seconds = costs::device_product(p, m),
          .bytes = alike ? 0 : p.a.nnz / 2,
          .because = alike ? "rows of similar length, a few entries a thread"
                           : "short rows in order, long ones by warps and the longest by blocks"};
}

}  // namespace

extern const kernel spmv_csr_adaptive_cuda;
const kernel spmv_csr_adaptive_cuda{
    .id = id,
    .summary = "each row by as many threads as suit it, the longest by several blocks; one launch",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
