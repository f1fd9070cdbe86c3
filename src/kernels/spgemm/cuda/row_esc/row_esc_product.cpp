#include "kernels/spgemm/cuda/row_esc/row_esc_product.hpp"

#include <limits>
#include <mutex>

#include "analysis/format_sizes.hpp"
#include "backends/cuda/device.hpp"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"
#include "kernels/spgemm/cuda/device_rows.hpp"
#include "kernels/spgemm/cuda/limit_refusal.hpp"
#include "kernels/spgemm/cuda/phase_clock.hpp"
#include "kernels/spgemm/cuda/row_esc/global_rows.hpp"
#include "kernels/spgemm/cuda/row_esc/local_rows.hpp"
#include "plan/describe_problem.hpp"
#include "plan/device_sparse_costs.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

extern const kernel spgemm_csr_esc_cuda;

}  // namespace gossamer

namespace gossamer::device {

namespace {

/// Of the memory of the device, for rows that are computed before their places in C are known.
constexpr double stage_share = 0.1;

group_limits limits_of(const row_esc_preset& preset, const problem& p) {
  const tuning asked(p.options.tuning, preset.id, row_esc_parameters);
  const group_limits limits{asked.number("thread", preset.limits.thread, 0),
                            asked.number("warp", preset.limits.warp, 0),
                            asked.number("block", preset.limits.block, 0)};
  const auto& most = most_of_groups;
  if (limits.thread > limits.warp || limits.warp > limits.block || limits.thread > most.thread ||
      limits.warp > most.warp || limits.block > most.block)
    throw fail(error_kind::bad_argument,
               "{}: thread={}, warp={}, block={} were asked for; they must not decrease, and are "
               "at most {}, {} and {}",
               preset.id, limits.thread, limits.warp, limits.block, most.thread, most.warp,
               most.block);
  return limits;
}

/// The operands by rows and what was counted of them: what multiply_once and plans share.
template <class T>
struct row_esc_product {
  device_rows<T> a, b;
  adaptive_operands<T> of;
  row_work work;
  row_groups groups;
  buffer<index_t> offsets;  ///< rows + 1: nonzeros of each row of C, then sums
  std::unique_ptr<global_rows<T>> global;
  std::mutex guard;  ///< of a plan that threads share

  row_esc_product(const operands& o, const context& where) : a(where, o.a), b(where, o.b) {
    read(o, where);
    offsets = buffer<index_t>(of.a.shape.rows + 1, where.memory());
    offsets.set(0);
  }
  /// Takes the values of this call.
  void read(const operands& o, const context& where) {
    of.a = a.view(where, o.a);
    of.b = b.view(where, o.b);
    of.alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    if (global) global->read(where, of.a);
  }
  bool empty() const {
    return of.a.shape.rows == 0 || of.b.shape.cols == 0 || of.a.nnz() == 0 || of.b.nnz() == 0;
  }
  index_t bytes() const {
    return a.bytes() + b.bytes() + work.bytes() + groups.bytes() +
           offsets.size() * index_t{sizeof(index_t)} + (global ? global->bytes() : 0);
  }
  picked_list global_list() const {
    return {groups.order.data() + groups.ends.back(), groups.global_rows};
  }
  index_t local_multiplications() const {
    return work.small_multiplications + work.large_multiplications - groups.global_multiplications;
  }
  adaptive_target<T> target(const csr_view<T>& c) const {
    return {nullptr, offsets.data(), c.columns, c.values};
  }
};

// ---- memory -------------------------------------------------------------------------------------

/// What prefix sums over the rows need for a while.
index_t scan_bytes(const problem& p) { return p.result.rows / 16 + (1 << 16); }

/// For single numbers that are counted on the way.
constexpr index_t single_numbers = 256;

/// What the analysis needs at most beyond the operands: conversions, or counts and the order.
index_t bytes_to_analyse(const problem& p) {
  const auto a = device_row_bytes(p.a), b = device_row_bytes(p.b);
  constexpr index_t per_row = 3 * sizeof(index_t);  // multiplications, list and offsets
  return std::max({a.peak, a.held + b.peak,
                   a.held + b.held + per_row * (p.result.rows + 1) + ordering_bytes(p.result.rows) +
                       scan_bytes(p)}) +
         single_numbers;
}

void require_within_limit(const problem& p, index_t needed, std::string_view for_what) {
  if (p.options.memory_limit > 0 && needed > p.options.memory_limit)
    refuse_limit(p, for_what, needed);
}

/// What is left beside so many bytes.
index_t left_beside(const problem& p, index_t taken) {
  if (p.options.memory_limit == 0) return std::numeric_limits<index_t>::max();
  return p.options.memory_limit - taken;
}

template <class T>
bool can_stage(const row_esc_product<T>& x, const problem& p, const context& where) {
  if (p.options.memory_limit > 0) return false;
  const auto each =
      static_cast<double>(sizeof(T)) + static_cast<double>(bytes(narrowest(p.result.cols)));
  return each * static_cast<double>(x.local_multiplications()) <=
         stage_share * static_cast<double>(cuda::properties(where.device()).memory);
}

// ---- steps --------------------------------------------------------------------------------------

template <class T>
void analyse(row_esc_product<T>& x, const context& where, const group_limits& limits) {
  x.work = count_multiplications(where, x.of.structure());
  x.groups = order_rows(where, x.of.structure(), x.work, limits);
}

/// Copies the rows of the global group, and cuts them into slices.
template <class T>
void copy_global(row_esc_product<T>& x, const problem& p, const context& where) {
  const auto& groups = x.groups;
  if (groups.global_rows == 0) return;
  const global_facts facts{
      groups.global_rows,          groups.global_nonzeros, groups.global_multiplications,
      x.work.most_multiplications, x.of.a.shape.cols,      p.result.cols};
  require_within_limit(
      p, x.bytes() + global_rows_bytes<T>(where, facts) + scan_bytes(p) + single_numbers,
      "the largest rows of C");
  x.global = copy_global_rows<T>(where, x.of, x.global_list(), facts);
  x.global->slice(where, left_beside(p, x.bytes() + scan_bytes(p)));
}

/// Counts all rows; returns the nonzeros of C. Throws where C does not fit beside what is held, and
/// else cuts slices that do.
template <class T>
index_t count_result(row_esc_product<T>& x, const problem& p, const context& where) {
  copy_global(x, p, where);
  multiply_local_rows<T>(where, x.of, x.work, x.groups, {x.offsets.data()});
  if (x.global) x.global->count(where, x.of, x.offsets.data());
  const index_t nnz = cuda::exclusive_sums(where, x.offsets);
  const index_t slices = x.global ? x.global->slice_bytes() : 0;
  const index_t least = x.global ? x.global->least_slice_bytes(where) : 0;
  const index_t others =
      x.bytes() - slices + analysis::csr_bytes(p.result, nnz, p.a.values) + single_numbers;
  require_within_limit(p, others + least, formatted("C with {} nonzeros", count_text(nnz)));
  if (x.global && slices > left_beside(p, others)) x.global->slice(where, left_beside(p, others));
  return nnz;
}

template <class T>
csr_matrix<T> allocate_result(const row_esc_product<T>& x, const problem& p, index_t nnz,
                              const context& where) {
  csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
  cuda::copy_indices(where, index_view(x.offsets.data(), x.offsets.size()),
                     c.mutable_view().offsets);
  return c;
}

/// Computes all rows into C, whose rows were counted.
template <class T>
void fill(const row_esc_product<T>& x, const csr_view<T>& c, const context& where) {
  multiply_local_rows<T>(where, x.of, x.work, x.groups, x.target(c));
  if (x.global) x.global->fill(where, x.of, x.target(c));
}

/// The rows of the global group as a matrix of their own, by the reference algorithm; counted.
template <class T>
csr_matrix<T> expand_global(row_esc_product<T>& x, const context& where) {
  const auto list = x.global_list();
  if (x.groups.global_rows == 0) return {};
  const auto picked = pick_rows<T>(where, x.of.a, list);
  operands o;
  o.a = normal_form(express(scaled(x.of.alpha, picked)));
  o.b = normal_form(express(x.of.b));
  problem part = describe_operands(where, o, {});
  part.operation = operation::spgemm;
  auto rows = std::get<csr_matrix<T>>(spgemm_csr_esc_cuda.spgemm.multiply_once(part, o, where));
  count_picked<T>(where, rows.view(), list, x.offsets.data());
  return rows;
}

template <class T>
double bytes_of(index_t nonzeros) {
  return static_cast<double>(nonzeros) * static_cast<double>(sizeof(T) + sizeof(std::int32_t));
}

constexpr const char* contraction_phase = "expand, sort, contract";

/// Computes every row once, into memory with a place for each of its multiplications, and then
/// moves rows to their places in C.
template <class T>
csr_matrix<T> in_one_pass(row_esc_product<T>& x, const problem& p, const context& where,
                          phase_clock& clock) {
  const index_t size = x.local_multiplications();
  const auto places = places_of_multiplications(where, x.work);
  index_buffer columns(size, narrowest(p.result.cols), where.memory());
  buffer<T> values(size, where.memory());
  multiply_local_rows<T>(where, x.of, x.work, x.groups,
                         {x.offsets.data(), places.data(), columns.view(), values.data()});
  const auto expanded = expand_global(x, where);
  clock.mark(contraction_phase, bytes_of<T>(size + x.groups.global_multiplications));
  const index_t nnz = cuda::exclusive_sums(where, x.offsets);
  auto c = allocate_result(x, p, nnz, where);
  const auto out = c.mutable_view();
  clock.mark("allocate C", 0);
  move_rows<T>(where, x.work, {places.data(), std::as_const(columns).view(), values.data()},
               x.target(out));
  if (x.groups.global_rows > 0)
    return_rows<T>(where, expanded.view(), x.global_list(), x.offsets.data(), out);
  clock.mark(x.groups.natural() ? "compact" : "reorder", 2 * bytes_of<T>(nnz));
  return c;
}

/// Counts and then computes the rows of C in their places.
template <class T>
csr_matrix<T> in_two_passes(row_esc_product<T>& x, const problem& p, const context& where,
                            phase_clock& clock) {
  const index_t nnz = count_result(x, p, where);
  clock.mark("count", bytes_of<T>(x.local_multiplications() + x.groups.global_multiplications));
  auto c = allocate_result(x, p, nnz, where);
  clock.mark("allocate C", 0);
  fill(x, c.mutable_view(), where);
  clock.mark(contraction_phase, bytes_of<T>(nnz));
  return c;
}

template <class T>
csr_matrix<T> multiply(row_esc_product<T>& x, const problem& p, const context& where,
                       phase_clock& clock) {
  if (!can_stage(x, p, where)) return in_two_passes(x, p, where, clock);
  try {
    return in_one_pass(x, p, where, clock);
  } catch (const error& e) {
    if (e.kind() != error_kind::out_of_memory) throw;
  }
  x.offsets.set(0);
  return in_two_passes(x, p, where, clock);
}

}  // namespace

csr_result multiply_row_esc(const row_esc_preset& preset, const problem& p, const operands& o,
                            const context& where) {
  const cuda::device_guard on(where);
  const auto limits = limits_of(preset, p);
  require_within_limit(p, bytes_to_analyse(p), "analysing the rows of C");
  return with_real_type(p.a.values, [&]<class T>() -> csr_result {
    phase_clock clock(where, o.measured);
    row_esc_product<T> x(o, where);
    if (x.empty()) return csr_matrix<T>(p.result, 0, narrowest(p.result, 0), where.memory());
    analyse(x, where, limits);
    clock.mark("analysis", costs::sparse_bytes(p.a) + 8.0 * static_cast<double>(p.a.nnz));
    auto c = multiply(x, p, where, clock);
    clock.finish();
    return c;
  });
}

state prepare_row_esc(const row_esc_preset& preset, const problem& p, const operands& o,
                      const context& where) {
  const cuda::device_guard on(where);
  const auto limits = limits_of(preset, p);
  require_within_limit(p, bytes_to_analyse(p), "analysing the rows of C");
  return with_real_type(p.a.values, [&]<class T>() -> state {
    auto x = std::make_shared<row_esc_product<T>>(o, where);
    state prepared{.workspace = x};
    phase_clock clock(where, p.explained ? &prepared.phases : nullptr);
    if (!x->empty()) {
      analyse(*x, where, limits);
      clock.mark("analysis", costs::sparse_bytes(p.a) + 8.0 * static_cast<double>(p.a.nnz));
      prepared.spgemm.result_nnz = count_result(*x, p, where);
      clock.mark("count", bytes_of<T>(x->local_multiplications()));
      clock.finish();
    }
    prepared.bytes = x->bytes();
    return prepared;
  });
}

void run_row_esc(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  visit_real(
      [&]<class T>(const csr_view<T>& c) {
        auto& x = prepared.workspace_as<row_esc_product<T>>();
        // The launches of one call follow one another on the stream, whoever else runs the plan.
        const std::lock_guard alone(x.guard);
        x.read(o, where);
        cuda::copy_indices(where, index_view(x.offsets.data(), x.offsets.size()), c.offsets);
        if (!x.empty()) fill(x, c, where);
      },
      *o.sparse);
}

verdict consider_row_esc(const problem& p) {
  const auto compressed = [](const operand_facts& o) {
    return o.format == format::csr || o.format == format::csc;
  };
  if (!compressed(p.a) || !compressed(p.b)) return {.because = "takes CSR and CSC"};
  if (p.options.algorithm.empty())
    return {.because = "a published algorithm to compare with: only by name"};
  return {.possible = true,
          .run_seconds = 16 * costs::device_launch + 4 * costs::device_wait +
                         costs::device_row_esc_product * costs::expected_products(p),
          .bytes = bytes_to_analyse(p) + analysis::csr_bytes(p.result, 0, p.a.values),
          .because = "rows ordered by work, each sorted by a thread, a warp, a block or in memory"};
}

}  // namespace gossamer::device
