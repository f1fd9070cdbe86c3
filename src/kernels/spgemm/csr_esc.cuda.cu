// C = alpha A B by expansion, sorting and compression on a device, the reference algorithm of
// Dalton, Bell and Olson 2015: slices of rows of A whose multiplications fit the workspace are
// written out, sorted by column and then by row (radix sorts of no more bits than the shape needs),
// and runs of equal places are added up. Every nonzero is summed in the order of its
// multiplications, so that results are those of the serial reference, bit by bit, whatever the
// slices. Operands by columns are converted to rows first.
#include <mutex>
#include <optional>

#include "analysis/format_sizes.hpp"
#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/bits.hpp"
#include "kernels/spgemm/cuda/device_rows.hpp"
#include "kernels/spgemm/cuda/esc/slice_product.cuh"
#include "kernels/spgemm/cuda/limit_refusal.hpp"
#include "kernels/spgemm/cuda/phase_clock.hpp"
#include "plan/device_sparse_costs.hpp"
#include "plan/kernel.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

namespace {

using namespace device;

constexpr std::string_view id = "spgemm/csr/esc/cuda", parameters = "products";

/// Multiplications of a slice: half a gigabyte of workspace, and enough to keep a device busy.
constexpr index_t usual_products = index_t{1} << 24;
/// Smaller slices than this are not cut for a limit: launches would take longer than the work.
constexpr index_t fewest_products = index_t{1} << 16;
/// Multiplications of a slice are numbered in 32 bits.
constexpr index_t most_products = (index_t{1} << 32) - 2;

index_t offsets_bytes(const problem& p) { return (p.result.rows + 1) * index_t{sizeof(index_t)}; }

/// The operands by rows, what was counted of them, and the offsets of C.
template <class T>
struct esc_operands {
  device_rows<T> a, b;
  csr_view<const T> a_rows, b_rows;  ///< of the call that prepared them
  row_products products;
  buffer<index_t> offsets;
  bool conjugate_a = false, conjugate_b = false;

  esc_operands(const operands& o, const context& where)
      : a(where, o.a),
        b(where, o.b),
        a_rows(a.view(where, o.a)),
        b_rows(b.view(where, o.b)),
        offsets(a_rows.shape.rows + 1, where.memory()) {
    conjugate(o);
    offsets.set(0);
    if (a_rows.nnz() > 0 && b_rows.nnz() > 0)
      products = count_row_products(where, a_rows.offsets, a_rows.columns, b_rows.offsets);
  }
  /// Which operands are read as their conjugates; a plan takes either.
  void conjugate(const operands& o) {
    conjugate_a = std::get<expression<T>>(o.a).conjugated;
    conjugate_b = std::get<expression<T>>(o.b).conjugated;
  }
  esc_factors<T> factors() const {
    esc_factors<T> f(a_rows, b_rows, products);
    f.conjugate_a = conjugate_a;
    f.conjugate_b = conjugate_b;
    return f;
  }
  /// Device memory of all but the slices; cutting them is counted in.
  index_t bytes() const {
    return a.bytes() + b.bytes() + products.bytes() + offsets.size() * index_t{sizeof(index_t)} +
           cutting_bytes;
  }
  std::vector<row_cut> cut(const context& where, index_t most) const {
    if (products.total == 0) return {};
    return cut_rows(where, products, a_rows.offsets, most);
  }
  /// The end of the nonzeros of the rows before this one. Waits.
  index_t offset_of(const context& where, index_t row) const {
    index_t found = 0;
    cuda::copy_bytes(where, &found, offsets.data() + row, sizeof found, cuda::direction::to_host);
    return found;
  }
};

/// A product of one pair of types: the steps that multiply_once and plans share.
template <class T, class Key>
struct esc_product {
  using workspace = slice_workspace<T, Key>;
  const problem& p;
  const context& where;
  phase_clock& clock;

  /// Multiplications per slice, with `taken` bytes in use besides the workspace.
  index_t slice_size(const esc_operands<T>& x, index_t taken, std::string_view for_what) const {
    const index_t total = x.products.total, longest = x.products.longest_row;
    if (longest > most_products)
      throw fail(error_kind::not_available,
                 "{}: a row of C takes {} multiplications, and this kernel sorts up to {} at once; "
                 "use another algorithm",
                 id, count_text(longest), count_text(most_products));
    const tuning asked(p.options.tuning, id, parameters);
    const index_t wanted = std::min(asked.number("products", usual_products, 1), most_products);
    const index_t most = std::max(std::min(total, wanted), longest);
    const index_t limit = p.options.memory_limit;
    if (limit == 0) return most;
    const index_t least = std::max(std::min(most, fewest_products), longest);
    const index_t within = workspace::products_within(where, limit - taken, most);
    if (within < least) refuse_limit(p, for_what, taken + workspace::bytes_for(where, least));
    return within;
  }

  void expand_and_sort(const esc_operands<T>& x, row_cut first, row_cut last, workspace& slice,
                       typename workspace::wanted what) const {
    const auto count = static_cast<double>(last.product - first.product);
    slice.expand(where, x.factors(), first, last, what);
    clock.mark("expand", count * (3 * sizeof(Key) + 8 + 2 * sizeof(T)));
    slice.sort(where, first, last, p.result.cols);
    const int passes = 2 + (bits_below(p.result.cols) + bits_below(last.row - first.row)) / 8;
    clock.mark("sort", count * passes * 2 * (sizeof(Key) + 4));
  }

  /// Counts the rows of C, and waits for the number of its nonzeros.
  index_t count(esc_operands<T>& x, const std::vector<row_cut>& cuts, workspace& slice) const {
    const auto what = cuts.size() == 2 ? workspace::wanted::values : workspace::wanted::structure;
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      expand_and_sort(x, cuts[k - 1], cuts[k], slice, what);
      slice.count(where, cuts[k - 1], cuts[k], x.offsets.data());
    }
    return x.offset_of(where, p.result.rows);
  }

  void contract(row_cut first, row_cut last, const workspace& slice,
                const typename workspace::output& to) const {
    slice.contract(where, first, last, to);
    clock.mark("contract", static_cast<double>(last.product - first.product) *
                               static_cast<double>(sizeof(Key) + 8 + sizeof(T)));
  }

  /// Fills C, whose rows were counted.
  void fill(const esc_operands<T>& x, const std::vector<row_cut>& cuts, workspace& slice,
            const csr_view<T>& c, T alpha) const {
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      expand_and_sort(x, cuts[k - 1], cuts[k], slice, workspace::wanted::values);
      contract(cuts[k - 1], cuts[k], slice,
               {c.columns, c.values, x.offsets.data() + cuts[k - 1].row, alpha});
    }
  }

  csr_matrix<T> allocated(const esc_operands<T>& x, index_t nnz) const {
    csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
    const index_view offsets(x.offsets.data(), x.offsets.size());
    cuda::copy_indices(where, offsets, c.mutable_view().offsets);
    return c;
  }

  index_t result_bytes(index_t nnz) const {
    return analysis::csr_bytes(p.result, nnz, value_type_of<T>);
  }

  /// Counts and then fills: no more memory than C and one slice. A single slice is expanded once
  /// where C fits beside it.
  csr_matrix<T> in_two_passes(esc_operands<T>& x, T alpha) const {
    const index_t limit = p.options.memory_limit;
    index_t nnz = 0;
    {
      const index_t size = slice_size(x, x.bytes(), "the largest row of C and its offsets");
      const auto cuts = x.cut(where, size);
      workspace slice(where, size);
      nnz = count(x, cuts, slice);
      const index_t all = x.bytes() + workspace::bytes_for(where, size) + result_bytes(nnz);
      if (cuts.size() <= 2 && (limit == 0 || all <= limit)) {
        auto c = allocated(x, nnz);
        const auto out = c.mutable_view();
        if (cuts.size() == 2)
          contract(cuts[0], cuts[1], slice, {out.columns, out.values, nullptr, alpha});
        return c;
      }
    }
    const index_t size = slice_size(x, x.bytes() + result_bytes(nnz),
                                    formatted("C with {} nonzeros", count_text(nnz)));
    const auto cuts = x.cut(where, size);
    auto c = allocated(x, nnz);
    workspace slice(where, size);
    fill(x, cuts, slice, c.mutable_view(), alpha);
    return c;
  }

  /// Keeps the nonzeros of each slice, and joins them when all are known: C twice for a moment, but
  /// no multiplication is done twice.
  csr_matrix<T> in_pieces(esc_operands<T>& x, const std::vector<row_cut>& cuts, index_t size,
                          T alpha) const {
    struct piece {
      index_t begin;
      index_buffer columns;
      buffer<T> values;
    };
    std::vector<piece> pieces;
    index_t nnz = 0;
    {
      workspace slice(where, size);
      for (std::size_t k = 1; k < cuts.size(); ++k) {
        expand_and_sort(x, cuts[k - 1], cuts[k], slice, workspace::wanted::values);
        slice.count(where, cuts[k - 1], cuts[k], x.offsets.data());
        const index_t end = x.offset_of(where, cuts[k].row);
        auto& now = pieces.emplace_back(
            piece{nnz, index_buffer(end - nnz, narrowest(p.result, 0).indices, where.memory()),
                  buffer<T>(end - nnz, where.memory())});
        contract(cuts[k - 1], cuts[k], slice,
                 {now.columns.view(), now.values.data(), nullptr, alpha});
        nnz = end;
      }
    }
    auto c = allocated(x, nnz);
    const auto out = c.mutable_view();
    for (const auto& one : pieces) join(one.columns.view(), one.values, out, one.begin);
    clock.mark("construct", 2.0 * static_cast<double>(result_bytes(nnz)));
    return c;
  }
  void join(index_view columns, const buffer<T>& values, const csr_view<T>& c,
            index_t begin) const {
    const index_t width = bytes(columns.width());
    cuda::copy_bytes(where, static_cast<char*>(c.columns.data()) + begin * width, columns.data(),
                     static_cast<std::size_t>(columns.size() * width), cuda::direction::on_device);
    cuda::copy_bytes(where, c.values + begin, values.data(),
                     sizeof(T) * static_cast<std::size_t>(values.size()),
                     cuda::direction::on_device);
  }

  csr_matrix<T> multiply(const operands& o) const {
    esc_operands<T> x(o, where);
    clock.mark("analysis", costs::sparse_bytes(p.a) + 8.0 * static_cast<double>(p.a.nnz));
    const T alpha = times(alpha_of<T>(o.a), alpha_of<T>(o.b));
    if (p.options.memory_limit > 0) return in_two_passes(x, alpha);
    const index_t size = slice_size(x, 0, "");
    const auto cuts = x.cut(where, size);
    if (cuts.size() <= 2) return in_two_passes(x, alpha);
    try {
      return in_pieces(x, cuts, size, alpha);
    } catch (const error& e) {
      if (e.kind() != error_kind::out_of_memory) throw;
    }
    x.offsets.set(0);
    return in_two_passes(x, alpha);
  }
};

/// Calls f.operator()<T, Key>() for the value type, and the narrowest keys that hold the columns.
template <class F>
decltype(auto) with_types(const problem& p, F&& f) {
  const bool narrow = narrowest(p.result, 0).indices == index_width::i32;
  return with_value_type(p.a.values, [&]<class T>() -> decltype(auto) {
    return narrow ? f.template operator()<T, std::uint32_t>()
                  : f.template operator()<T, std::uint64_t>();
  });
}

csr_result multiply_once(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  return with_types(p, [&]<class T, class Key>() -> csr_result {
    phase_clock clock(where, o.measured);
    csr_result c = esc_product<T, Key>{p, where, clock}.multiply(o);
    clock.finish();
    return c;
  });
}

/// What a plan keeps. All of it is workspace: runs gather values of operands by columns there, too.
template <class T, class Key>
struct esc_plan {
  problem planned;
  esc_operands<T> x;
  std::vector<row_cut> cuts;
  std::optional<slice_workspace<T, Key>> slice;
  std::mutex queueing;  ///< the launches of one run follow one another, whoever else runs the plan

  esc_plan(const problem& p, const operands& o, const context& where) : planned(p), x(o, where) {}
};

template <class T, class Key>
state prepare_typed(const problem& p, const operands& o, const context& where) {
  state prepared;
  phase_clock clock(where, p.explained ? &prepared.phases : nullptr);
  const esc_product<T, Key> product{p, where, clock};
  auto plan = std::make_shared<esc_plan<T, Key>>(p, o, where);
  auto& x = plan->x;
  clock.mark("analysis", costs::sparse_bytes(p.a) + 8.0 * static_cast<double>(p.a.nnz));
  index_t size = product.slice_size(x, x.bytes(), "the largest row of C and its offsets");
  plan->cuts = x.cut(where, size);
  plan->slice.emplace(where, size);
  const index_t nnz = product.count(x, plan->cuts, *plan->slice);
  const index_t fitting = product.slice_size(x, x.bytes() + product.result_bytes(nnz),
                                             formatted("C with {} nonzeros", count_text(nnz)));
  if (fitting != size) {
    size = fitting;
    plan->slice.reset();
    plan->cuts = x.cut(where, size);
    plan->slice.emplace(where, size);
  }
  clock.finish();
  prepared.bytes = x.bytes() + slice_workspace<T, Key>::bytes_for(where, size);
  prepared.spgemm.result_nnz = nnz;
  prepared.workspace = std::move(plan);
  return prepared;
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  return with_types(p, [&]<class T, class Key>() { return prepare_typed<T, Key>(p, o, where); });
}

template <class T>
void run_typed(const state& prepared, const operands& o, const context& where) {
  const auto& c = std::get<csr_view<T>>(*o.sparse);
  const bool narrow = narrowest(c.shape, 0).indices == index_width::i32;
  const auto fill = [&]<class Key>() {
    auto& plan = prepared.workspace_as<esc_plan<T, Key>>();
    const std::lock_guard one_at_a_time(plan.queueing);
    phase_clock clock(where, nullptr);
    plan.x.a_rows = plan.x.a.view(where, o.a);
    plan.x.b_rows = plan.x.b.view(where, o.b);
    plan.x.conjugate(o);
    cuda::copy_indices(where, index_view(plan.x.offsets.data(), plan.x.offsets.size()), c.offsets);
    const T alpha = times(alpha_of<T>(o.a), alpha_of<T>(o.b));
    esc_product<T, Key>{plan.planned, where, clock}.fill(plan.x, plan.cuts, *plan.slice, c, alpha);
  };
  if (narrow)
    fill.template operator()<std::uint32_t>();
  else
    fill.template operator()<std::uint64_t>();
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  std::visit([&]<class T>(const expression<T>&) { run_typed<T>(prepared, o, where); }, o.a);
}

bool is_compressed(const operand_facts& o) {
  return o.format == format::csr || o.format == format::csc;
}

/// What is known of the memory before a look at the operands: conversions, the multiplications of
/// rows and nonzeros, and the offsets of C.
index_t least_bytes(const problem& p) {
  const auto a = device_row_bytes(p.a), b = device_row_bytes(p.b);
  const index_t counting = a.held + b.held + offsets_bytes(p) + cutting_bytes +
                           row_products_peak(p.a.shape.rows, p.a.nnz);
  return std::max({a.peak, a.held + b.peak, counting}) +
         analysis::csr_bytes(p.result, 0, p.a.values);
}

verdict consider(const problem& p, const machine&) {
  if (!is_compressed(p.a) || !is_compressed(p.b)) return {.because = "takes CSR and CSC"};
  return {.possible = true,
          .run_seconds = 10 * costs::device_launch + 3 * costs::device_wait +
                         costs::device_esc_product * costs::expected_products(p),
          .bytes = least_bytes(p),
          .because = "sorts every multiplication in device memory, as published"};
}

}  // namespace

extern const kernel spgemm_csr_esc_cuda;
const kernel spgemm_csr_esc_cuda{
    .id = id,
    .summary = "expansion, two radix sorts and contraction over slices of rows",
    .reference = "Dalton, Bell, Olson 2015 (reference ESC)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .parameters = parameters,
    .spgemm = {.multiply_once = multiply_once},
    .values = taken_values::all};

}  // namespace gossamer
