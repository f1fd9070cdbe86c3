// CSR on a GPU through a copy that the plan keeps, with at most six nonzeros per thread: for many
// products with a matrix of a few million nonzeros and very uneven rows. Values are copied, so they
// must be promised to be constant.
#include "kernels/spmv/cuda/copies/kept_copy.cuh"
#include "kernels/spmv/cuda/copies/packed_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/packed/cuda";
constexpr int threads = device::row_threads;

template <class A, class T, class V, class C>
__global__ void __launch_bounds__(threads, 1536 / threads)
    by_packs(A a, vector_call<T> v, device::long_row_tables<T> longer,
             device::packed_ref<V, C> packed) {
  index_t block = blockIdx.x;
  if (!device::take_long_rows(a, v, longer, block)) device::multiply_pack(packed, v, block);
}

template <class A, class T>
void launch(const A& a, const vector_call<T>& v, const device::packed_rows& copy,
            device::partial_sums& sums, const context& where) {
  const device::long_row_tables<T> longer(copy.longer, sums);
  const index_t blocks = longer.blocks() + copy.packs.size();
  if (blocks == 0) return;
  device::with_stored<T, typename A::index>(
      copy.entries, [&]<class C, class V>(const C* columns, const V* values) {
        const device::packed_ref<V, C> packed{copy.packs.data(), copy.order.data(),
                                              copy.lengths.data(), columns, values};
        by_packs<<<static_cast<unsigned>(blocks), threads, 0, cuda::stream_of(where)>>>(
            a, v, longer, packed);
      });
  cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
}

state prepare(const problem&, const operands& o, const context& where) {
  return device::keep_rows(o, where,
                           [&](const auto& a) { return device::make_packed_rows(where, a); });
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& packed = prepared.as<device::packed_rows>();
  auto& sums = prepared.workspace_as<device::partial_sums>();
  with_vector_call<csr_view>(
      o, [&](const auto& a, const auto& v) { launch(a, v, packed, sums, where); });
}

verdict consider(const problem& p, const machine& m) {
  if (const auto why = device::cannot_keep(p); !why.empty()) return {.because = std::string(why)};
  const double product = costs::device_product(p, m);
  const bool skewed = costs::skew(p) >= costs::device_skewed;
  const bool alike = costs::device_even(p) || p.a.nnz < costs::device_least_packed;
  const bool scattered = !skewed && p.rows.x_lines > costs::device_scattered_lines;
  const bool large =
      p.a.nnz > costs::device_few_entries && (p.a.values == value_type::f64 || !skewed);
  const bool pays = !alike && !scattered && !large;
  return {.possible = true,
          .prepare_seconds = costs::device_copying * product + costs::device_slicing,
          .run_seconds = costs::device_part(
              product, pays ? costs::device_packed : costs::device_packed_elsewhere),
          .bytes = static_cast<index_t>(costs::device_packed_bytes * costs::sparse_bytes(p.a)),
          .because =
              pays ? "a packed copy with six nonzeros per thread, rows of all lengths in one launch"
              : alike ? "row lengths vary too little, or A is too small, for packing to pay"
              : large ? "sorting rows by length would scatter y, and A is large enough without it"
                      : "gathers of x dominate, whatever the order of rows"};
}

}  // namespace

extern const kernel spmv_csr_packed_cuda;
const kernel spmv_csr_packed_cuda{
    .id = id,
    .summary =
        "plan keeps a copy, rows sorted by length and packed, at most six nonzeros per thread",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
