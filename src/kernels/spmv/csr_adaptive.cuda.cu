// CSR on a GPU, each row by as many threads as suit it, in one launch. Rows that are alike are
// taken in order by groups of 1 to 32 threads, a few entries each, or by blocks if they are long;
// where rows differ much, only short ones are taken so, others are listed for groups and warps, and
// the longest are cut into pieces for whole blocks. The order of additions depends on the matrix
// alone. docs/kernels/spmv-cuda.md has what was measured, and what was tried besides.
#include <cmath>

#include "kernels/shared/row_classes.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/adaptive/cuda";
constexpr int threads = device::row_threads;

struct tables {
  device::long_rows longer;
  int width = 1;  ///< threads a short row, or an even one; all of a block at most
  bool even = false;
  bool roomy = false;  ///< even: fewer threads at once, with more registers
};

/// Short rows. Kernels that do nothing else take fewer registers, so that more of them run at once:
/// good where entries are waited for, and not where the L2 is busy with lines of x as it is.
template <int Width, class A, class T>
__device__ void multiply_short(const A& a, const vector_call<T>& v, index_t block, index_t cutoff) {
  const index_t row = (block * threads + threadIdx.x) / Width;
  const int lane = static_cast<int>(threadIdx.x) % Width;
  T sum = 0;
  bool mine = false;
  if (row < a.rows) {
    const auto first = static_cast<index_t>(a.offsets[row]);
    const auto last = static_cast<index_t>(a.offsets[row + 1]);
    mine = last - first <= cutoff;
    if (mine) sum = device::strided_dot<Width, 4>(a.values, a.columns, first + lane, last, v.x);
  }
  sum = device::group_sum<Width>(sum);
  if (mine && lane == 0) v.store(row, sum);
}

template <int Width, int AtOnce, class A, class T>
__global__ void __launch_bounds__(threads, AtOnce / threads) even_rows(A a, vector_call<T> v) {
  multiply_short<Width>(a, v, blockIdx.x, std::numeric_limits<index_t>::max());
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
__global__ void __launch_bounds__(threads, 1536 / threads)
    by_rows(A a, vector_call<T> v, device::long_row_tables<T> longer, index_t cutoff) {
  index_t block = blockIdx.x;
  if (!device::take_long_rows(a, v, longer, block)) multiply_short<Width>(a, v, block, cutoff);
}

template <int Width, class A, class T>
void launch(const A& a, const vector_call<T>& v, const tables& made, const context& where) {
  constexpr index_t rows_a_block = threads / Width;
  const index_t blocks = (a.rows + rows_a_block - 1) / rows_a_block;
  const auto stream = cuda::stream_of(where);
  if (made.even && made.roomy) {
    even_rows<Width, 1536><<<static_cast<unsigned>(blocks), threads, 0, stream>>>(a, v);
  } else if (made.even) {
    even_rows<Width, 2048><<<static_cast<unsigned>(blocks), threads, 0, stream>>>(a, v);
  } else {
    const device::long_row_tables<T> longer(made.longer);
    by_rows<Width><<<static_cast<unsigned>(longer.blocks() + blocks), threads, 0, stream>>>(
        a, v, longer, made.longer.cutoff);
  }
  cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
}

template <class A, class T>
void launch_blocks(const A& a, const vector_call<T>& v, const context& where) {
  a_block_a_row<<<static_cast<unsigned>(a.rows), threads, 0, cuda::stream_of(where)>>>(a, v);
  cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
}

double mean_row(index_t entries, index_t rows) {
  return static_cast<double>(entries) / static_cast<double>(std::max<index_t>(rows, 1));
}

constexpr double longest_for_warps = 640;  ///< of mean rows

/// Rows up to four times the mean are all taken alike, unless they are so few and so long that
/// several blocks must share one.
bool even(const problem& p) {
  const double mean = mean_row(p.a.nnz, p.a.shape.rows);
  return (mean <= longest_for_warps || p.a.shape.rows >= 1024) &&
         static_cast<double>(p.long_row) <= std::max(32.0, 4 * mean);
}

/// In a small matrix nothing hides the steps of a long row: blocks share more.
device::row_limits limits_for(const problem& p) {
  return p.a.nnz < 2'000'000
             ? device::row_limits{.of_short = 16, .for_a_warp = 256, .piece = device::block_step}
             : device::row_limits{.of_short = 16};
}

/// So many threads that nearly every row takes one round: each loads four entries at once.
int width_for_even(double mean, index_t longest) {
  if (mean > longest_for_warps) return threads;
  const double usual = mean + 3 * std::sqrt(mean);
  const double length = longest > 0 ? std::min(static_cast<double>(longest), usual) : usual;
  int width = 1;
  while (width < device::warp_size && length > 4 * width) width *= 2;
  return width;
}

/// Among rows of all lengths most of the short ones are very short.
int width_for_short(double mean) {
  int width = 1;
  while (width < 8 && mean > 3 * width) width *= 2;
  return width;
}

index_view offsets_of(const operands& o) {
  return std::visit(
      []<class T>(const expression<T>& e) { return std::get<csr_view<const T>>(e.view).offsets; },
      o.a);
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto made = std::make_shared<tables>();
  if (even(p)) {
    made->even = true;
    const double mean = mean_row(p.a.nnz, p.a.shape.rows);
    made->width = width_for_even(mean, p.long_row);
    made->roomy = p.x_lines > 0.3 && mean >= 12;
  } else {
    made->longer = device::find_long_rows(where, offsets_of(o), limits_for(p));
    made->width = width_for_short(mean_row(made->longer.short_entries, made->longer.short_rows));
  }
  const index_t held = made->longer.bytes();
  return {.tables = std::move(made), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& made = prepared.as<tables>();
  with_vector_call<csr_view>(o, [&](const auto& a, const auto& v) {
    if (a.rows == 0) return;
    switch (made.width) {
      case 1: return launch<1>(a, v, made, where);
      case 2: return launch<2>(a, v, made, where);
      case 4: return launch<4>(a, v, made, where);
      case 8: return launch<8>(a, v, made, where);
      case 16: return launch<16>(a, v, made, where);
      case threads: return launch_blocks(a, v, where);
      default: return launch<32>(a, v, made, where);
    }
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
