// CSR converted by the plan to SELL-C-sigma (Kreutzer et al. 2014; shared/sell_layout.hpp): groups
// of rows lane by lane, columns as 16-bit distances or, on meshes, one for a whole slot. Each
// thread begins with the part it has written, so that on machines with several memories it is close
// by.
#include "base/text.hpp"
#include "kernels/shared/sell_layout.hpp"
#include "kernels/shared/vector_call.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class T>
sell_multiplier<T> fastest() {
  static const auto found = sell_multipliers<T>().back();
  return found;
}

state prepare(const problem&, const operands& o, const context& where) {
  state made;
  with_vector_call<csr_view>(o, [&]<class T>(const auto& a, const vector_call<T>&) {
    auto layout = std::make_shared<sell_layout<T>>(sliced(a, where.threads()));
    made.bytes = layout->bytes();
    made.tables = std::move(layout);
  });
  return made;
}

void run(const state& prepared, const operands& o, const context& where) {
  with_vector_call<csr_view>(o, [&]<class T>(const auto&, const vector_call<T>& v) {
    const auto& a = prepared.as<sell_layout<T>>();
    const sell_call<T> call{&a, v.x, v.y, v.alpha, v.beta};
    const auto multiply = fastest<T>();
    parallel_shares(where.threads(), std::ssize(a.cuts) - 1, [&](index_t piece) {
      const auto at = static_cast<std::size_t>(piece);
      multiply(call, {a.cuts[at], a.cuts[at + 1]});
    });
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (!p.options.constant_values)
    return {.because = "keeps A's values in its own order; constant_values would allow it"};
  if (p.a.shape.cols > INT32_MAX || p.a.shape.rows > INT32_MAX)
    return {.because = "rows and columns of its groups are 32 bits"};
  const double nnz = static_cast<double>(p.a.nnz);
  const double value = p.float_values ? 4 : static_cast<double>(bytes(p.a.values));
  // Where columns jump about, groups reach too far for 16 bits.
  const double index = p.x_lines > 0.5 ? 4 : 2;
  const double moved = (1 - p.alike_rows) * static_cast<double>(p.a.shape.rows);
  const double compute =
      costs::sell_compute * nnz + costs::sell_moved_row * moved + costs::x_seconds(p, m);
  const double traffic = nnz * (value + index) + 5 * static_cast<double>(p.a.shape.rows) +
                         costs::dense_bytes(p.b.shape, p.b.values) +
                         costs::dense_bytes(p.result, p.a.values) * (p.reads_result ? 2 : 1);
  const double share = nnz / p.threads;
  const double slowest = std::max(1.0, static_cast<double>(p.long_row) / std::max(share, 1.0));
  return {.possible = true,
          .prepare_seconds = costs::sell_entry * nnz / p.threads,
          .run_seconds = slowest * costs::seconds(traffic, compute, m, p.threads),
          .bytes = p.a.nnz * (bytes(p.a.values) + 2) * 5 / 4,
          .because = slowest > 1 ? formatted("one row holds {:.1f} times a thread's share", slowest)
                     : p.float_values
                         ? "rows lane by lane, indices of 2 bytes or less, floats for doubles"
                         : "rows lane by lane, and indices of 2 bytes or less"};
}

}  // namespace

extern const kernel spmv_csr_sell_openmp;
const kernel spmv_csr_sell_openmp{
    .id = "spmv/csr/sell/openmp",
    .summary = "converted to SELL-C-sigma: groups of rows lane by lane, compressed columns",
    .reference = "Kreutzer et al. 2014 (SELL-C-sigma)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
