#include "plan/describe_problem.hpp"

#include <algorithm>

#include "analysis/probe.hpp"
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/lost_bits.hpp"
#include "formats/row_order.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

bool rows_sorted(index_view rows, memory place, const context& where) {
  if (place == memory::device) return cuda::ascends(where, rows);
  return never_decrease(where.threads(), rows);
}

/// On a device all rows are looked at: that is one launch, as a few would be.
index_t long_row(index_view offsets, memory place, const context& where) {
  if (place == memory::device) return cuda::longest_line(where, offsets);
  return analysis::probe_rows(offsets, 64).at_least;
}

constexpr index_t plan_worth_a_look = 8;  // calls
constexpr index_t least_look = 1 << 17;   // entries
constexpr index_t run = 4096, runs = 8;

/// Runs of entries from all over the matrix, one behind the other; in host memory.
index_buffer sampled_runs(index_view columns, memory place, const context& where) {
  const auto size = static_cast<index_t>(bytes(columns.width()));
  index_buffer sample(run * runs, columns.width());
  for (index_t r = 0; r < runs; ++r) {
    const auto* from =
        static_cast<const char*>(columns.data()) + (columns.size() - run) / runs * r * size;
    auto* to = static_cast<char*>(sample.view().data()) + r * run * size;
    if (place == memory::device)
      cuda::copy_bytes(where, to, from, static_cast<std::size_t>(run * size),
                       cuda::direction::to_host);
    else
      std::copy_n(from, run * size, to);
  }
  return sample;
}

/// Different cache lines of x in each run, per entry.
double lines_of_x(index_view sample, index_t element_bytes) {
  const index_t per_line = 64 / element_bytes;
  std::vector<index_t> lines(run);
  index_t different = 0;
  for (index_t r = 0; r < runs; ++r) {
    for (index_t k = 0; k < run; ++k)
      lines[static_cast<std::size_t>(k)] = sample[r * run + k] / per_line;
    std::sort(lines.begin(), lines.end());
    different += std::unique(lines.begin(), lines.end()) - lines.begin();
    lines.resize(run);
  }
  return static_cast<double>(different) / static_cast<double>(run * runs);
}

/// The share of rows that are as long as the next one.
double alike_rows(index_view offsets) {
  constexpr index_t probes = 512;
  const index_t rows = offsets.size() - 1;
  if (rows < 2) return 1;
  index_t alike = 0;
  for (index_t k = 0; k < probes; ++k) {
    const index_t i = k * (rows - 1) / probes;
    alike += offsets[i + 1] - offsets[i] == offsets[i + 2] - offsets[i + 1] ? 1 : 0;
  }
  return static_cast<double>(alike) / probes;
}

/// Whether floats would do for a few hundred values: for all of them, if it is a stencil or a
/// count.
bool look_like_floats(const double* values, index_t count) {
  constexpr index_t probes = 512;
  std::uint64_t lost = 0;
  for (index_t k = 0; k < probes; ++k) lost |= lost_bits(values[k * (count - 1) / probes]);
  return lost == 0;
}
bool look_like_floats(const float*, index_t) { return false; }  // they are

/// What the storage of A adds to the facts: a long row, entries in row order.
void look_at_rows(const operand& a, const context& where, problem& p) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        if (const auto* csr = std::get_if<csr_view<const T>>(&e.view)) {
          p.long_row = long_row(csr->offsets, csr->where, where);
          if (p.options.expected_calls >= plan_worth_a_look && csr->nnz() >= least_look) {
            p.x_lines =
                lines_of_x(sampled_runs(csr->columns, csr->where, where).view(), bytes(p.a.values));
            if (csr->where == memory::host) {
              p.alike_rows = alike_rows(csr->offsets);
              p.float_values = look_like_floats(csr->values, csr->nnz());
            }
          }
        }
        if (const auto* coo = std::get_if<coo_view<const T>>(&e.view))
          p.a_rows_sorted = rows_sorted(coo->rows, coo->where, where);
        if (const auto* hyb = std::get_if<hyb_view<const T>>(&e.view))
          p.a_rows_sorted = rows_sorted(hyb->coo.rows, hyb->where, where);
      },
      a);
}

}  // namespace

problem describe_operands(const context& where, const operands& o, const options& how) {
  problem p;
  p.backend = where.backend();
  p.threads = where.threads();
  p.a = facts(o.a);
  p.b = facts(o.b);
  p.result = {p.a.shape.rows, p.b.shape.cols};
  p.options = how;
  return p;
}

problem describe_dense(const context& where, const operands& o, const options& how) {
  problem p = describe_operands(where, o, how);
  std::visit(
      [&]<class T>(const dense_view<T>& c) {
        const auto& b = view_as<dense_view<const T>>(o.b);
        // A single contiguous column is a vector, unless a kernel for blocks was asked for.
        const bool vectors = is_vector(b) && is_vector(c) && !how.algorithm.starts_with("spmm/");
        p.operation = vectors ? operation::spmv : operation::spmm;
        p.b_order = b.order;
        p.result_order = c.order;
        p.reads_result = o.beta_as<T>() != T{0};
      },
      *o.dense);
  look_at_rows(o.a, where, p);
  return p;
}

problem describe_sparse(const context& where, const operands& o, const options& how) {
  problem p = describe_operands(where, o, how);
  p.operation = operation::spgemm;
  p.flop = detail::count_products(where, o.a, o.b);
  // Under a limit C is counted anyway, and sampling would need memory of its own.
  if (how.algorithm == paper_rule && how.memory_limit <= 0)
    p.compression = detail::estimate(where, o.a, o.b, {}).compression;
  return p;
}

}  // namespace gossamer
