// CSR with equal chunks of nonzeros per warp ("load_balance", CSR-I, in Anzt et al. 2020): the COO
// kernel, with rows found from the offsets: a table has the row in which each chunk begins, and
// lanes advance from there. Row sums are added to y atomically.
#include "backends/cuda/indices.cuh"
#include "kernels/spmv/cuda/coo_chunks.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/load_balance/cuda";

struct tables {
  index_t warps = 0;
  buffer<index_t> first_rows;  ///< first row of each chunk
};

template <class O>
__global__ void __launch_bounds__(cuda::block_size)
    find_first_rows(const O* offsets, index_t rows, index_t nnz, index_t warps,
                    index_t* first_rows) {
  for (index_t w = cuda::first_element(); w < warps; w += cuda::element_stride()) {
    const index_t entry = device::chunk_of(w, nnz, warps).first;
    // The last row that begins at or before the nonzero.
    first_rows[w] = cuda::first_not_below(offsets, rows + 1, entry + 1) - 1;
  }
}

template <class T, class I, class O>
__global__ void __launch_bounds__(device::segment_threads)
    balanced(csr_ref<const T, I, O> a, vector_call<T> v, const index_t* first_rows, index_t warps) {
  const index_t warp = device::warp_index();
  if (warp >= warps) return;
  index_t row = first_rows[warp];
  device::multiply_chunk(
      a.values, a.columns, v.x, device::chunk_of(warp, a.nnz(), warps),
      [&](index_t p) {
        while (static_cast<index_t>(a.offsets[row + 1]) <= p) ++row;
        return row;
      },
      [&](index_t ended, T sum) { atomicAdd(v.y + ended, v.alpha * sum); });
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<tables>();
  if (p.a.nnz > 0) {
    table->warps = device::segment_warps(p.a.nnz, cuda::properties(where.device()));
    table->first_rows = buffer<index_t>(table->warps, where.memory());
    with_vector_call<csr_view>(o, [&](const auto& a, const auto&) {
      find_first_rows<<<cuda::blocks_for(table->warps, where.device()), cuda::block_size, 0,
                        cuda::stream_of(where)>>>(a.offsets, a.rows, a.nnz(), table->warps,
                                                  table->first_rows.data());
      cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
    });
  }
  const index_t held = table->warps * index_t{sizeof(index_t)};
  return {.tables = std::move(table), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  with_vector_call<csr_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    device::scale_result<T>(where, o);
    if (table.warps == 0) return;
    balanced<<<device::segment_blocks(table.warps), device::segment_threads, 0,
               cuda::stream_of(where)>>>(a, v, table.first_rows.data(), table.warps);
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  return {
      .possible = true,
      .prepare_seconds = costs::device_launch,
      .run_seconds = costs::device_balanced * costs::device_product(p, m) + costs::device_launch,
      .because = "equal chunks of nonzeros for any row lengths, row sums added atomically"};
}

}  // namespace

extern const kernel spmv_csr_load_balance_cuda;
const kernel spmv_csr_load_balance_cuda{
    .id = id,
    .summary = "equal chunks of nonzeros per warp, row sums added atomically",
    .reference = "Anzt et al. 2020 (load_balance, CSR-I)",
    .deterministic = false,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
