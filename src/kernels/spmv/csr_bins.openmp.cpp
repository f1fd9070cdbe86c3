// CSR by propagation blocking (Beamer et al. 2017; Gu et al. 2020 for sparse products): for
// scattered columns in an x beyond the caches. The plan keeps A split into segments
// (bins/bin_layout.hpp); a run multiplies while a block of x is in cache, writes the results
// grouped by bands of rows, and adds them while the band of y is in cache. Memory is only streamed.
#include "base/text.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/bins/bin_layout.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class T>
void make_products(const bin_layout<T>& a, const T* x, index_t block, T* products) {
  const T* part = x + (block << a.block_bits);
  for (index_t band = 0; band < a.bands; ++band) {
    const index_t begin = a.read_at[block * a.bands + band];
    const index_t count = a.read_at[block * a.bands + band + 1] - begin;
    const T* values = a.values.data() + begin;
    const std::uint16_t* columns = a.columns.data() + begin;
    T* to = products + a.write_at[band * a.blocks + block];
    for (index_t k = 0; k < count; ++k) to[k] = values[k] * part[columns[k]];
  }
}

template <class T>
void add_products(const bin_layout<T>& a, const vector_call<T>& v, index_t rows, index_t band,
                  const T* products) {
  const index_t first = band << a.band_bits;
  const index_t last = std::min(rows, first + (index_t{1} << a.band_bits));
  for (index_t i = first; i < last; ++i) v.store(i, 0);
  T* y = v.y + first;
  const index_t end = a.write_at[(band + 1) * a.blocks];
  for (index_t p = a.write_at[band * a.blocks]; p < end; ++p) y[a.rows[p]] += v.alpha * products[p];
}

state prepare(const problem&, const operands& o, const context& where) {
  state prepared;
  with_vector_call<csr_view>(o, [&]<class T>(const auto& a, const vector_call<T>&) {
    auto layout = std::make_shared<bin_layout<T>>(
        binned(a, bits_for({a.rows, a.cols}, a.nnz()), where.threads()));
    prepared.bytes = layout->bytes();
    prepared.tables = std::move(layout);
  });
  return prepared;
}

void run(const state& prepared, const operands& o, const context& where) {
  with_vector_call<csr_view>(o, [&]<class T>(const auto& matrix, const vector_call<T>& v) {
    const auto& a = prepared.as<bin_layout<T>>();
    buffer<T> products(a.values.size(), where.memory());
    parallel_chunks(where.threads(), a.blocks,
                    [&](index_t block) { make_products(a, v.x, block, products.data()); });
    parallel_chunks(where.threads(), a.bands,
                    [&](index_t band) { add_products(a, v, matrix.rows, band, products.data()); });
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (!p.options.constant_values)
    return {.because =
                "keeps a copy of A's values in another order; constant_values would allow it"};
  const auto bits = bits_for(p.a.shape, p.a.nnz);
  const double nnz = static_cast<double>(p.a.nnz);
  const double segments = static_cast<double>(pieces(p.a.shape.rows, bits.band)) *
                          static_cast<double>(pieces(p.a.shape.cols, bits.block));
  const double value = static_cast<double>(bytes(p.a.values));
  const double traffic = nnz * (4 * value + 4) + costs::dense_bytes(p.b.shape, p.b.values) +
                         costs::dense_bytes(p.result, p.a.values) * 2;
  const double compute = costs::binned_entry * nnz + costs::binned_segment * segments;
  return {
      .possible = true,
      .prepare_seconds =
          (costs::bin_entry * nnz + costs::bin_segment * costs::binned_segment * segments) /
          p.threads,
      .run_seconds = costs::seconds(traffic, compute, m, p.threads),
      .bytes = p.a.nnz * (2 * bytes(p.a.values) + 4) + static_cast<index_t>(segments) * 16,
      .because = "multiplies while a block of x is in cache, then adds one band of rows at a time"};
}

}  // namespace

extern const kernel spmv_csr_bins_openmp;
const kernel spmv_csr_bins_openmp{
    .id = "spmv/csr/bins/openmp",
    .summary = "propagation blocking: multiply by column blocks, add by row bands, 16-bit indices",
    .reference = "Beamer et al. 2017 (propagation blocking), with a fixed place for every product",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
