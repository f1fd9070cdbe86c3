// CSC on a GPU, which is also a transposed CSR, without atomics: the plan keeps the row order of
// the nonzeros (their columns, and the position of each value), and rows are summed like those of
// CSR. Values are read in place, so they may change between runs.
#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"
#include "kernels/spmv/cuda/uneven_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csc/rows/cuda";

/// Rows over the arrays of a CSC matrix. Key: std::uint32_t where nnz fits it.
template <class Key>
struct row_order {
  using offset = std::make_signed_t<Key>;
  buffer<offset> offsets;  ///< rows + 1
  buffer<Key> columns;     ///< columns of the nonzeros in row order
  buffer<Key> places;      ///< positions of their values
  device::uneven_rows lengths;

  index_t bytes() const {
    return (offsets.size() + columns.size() + places.size()) * index_t{sizeof(Key)} +
           lengths.bytes();
  }
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
row_order<Key> order_by_rows(const context& where, const A& a) {
  using offset = std::make_signed_t<Key>;
  const index_t nnz = a.nnz();
  buffer<Key> keys(nnz, where.memory());
  Key* const key = keys.data();
  cuda::for_each(where, nnz, "the rows of entries",
                 [=] __device__(index_t p) { key[p] = static_cast<Key>(a.row_indices[p]); });
  int bits = 1;
  while (bits < 63 && (index_t{1} << bits) < a.rows) ++bits;
  auto sorted = cuda::order_of(where, std::move(keys), bits);
  row_order<Key> order{.offsets = buffer<offset>(a.rows + 1, where.memory()),
                       .columns = buffer<Key>(nnz, where.memory()),
                       .places = std::move(sorted.from),
                       .lengths = {}};
  const Key* const row = sorted.keys.data();
  offset* const first = order.offsets.data();
  cuda::for_each(where, a.rows + 1, "the offsets of rows", [=] __device__(index_t i) {
    first[i] = static_cast<offset>(cuda::first_not_below(row, nnz, static_cast<Key>(i)));
  });
  const Key* const place = order.places.data();
  Key* const column = order.columns.data();
  cuda::for_each(where, nnz, "the columns of entries", [=] __device__(index_t p) {
    // The last column that begins at or before the position.
    const auto behind = static_cast<index_t>(place[p]) + 1;
    column[p] = static_cast<Key>(cuda::first_not_below(a.offsets, a.cols + 1, behind) - 1);
  });
  order.lengths = device::find_uneven_rows(where, {order.offsets.data(), order.offsets.size()},
                                           device::limits_for(nnz, 0));
  return order;
}

/// True when 32 bits hold the nonzeros, rows and columns of the operand.
bool narrow(index_t rows, index_t cols, index_t nnz) {
  return std::max({rows + 1, cols, nnz}) < std::numeric_limits<std::int32_t>::max();
}

struct tables {
  row_order<std::uint32_t> near;
  row_order<std::uint64_t> far;
};

state prepare(const problem&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<tables>();
  with_vector_call<csc_view>(o, [&](const auto& a, const auto&) {
    if (narrow(a.rows, a.cols, a.nnz()))
      table->near = order_by_rows<std::uint32_t>(where, a);
    else
      table->far = order_by_rows<std::uint64_t>(where, a);
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
    const auto multiply = [&]<class Key>(const row_order<Key>& by) {
      const ordered_rows<T, Key> rows{
          a.rows, by.offsets.data(), by.columns.data(), {a.values, by.places.data()}};
      device::multiply_uneven(where, rows, v, by.lengths, sums);
    };
    if (narrow(a.rows, a.cols, a.nnz()))
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
          .prepare_seconds = 10 * product + 5 * costs::device_wait,
          .run_seconds = product + costs::device_seconds(32 * entries, m),
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
