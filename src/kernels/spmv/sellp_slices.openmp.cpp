// SELL-P by slices: each slice is an ELL block of its own width. Slices differ in width, so small
// groups of them are scheduled dynamically.
#include "base/parallel.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/ell/ell_block.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr index_t group = 16;  // slices per piece; not measured

template <class T, class I, class O>
void multiply_slice(const sellp_ref<const T, I, O>& a, const vector_call<T>& v, index_t s) {
  const index_t first = s * a.slice, rows = std::min(a.slice, a.rows - first);
  const index_t place = a.slice_offsets[s] * a.slice;
  const index_t width = a.slice_offsets[s + 1] - a.slice_offsets[s];
  for (index_t r = 0; r < rows; r += ell_block)
    ell_block_rows<T, I>({a.columns + place + r, a.values + place + r,
                          std::min(ell_block, rows - r), width, a.slice},
                         v.x, [&](index_t k, T sum) { v.store(a.row_at(first + r + k), sum); });
}

void run(const state&, const operands& o, const context& where) {
  with_vector_call<sellp_view>(o, [&](const auto& a, const auto& v) {
    const double places = static_cast<double>(a.slice) *
                          static_cast<double>(a.slices > 0 ? a.slice_offsets[a.slices] : 0);
    const int threads = costs::useful_threads(12 * places, where.threads());
    parallel_chunks(threads, (a.slices + group - 1) / group, [&](index_t chunk) {
      for (index_t s = chunk * group; s < std::min(a.slices, (chunk + 1) * group); ++s)
        multiply_slice(a, v, s);
    });
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::sellp || p.a.transposed)
    return {.because = "takes SELL-P, not transposed"};
  const double compute = costs::entry_compute * static_cast<double>(p.a.places);
  return {.possible = true,
          .run_seconds = costs::seconds(costs::dense_product_bytes(p), compute, m, p.threads),
          .because = "SELL-P as stored, each slice as wide as its longest row"};
}

}  // namespace

extern const kernel spmv_sellp_slices_openmp;
const kernel spmv_sellp_slices_openmp{
    .id = "spmv/sellp/slices/openmp",
    .summary = "groups of slices per thread, each slice column by column",
    .reference = "Anzt et al. 2020 (SELL-P); Kreutzer et al. 2014 (SELL-C-sigma)",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
