// C = alpha A B on a GPU, every row by what is fastest for it. Where rows repeat, as on meshes,
// each pattern is worked out once and rows are sums of listed terms (row_patterns.hpp). Other rows
// are sorted by a thread, a warp or a block, by the number of their multiplications, summed in
// dense windows of columns (windows/windowed_rows.hpp), or computed under a bitmap by stripes of
// columns (bitmap_rows.cuh); the few that add very many rows of B are expanded in memory. Sorted
// rows are computed once, into memory with a place for every multiplication, and moved to C when
// its size is known; where that memory is too large, or limited, they are computed twice, the first
// time to count. Sums have the order of the multiplications: the bits are those of the serial
// reference. docs/kernels/spgemm-cuda.md has the measurements.
#include "analysis/format_sizes.hpp"
#include "backends/cuda/device.hpp"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"
#include "convert/keep.hpp"
#include "kernels/spgemm/cuda/adaptive_product.hpp"
#include "kernels/spgemm/cuda/column_order.hpp"
#include "kernels/spgemm/cuda/limit_refusal.hpp"
#include "kernels/spgemm/cuda/phase_clock.hpp"
#include "kernels/spgemm/cuda/picked_rows.hpp"
#include "kernels/spgemm/frame/sparse_result.hpp"
#include "plan/describe_problem.hpp"
#include "plan/device_sparse_costs.hpp"
#include "plan/kernel.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

extern const kernel spgemm_csr_esc_cuda;

namespace {

using namespace device;

constexpr std::string_view id = "spgemm/csr/adaptive/cuda",
                           parameters = "phases,patterns,terms,windows";

/// Of the memory of the device, for rows that are computed before their places in C are known.
constexpr double stage_share = 0.1;

// ---- memory -------------------------------------------------------------------------------------

/// What counting needs at most beyond the operands: conversions, tables of rows, scans.
index_t bytes_to_count(const problem& p) {
  // Multiplications, list and offsets; of a large row also its columns, stripes and places.
  constexpr index_t per_row = 11 * sizeof(index_t), scans = 1 << 19;
  const auto a = device_row_bytes(p.a), b = device_row_bytes(p.b);
  const index_t converting = std::max(a.peak, a.held + b.peak);
  const index_t mask = p.options.mask ? sorted_mask_bytes(*p.options.mask) : 0;
  return std::max(converting, a.held + b.held + mask + per_row * (p.result.rows + 1)) + scans;
}

void require_within_limit(const problem& p, index_t needed, std::string_view for_what) {
  if (p.options.memory_limit > 0 && needed > p.options.memory_limit)
    refuse_limit(p, for_what, needed);
}

/// Patterns are kept where a limit is far off.
bool may_keep_patterns(const problem& p) {
  const tuning asked(p.options.tuning, id, parameters);
  if (asked.word("patterns", {"auto", "none"}) == "none") return false;
  const index_t patterns =
      most_patterns * index_t{sizeof(row_pattern)} + 16 * (p.a.shape.rows + p.b.shape.rows);
  return p.options.memory_limit == 0 || patterns + bytes_to_count(p) < p.options.memory_limit / 4;
}

template <class T>
bool can_stage(const adaptive_tables& tables, const problem& p, const context& where) {
  const tuning asked(p.options.tuning, id, parameters);
  if (asked.word("phases", {"one", "two"}) == "two" || p.options.memory_limit > 0) return false;
  if (tables.patterns.found() || tables.sorted_multiplications() == 0) return false;
  const auto each =
      static_cast<double>(sizeof(T)) + static_cast<double>(bytes(narrowest(p.result.cols)));
  return each * static_cast<double>(tables.sorted_multiplications()) <=
         stage_share * static_cast<double>(cuda::properties(where.device()).memory);
}

/// A plan with listed terms takes 4 to 9 products to prepare, and saves up to two thirds of each
/// call (docs/kernels/spgemm-cuda.md).
constexpr index_t calls_worth_listing = 20;
/// Of the memory of the device, while terms are listed.
constexpr double listing_share = 0.2;

template <class T>
bool should_list_terms(const adaptive_product<T>& x, index_t nnz, const problem& p,
                       const context& where) {
  const tuning asked(p.options.tuning, id, parameters);
  const auto word = asked.word("terms", {"auto", "none", "all"});
  if (word == "none" || !x.of.ordinary() || !x.of.narrow()) return false;
  if (word == "auto" &&
      (x.tables.patterns.found() || p.options.expected_calls < calls_worth_listing))
    return false;
  const index_t products =
      x.tables.work.small_multiplications + x.tables.work.large_multiplications;
  if (!can_list_terms(x.of.structure(), products, nnz)) return false;
  const auto needed = static_cast<double>(term_listing_bytes(products, nnz)) +
                      static_cast<double>(sizeof(T)) * static_cast<double>(nnz);
  const double most = listing_share * static_cast<double>(cuda::properties(where.device()).memory);
  return p.options.memory_limit == 0 && needed <= most;
}

// ---- steps --------------------------------------------------------------------------------------

windowing windows_for(const problem& p, bool ordinary) {
  const tuning asked(p.options.tuning, id, parameters);
  const auto word = asked.word("windows", {"auto", "none", "all"});
  if (!ordinary || p.options.memory_limit > 0 || word == "none") return windowing::none;
  return word == "all" ? windowing::all : windowing::automatic;
}

/// Divides the rows of the large class, and counts windows and stripes.
template <class T>
void divide_rows(adaptive_product<T>& x, const problem& p, const context& where,
                 expansion expanding) {
  auto& tables = x.tables;
  const auto structure = x.of.structure();
  const auto disorder = count_disorder(where, structure);
  tables.windowed = claim_windowed_rows(where, structure, tables.work, disorder.data(),
                                        windows_for(p, x.of.ordinary()));
  divided_rows rest{tables.work.list.data() + tables.work.begin_of(large_class),
                    tables.work.rows[large_class], disorder.data()};
  if (tables.windowed.considered) {
    count_windows(where, structure, tables.windowed, tables.offsets);
    rest.rows = tables.windowed.others.data();
    rest.count = tables.windowed.other_rows;
  }
  if (rest.count == 0) return;
  tables.large = divide_large_rows(where, structure, tables.work, rest, expanding);
  x.of.b_ascends = tables.large.b_ascends;
  count_stripes(where, x.of, tables.large);
  sum_stripes(where, rest, tables.large, tables.offsets);
}

/// Looks for patterns, or divides rows into classes and counts stripes. Expanded rows may be none.
template <class T>
void look_at_rows(adaptive_product<T>& x, const problem& p, const context& where,
                  expansion expanding) {
  auto& tables = x.tables;
  tables.semiring = x.of.semiring = p.options.semiring;
  if (p.options.mask) {
    tables.mask = sorted_mask(where, *p.options.mask);
    x.of.mask = &tables.mask->view();
  }
  const auto structure = x.of.structure();
  tables.work = count_multiplications(where, structure);
  if (x.of.ordinary() && x.of.narrow() && may_keep_patterns(p)) {
    tables.patterns = find_patterns(where, structure, tables.work);
    if (tables.patterns.found()) return count_by_pattern(where, tables.patterns, tables.offsets);
  }
  list_by_class(where, tables.work);
  if (tables.work.rows[large_class] > 0) divide_rows(x, p, where, expanding);
}

/// Counts the sorted rows, unless patterns give them.
template <class T>
void count_sorted_rows(adaptive_product<T>& x, const context& where) {
  auto& tables = x.tables;
  if (!tables.patterns.found())
    multiply_sorted_rows<T>(where, x.of, tables.work, tables.large, {tables.offsets.data()});
}

/// Sorted rows with gaps between them.
template <class T>
struct stage {
  buffer<index_t> places;
  index_buffer columns;
  buffer<T> values;
};

/// Computes and counts the sorted rows.
template <class T>
stage<T> stage_rows(adaptive_product<T>& x, const problem& p, const context& where) {
  auto& tables = x.tables;
  const index_t size = tables.sorted_multiplications();
  stage<T> staged{places_of_multiplications(where, tables.work),
                  index_buffer(size, narrowest(p.result.cols), where.memory()),
                  buffer<T>(size, where.memory())};
  multiply_sorted_rows<T>(
      where, x.of, tables.work, tables.large,
      {tables.offsets.data(), staged.places.data(), staged.columns.view(), staged.values.data()});
  return staged;
}

picked_list expanded_rows(const adaptive_tables& tables) {
  return {tables.large.expanded.data(), tables.large.expanded_rows};
}

/// The rows that are expanded in memory, as a matrix of their own; counted.
template <class T>
csr_matrix<T> expand_rows(adaptive_product<T>& x, const problem& p, const context& where) {
  const auto list = expanded_rows(x.tables);
  if (list.count == 0) return {};
  const auto picked = pick_rows<T>(where, x.of.a, list);
  operands o;
  o.a = normal_form(express(scaled(x.of.alpha, picked)));
  o.b = normal_form(express(x.of.b));
  problem part = describe_operands(where, o, {});
  part.operation = operation::spgemm;
  part.explained = p.explained;
  auto rows = std::get<csr_matrix<T>>(spgemm_csr_esc_cuda.spgemm.multiply_once(part, o, where));
  count_picked<T>(where, rows.view(), list, x.tables.offsets.data());
  return rows;
}

/// C with its offsets. Waits for its size.
template <class T>
csr_matrix<T> allocate_result(adaptive_product<T>& x, const problem& p, const context& where) {
  auto& tables = x.tables;
  const index_t nnz = cuda::exclusive_sums(where, tables.offsets);
  const index_t copies = p.kept().keeps_all() ? 1 : 2;
  require_within_limit(p,
                       bytes_to_count(p) + tables.large.bytes() + tables.patterns.bytes() +
                           copies * analysis::csr_bytes(p.result, nnz, p.a.values),
                       formatted("C with {} nonzeros", count_text(nnz)));
  csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
  cuda::copy_indices(where, index_view(tables.offsets.data(), tables.offsets.size()),
                     c.mutable_view().offsets);
  return c;
}

/// Computes all rows but those that are expanded into C, whose rows were counted.
template <class T>
void fill_to(const adaptive_product<T>& x, index_t nnz, const adaptive_target<T>& to,
             const context& where) {
  const auto& tables = x.tables;
  if (tables.terms.listed()) return multiply_by_terms<T>(where, x.of, tables.terms, to);
  if (tables.patterns.found()) return multiply_by_pattern<T>(where, x.of, tables.patterns, nnz, to);
  multiply_sorted_rows<T>(where, x.of, tables.work, tables.large, to);
  multiply_windows<T>(where, x.of, tables.windowed, to);
  multiply_stripes<T>(where, x.of, tables.large, to);
}
template <class T>
void fill(const adaptive_product<T>& x, const csr_view<T>& c, const context& where) {
  fill_to<T>(x, c.nnz(), {nullptr, x.tables.offsets.data(), c.columns, c.values}, where);
}

/// Computes C once, for its columns, and lists the terms of each nonzero. The tables of the rows
/// are then needed no more.
template <class T>
void list_terms_of(adaptive_product<T>& x, index_t nnz, const context& where) {
  auto& tables = x.tables;
  buffer<std::int32_t> columns(nnz, where.memory());
  buffer<T> values(nnz, where.memory());
  const adaptive_target<T> to{nullptr, tables.offsets.data(), index_span(columns.data(), nnz),
                              values.data()};
  fill_to(x, nnz, to, where);
  tables.terms = list_terms(where, x.of.structure(), tables.offsets, std::move(columns));
  tables.patterns = {};
  tables.work.list = {};
  tables.windowed = {};
  tables.large = {};
}

template <class T>
void fill_from(const stage<T>& staged, const adaptive_product<T>& x, const csr_view<T>& c,
               const context& where) {
  const adaptive_target<T> to{nullptr, x.tables.offsets.data(), c.columns, c.values};
  move_rows<T>(where, x.tables.work,
               {staged.places.data(), staged.columns.view(), staged.values.data()}, to);
  multiply_windows<T>(where, x.of, x.tables.windowed, to);
  multiply_stripes<T>(where, x.of, x.tables.large, to);
}

template <class T>
csr_matrix<T> multiply_rows(const problem& p, const operands& o, const context& where) {
  phase_clock clock(where, o.measured);
  const auto moved = [](index_t nonzeros) {
    return static_cast<double>(nonzeros) * static_cast<double>(sizeof(T) + sizeof(std::int32_t));
  };
  adaptive_product<T> x(o, where);
  if (x.empty()) return csr_matrix<T>(p.result, 0, narrowest(p.result, 0), where.memory());
  const bool may_expand = x.of.ordinary() && p.ordinary() && p.options.memory_limit == 0;
  look_at_rows(x, p, where, may_expand ? expansion::allowed : expansion::none);
  clock.mark("analysis", moved(p.a.nnz));
  const bool staged_rows = can_stage<T>(x.tables, p, where);
  stage<T> staged;
  if (staged_rows)
    staged = stage_rows(x, p, where);
  else
    count_sorted_rows(x, where);
  const auto expanded = expand_rows(x, p, where);
  clock.mark(staged_rows ? "compute" : "count", moved(x.tables.sorted_multiplications()));
  auto c = allocate_result(x, p, where);
  clock.mark("allocate C", 0);
  if (staged_rows)
    fill_from(staged, x, c.mutable_view(), where);
  else
    fill(x, c.mutable_view(), where);
  if (expanded.rows() > 0)
    return_rows<T>(where, expanded.view(), expanded_rows(x.tables), x.tables.offsets.data(),
                   c.mutable_view());
  clock.mark("fill C", moved(c.nnz()));
  clock.finish();
  return c;
}

// ---- the kernel ---------------------------------------------------------------------------------

csr_result multiply_once(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  require_within_limit(p, bytes_to_count(p), "counting the nonzeros of C");
  return with_real_type(p.a.values, [&]<class T>() -> csr_result {
    auto c = multiply_rows<T>(p, o, where);
    if (p.kept().keeps_all()) return c;
    return keep_entries<T>(where, std::as_const(c).view(), p.kept());
  });
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  require_within_limit(p, bytes_to_count(p), "counting the nonzeros of C");
  return with_real_type(p.a.values, [&]<class T>() -> state {
    auto x = std::make_shared<adaptive_product<T>>(o, where);
    state prepared{.workspace = x, .spgemm = {.masked = !p.plain()}};
    if (!x->empty()) {
      look_at_rows(*x, p, where, expansion::none);
      count_sorted_rows(*x, where);
      prepared.spgemm.result_nnz = cuda::exclusive_sums(where, x->tables.offsets);
    }
    const index_t nnz = prepared.spgemm.result_nnz;
    if (nnz > 0 && should_list_terms(*x, nnz, p, where)) list_terms_of(*x, nnz, where);
    prepared.bytes = x->bytes();
    require_within_limit(p,
                         std::max(bytes_to_count(p), x->bytes()) + x->tables.large.bytes() +
                             analysis::csr_bytes(p.result, nnz, p.a.values),
                         formatted("C with {} nonzeros", count_text(nnz)));
    return prepared;
  });
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  visit_real(
      [&]<class T>(const csr_view<T>& c) {
        auto& x = prepared.workspace_as<adaptive_product<T>>();
        // The launches of one call follow one another on the stream, whoever else runs the plan.
        const std::lock_guard alone(x.guard);
        x.read(o, where);
        cuda::copy_indices(where, index_view(x.tables.offsets.data(), x.tables.offsets.size()),
                           c.offsets);
        if (!x.empty()) fill(x, c, where);
      },
      *o.sparse);
}

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  return {.possible = true,
          .run_seconds = 10 * costs::device_launch + 2 * costs::device_wait +
                         costs::device_adaptive_product * costs::expected_products(p),
          .bytes = bytes_to_count(p) + analysis::csr_bytes(p.result, 0, p.a.values),
          .because = "repeated rows by patterns, others sorted or summed in windows of columns"};
}

}  // namespace

extern const kernel spgemm_csr_adaptive_cuda;
const kernel spgemm_csr_adaptive_cuda{
    .id = id,
    .summary =
        "repeated rows by patterns; others sorted by threads, warps or blocks, or in windows",
    .reference = "docs/kernels/spgemm-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .parameters = parameters,
    .spgemm = {.multiply_once = multiply_once, .multiply_once_masked = multiply_once}};

}  // namespace gossamer
