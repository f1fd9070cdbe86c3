// CSR on a GPU through a copy in slices that the plan keeps: for many products with the same
// matrix. Rows of up to 16 nonzeros, or of up to 64 where lengths are similar, are in slices of 32
// rows, sorted by length in windows if that saves memory, with 16-bit columns where they fit;
// longer rows are read from A itself, by warps and blocks. Values are copied too, so they must be
// promised to be constant.
#include "kernels/spmv/cuda/copies/kept_copy.cuh"
#include "kernels/spmv/cuda/copies/slices.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csr/sliced/cuda";
constexpr int threads = device::row_threads;
/// The longest row in a slice, where rows differ and where all are alike:
/// docs/notes/spmv-cuda.md, "Copies that a plan keeps".
constexpr index_t longest_uneven = 16, longest_even = 64;

/// Version without long rows: fewer registers, so that more threads are resident.
template <class T, class V, class C>
__global__ void __launch_bounds__(threads, 2048 / threads)
    slices_only(vector_call<T> v, device::slice_ref<V, C> s) {
  const index_t slice =
      (static_cast<index_t>(blockIdx.x) * threads + threadIdx.x) / device::warp_size;
  if (slice < s.count) device::multiply_slice(s, v, slice);
}

template <class A, class T, class V, class C>
__global__ void __launch_bounds__(threads)
    by_slices(A a, vector_call<T> v, device::long_row_tables<T> longer, device::slice_ref<V, C> s) {
  index_t block = blockIdx.x;
  if (device::take_long_rows(a, v, longer, block)) return;
  const index_t slice = (block * threads + threadIdx.x) / device::warp_size;
  if (slice < s.count) device::multiply_slice(s, v, slice);
}

template <class A, class T, class V, class C>
void launch(const A& a, const vector_call<T>& v, const device::long_row_tables<T>& longer,
            const device::slice_ref<V, C>& s, const context& where) {
  constexpr index_t slices_a_block = threads / device::warp_size;
  const index_t blocks = longer.blocks() + (s.count + slices_a_block - 1) / slices_a_block;
  if (blocks == 0) return;
  const auto stream = cuda::stream_of(where);
  if (longer.blocks() == 0)
    slices_only<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(v, s);
  else
    by_slices<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(a, v, longer, s);
  cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
}

state prepare(const problem& p, const operands& o, const context& where) {
  const index_t longest = p.rows.longest_on_device <= longest_even ? longest_even : longest_uneven;
  return device::keep_rows(o, where,
                           [&](const auto& a) { return device::make_slices(where, a, longest); });
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& sliced = prepared.as<device::slices>();
  auto& sums = prepared.workspace_as<device::partial_sums>();
  with_vector_call<csr_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    const device::long_row_tables<T> longer(sliced.longer, sums);
    device::with_stored<T, typename A::index>(
        sliced.entries, [&]<class C, class V>(const C* columns, const V* values) {
          const device::slice_ref<V, C> s{sliced.ordered ? sliced.order.data() : nullptr,
                                          sliced.offsets.data(),
                                          sliced.bases.data(),
                                          columns,
                                          values,
                                          sliced.rows,
                                          sliced.count()};
          launch(a, v, longer, s, where);
        });
  });
}

/// Time relative to CSR: slices move fewer bytes, which helps where bandwidth is the limit, and not
/// where gathers of x are; a few wide slices take long, which counts if there is little other work.
double saved(const problem& p) {
  const double skew = costs::skew(p);
  if (p.rows.longest_on_device > longest_even)
    return skew > costs::device_skewed && p.a.nnz > costs::device_few_entries
               ? costs::device_sliced_skewed
               : costs::device_sliced_uneven;
  if (skew < costs::device_equal_rows) return costs::device_sliced;  // nothing is padded
  return p.rows.x_lines > costs::device_sliced_lines || skew > costs::device_unequal_rows
             ? costs::device_sliced_by_x
             : costs::device_sliced;
}

verdict consider(const problem& p, const machine& m) {
  if (const auto why = device::cannot_keep(p); !why.empty()) return {.because = std::string(why)};
  const bool too_long = p.a.nnz > costs::device_longest_sliced * p.a.shape.rows;
  const double product = costs::device_product(p, m);
  return {
      .possible = true,
      .prepare_seconds = costs::device_copying * product + costs::device_slicing,
      .run_seconds = costs::device_part(product, too_long ? costs::device_sliced_long : saved(p)),
      .bytes = static_cast<index_t>(costs::device_sliced_bytes * costs::sparse_bytes(p.a)),
      .because = too_long
                     ? "most rows are too long for slices and stay in CSR"
                     : "a copy in slices, with 16-bit columns and floats for doubles where exact"};
}

}  // namespace

extern const kernel spmv_csr_sliced_cuda;
const kernel spmv_csr_sliced_cuda{
    .id = id,
    .summary = "plan keeps a copy in slices of 32 rows; long rows stay in CSR",
    .reference = "Kreutzer et al. 2014 (SELL-C-sigma); docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
