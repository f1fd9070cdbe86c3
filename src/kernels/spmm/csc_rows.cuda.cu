// CSC times a dense block on a GPU, which is also a transposed CSR, without atomics: the plan keeps
// the row order of the nonzeros (their columns, and the position of each value). A run brings the
// values into that order, so they may change, and a CSR kernel multiplies.
#include <array>

#include "kernels/common/cuda/converted.hpp"
#include "kernels/common/cuda/row_order.cuh"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

extern const kernel spmm_csr_groups_cuda;
extern const kernel spmm_csr_panels_cuda;

namespace {

constexpr std::string_view id = "spmm/csc/rows/cuda";
constexpr std::array for_csr{&spmm_csr_groups_cuda, &spmm_csr_panels_cuda};

struct tables {
  device::row_order<std::uint32_t> near;  ///< or
  device::row_order<std::uint64_t> far;   ///< where 32 bits are too few
  device::chosen_for_rows chosen;
};
/// The values of A in row order, of either type.
using row_values = buffer<double>;

bool is_narrow(const problem& p) { return device::narrow(p.a.shape.rows, p.a.shape.cols, p.a.nnz); }

template <class T, class Key>
csr_view<const T> rows_over(const device::row_order<Key>& by, extents shape, const T* values) {
  using index = std::make_signed_t<Key>;
  return {shape,
          {by.offsets.data(), by.offsets.size()},
          {reinterpret_cast<const index*>(by.columns.data()), by.columns.size()},
          values,
          memory::device};
}

/// f(row order) with the keys that were prepared.
template <class F>
void with_order(const tables& table, F&& f) {
  if (table.near.offsets.size() > 0)
    f(table.near);
  else
    f(table.far);
}

/// Operands over the rows, whose values lie in the workspace.
template <class T>
operands over_rows(const operands& o, const tables& table, const row_values& values) {
  operands result;
  const auto shape = view_as<csc_view<const T>>(o.a).shape;
  with_order(table, [&](const auto& by) {
    result =
        device::with_rows<T>(o, rows_over<T>(by, shape, reinterpret_cast<const T*>(values.data())));
  });
  return result;
}

template <class T, class Key>
void gather(const context& where, const T* from, const buffer<Key>& places, T* to) {
  const Key* const place = places.data();
  cuda::for_each(where, places.size(), "the values in row order",
                 [=] __device__(index_t p) { to[p] = __ldg(from + place[p]); });
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<tables>();
  auto values = std::make_shared<row_values>((p.a.nnz * bytes(p.a.values) + 7) / 8, where.memory());
  visit_real(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<csc_view<const T>>(e.view), [&](const auto& a) {
          if (is_narrow(p))
            table->near = device::order_by_rows<std::uint32_t>(where, a);
          else
            table->far = device::order_by_rows<std::uint64_t>(where, a);
        });
        table->chosen =
            device::prepare_rows(over_rows<T>(o, *table, *values), p.options, where, for_csr);
      },
      o.a);
  const index_t held = table->near.bytes() + table->far.bytes() + table->chosen.prepared.bytes +
                       values->size() * index_t{sizeof(double)};
  return {.tables = std::move(table), .workspace = std::move(values), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  auto& values = prepared.workspace_as<row_values>();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csc_view<const T>>(e.view);
        with_order(table, [&](const auto& by) {
          gather(where, a.values, by.places, reinterpret_cast<T*>(values.data()));
        });
        table.chosen.by->run(table.chosen.prepared, over_rows<T>(o, table, values), where);
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csc) return {.because = "takes CSC, or a transposed CSR"};
  const auto nonzeros = static_cast<double>(p.a.nnz);
  const double ordered = costs::device_seconds(costs::device_sector * nonzeros, m);
  const bool row_major =
      p.dense.b_order == layout::row_major && p.dense.result_order == layout::row_major;
  return {.possible = true,
          .prepare_seconds =
              costs::device_indexing * costs::device_seconds(costs::sparse_bytes(p.a), m) +
              costs::device_indexing_waits * costs::device_wait,
          .run_seconds = ordered + costs::device_part(costs::device_dense_product(p, m),
                                                      row_major ? 1 : costs::device_panels),
          .bytes = p.a.nnz * (8 + bytes(p.a.values)) + p.a.shape.rows * 4,
          .because = "values brought into row order by an index, then as CSR; no atomics"};
}

}  // namespace

extern const kernel spmm_csc_rows_cuda;
const kernel spmm_csc_rows_cuda{
    .id = id,
    .summary = "rows of a CSC matrix through an index built by the plan; no atomics",
    .reference = "docs/kernels/spmm-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
