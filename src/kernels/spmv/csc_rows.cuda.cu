// CSC on a GPU, which is also a transposed CSR, without atomics: the plan keeps the row order of
// the nonzeros (their columns, and the position of each value), and rows are summed like those of
// CSR. Values are read in place, so they may change between runs.
#include "kernels/common/cuda/row_order.cuh"
#include "kernels/spmv/cuda/uneven_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csc/rows/cuda";

/// Row order, and the lengths of rows for the classes of csr/adaptive.
template <class Key>
struct ordered_lengths : device::row_order<Key> {
  device::uneven_rows lengths;

  index_t bytes() const { return device::row_order<Key>::bytes() + lengths.bytes(); }
};

/// A view that row sums accept in place of CSR.
template <class T, class Key>
struct ordered_rows {
  index_t rows;
  const std::make_signed_t<Key>* offsets;
  const Key* columns;
  device::placed_values<T, Key> values;
};

template <class Key, class A>
ordered_lengths<Key> order_lengths(const context& where, const A& a) {
  ordered_lengths<Key> order{device::order_by_rows<Key>(where, a), {}};
  order.lengths = device::find_uneven_rows(where, {order.offsets.data(), order.offsets.size()},
                                           device::limits_for(a.nnz(), 0));
  return order;
}

struct tables {
  ordered_lengths<std::uint32_t> near;
  ordered_lengths<std::uint64_t> far;
};

state prepare(const problem&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<tables>();
  with_vector_call<csc_view>(o, [&](const auto& a, const auto&) {
    if (device::narrow(a.rows, a.cols, a.nnz()))
      table->near = order_lengths<std::uint32_t>(where, a);
    else
      table->far = order_lengths<std::uint64_t>(where, a);
  });
  const index_t pieces = table->near.lengths.longer.pieces + table->far.lengths.longer.pieces;
  auto sums = std::make_shared<device::partial_sums>(where, pieces);  // one of the two is empty
  const index_t held = table->near.bytes() + table->far.bytes() + sums->bytes();
  return {.tables = std::move(table), .workspace = std::move(sums), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  auto& sums = prepared.workspace_as<device::partial_sums>();
  with_vector_call<csc_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    if (a.rows == 0) return;
    const auto multiply = [&]<class Key>(const ordered_lengths<Key>& by) {
      const ordered_rows<T, Key> rows{
          a.rows, by.offsets.data(), by.columns.data(), {a.values, by.places.data()}};
      device::multiply_uneven(where, rows, v, by.lengths, sums);
    };
    if (device::narrow(a.rows, a.cols, a.nnz()))
      multiply(table.near);
    else
      multiply(table.far);
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csc) return {.because = "takes CSC, or a transposed CSR"};
  const auto entries = static_cast<double>(p.a.nnz);
  const double product = costs::device_seconds(costs::dense_product_bytes(p), m);
  return {.possible = true,
          .prepare_seconds =
              costs::device_indexing * product + costs::device_indexing_waits * costs::device_wait,
          .run_seconds = product + costs::device_seconds(costs::device_sector * entries, m),
          .bytes = p.a.nnz * 8 + p.a.shape.rows * 4,
          .because = "nonzeros read in row order through an index, so no atomics are needed"};
}

}  // namespace

extern const kernel spmv_csc_rows_cuda;
const kernel spmv_csc_rows_cuda{
    .id = id,
    .summary = "rows of a CSC matrix through an index built by the plan; no atomics",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
