// The conductor: check, plan, run. The only file that knows both plans and kernels.
#include "gossamer/multiply.hpp"

#include <algorithm>

#include "analysis/format_sizes.hpp"
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/catalog.hpp"
#include "kernels/spgemm/frame/counted_rows.hpp"
#include "multiply/checks.hpp"
#include "multiply/options.hpp"
#include "plan/inspect.hpp"
#include "plan/plan.hpp"

namespace gossamer::detail {

namespace {

// ---- memory ranges, for aliasing ------------------------------------------------------------

struct bytes_range {
  const char *begin = nullptr, *end = nullptr;
  bool overlaps(const bytes_range& other) const { return begin < other.end && other.begin < end; }
};

template <class T>
bytes_range range_of(const dense_view<T>& v) {
  if (v.shape.rows == 0 || v.shape.cols == 0) return {};
  const auto* begin = reinterpret_cast<const char*>(v.values);
  return {begin, reinterpret_cast<const char*>(&v(v.shape.rows - 1, v.shape.cols - 1) + 1)};
}
template <class T>
bytes_range range_of(const T* values, index_t count) {
  return {reinterpret_cast<const char*>(values), reinterpret_cast<const char*>(values + count)};
}

/// Where the values of a sparse operand lie; index arrays cannot alias values of a dense result
/// in a program that type-checks.
template <class T>
bytes_range values_of(const any_view<const T>& view) {
  return std::visit(
      []<class V>(const V& v) -> bytes_range {
        if constexpr (std::same_as<V, hyb_view<const T>>)
          return range_of(v.ell.values, v.ell.width * v.ell.stride);
        else if constexpr (std::same_as<V, dense_view<const T>>)
          return range_of(v);
        else if constexpr (std::same_as<V, ell_view<const T>> ||
                           std::same_as<V, sellp_view<const T>>)
          return range_of(v.values, v.columns.size());
        else
          return range_of(v.values, v.nnz());
      },
      view);
}

// ---- y = beta z, and z into y ---------------------------------------------------------------

template <class T, class F>
void for_each_element(const dense_view<T>& c, int threads, F&& f) {
  const index_t inner = std::max<index_t>(c.shape.cols, 1);
  parallel_ranges(threads, c.shape.rows, (1 << 15) / inner + 1, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      for (index_t j = 0; j < c.shape.cols; ++j) f(i, j);
  });
}

template <class T>
void scale(const context& where, const dense_view<T>& c, T beta) {
  if (c.where == memory::device) return cuda::scale(where, c, beta);
  for_each_element(c, where.threads(),
                   [&](index_t i, index_t j) { c(i, j) = beta == T{0} ? T{0} : beta * c(i, j); });
}

template <class T>
void bring(const context& where, const dense_view<const T>& z, const dense_view<T>& y) {
  if (y.where == memory::device) return cuda::copy_elements(where, z, y);
  for_each_element(y, where.threads(), [&](index_t i, index_t j) { y(i, j) = z(i, j); });
}

/// A call ready to run: operands in normal form, beta on the output itself.
template <class T>
struct prepared_call {
  gossamer::operands operands;
  bool skip_product = false;  // alpha = 0
};

/// Folds the scale of x into A, brings z into y and checks everything that can be wrong.
template <class T>
prepared_call<T> check_dense(const context& where, const operand& a, const operand& x,
                             const operand* z, const dense_view<T>& y) {
  prepared_call<T> call;
  call.operands.a = normal_form(a);
  call.operands.b = normal_form(x);
  call.operands.dense = y;
  const auto fa = facts(call.operands.a), fx = facts(call.operands.b);
  const operand_facts fy{.format = format::dense,
                         .values = value_type_of<T>,
                         .index = {},
                         .shape = y.shape,
                         .where = y.where};
  require_sparse(fa, "A");
  if (fx.format != format::dense)
    throw fail(error_kind::bad_argument,
               "{} must be dense here; leave the output out for a sparse "
               "product",
               describe(fx, "B"));
  require_same_type(fa, fx, "x");
  require_same_type(fa, fy, "y");
  require_inner(fa, fx, "x");
  if (y.shape != extents{fa.shape.rows, fx.shape.cols})
    throw fail(error_kind::bad_argument, "the result of A ({}) times x ({}) is {}, but y is {}",
               shape_text(fa.shape), shape_text(fx.shape),
               shape_text({fa.shape.rows, fx.shape.cols}), shape_text(y.shape));
  require_where(where, fa, "A");
  require_where(where, fx, "x");
  require_where(where, fy, "y");
  auto& ea = std::get<expression<T>>(call.operands.a);
  auto& ex = std::get<expression<T>>(call.operands.b);
  ea.alpha *= std::exchange(ex.alpha, T{1});
  call.skip_product = ea.alpha == T{0};
  const auto output = range_of(y);
  if (output.overlaps(values_of<T>(ex.view)) || output.overlaps(values_of<T>(ea.view)))
    throw fail(error_kind::bad_argument,
               "the output y overlaps {} in memory; a product cannot be computed in place, give it "
               "an array of its own",
               output.overlaps(values_of<T>(ex.view)) ? "x" : "A");
  if (!z) return call;

  const operand addend = normal_form(*z);
  const auto fz = facts(addend);
  require_same_type(fa, fz, "z");
  require_where(where, fz, "z");
  if (fz.format != format::dense || fz.shape != y.shape)
    throw fail(error_kind::bad_argument,
               "{} is added to a result of {}; it must be dense and of "
               "the same shape",
               describe(fz, "z"), shape_text(y.shape));
  const auto& ez = std::get<expression<T>>(addend);
  const auto& source = std::get<dense_view<const T>>(ez.view);
  call.operands.beta = ez.alpha;
  const bool in_place = source.values == y.values && source.row_step() == y.row_step() &&
                        source.col_step() == y.col_step();
  if (in_place || ez.alpha == T{0}) return call;
  if (range_of(source).overlaps(output))
    throw fail(error_kind::bad_argument,
               "z overlaps the output y in memory without being y itself; copy one of them");
  bring(where, source, y);
  return call;
}

/// What the kernels' predictions are about.
const machine& machine_of(const context& where) {
  return where.backend() == backend::cuda ? cuda::machine_of(where.device()) : this_machine();
}

std::shared_ptr<plan::implementation> make_plan(const context& where, problem p, const operands& o,
                                                choice chosen) {
  state prepared = chosen.chosen->prepare ? chosen.chosen->prepare(p, o, where) : state{};
  chosen.why.phases = prepared.phases;
  std::string id(chosen.chosen->id);
  return std::make_shared<plan::implementation>(plan::implementation{
      std::move(p), where, std::move(chosen), std::move(prepared), std::move(id), 0, nullptr});
}

/// A call that keeps no plan is not explained.
enum class use { once, kept };

std::shared_ptr<plan::implementation> make_dense_plan(const context& where, const operands& o,
                                                      const options& how, use used) {
  require_dense_options(how);
  const context here = where.with_threads(how.threads);
  problem p = describe_dense(here, o, how);
  p.explained = used == use::kept;
  choice chosen = choose(p, machine_of(here), all_kernels());
  return make_plan(here, std::move(p), o, std::move(chosen));
}

template <class T>
void run_dense(const plan::implementation& made, const prepared_call<T>& call) {
  if (call.skip_product)
    scale(made.where, std::get<dense_view<T>>(*call.operands.dense),
          call.operands.template beta_as<T>());
  else
    made.chosen.chosen->run(made.state, call.operands, made.where);
}

}  // namespace

// ---- dense results --------------------------------------------------------------------------

void multiply_dense(const context& where, const operand& a, const operand& x, const operand* z,
                    const dense_target& y, const options& how) {
  std::visit(
      [&]<class T>(const dense_view<T>& out) {
        const auto call = check_dense<T>(where, a, x, z, out);
        options once = how;
        once.constant_values = true;  // nobody can change them meanwhile
        run_dense(*make_dense_plan(where, call.operands, once, use::once), call);
      },
      y);
}

plan inspect_dense(const context& where, const operand& a, const operand& x, const operand* z,
                   const dense_target& y, const options& how) {
  return std::visit(
      [&]<class T>(const dense_view<T>& out) {
        return plan(
            make_dense_plan(where, check_dense<T>(where, a, x, z, out).operands, how, use::kept));
      },
      y);
}

void multiply_dense(const plan& prepared, const operand& a, const operand& x, const operand* z,
                    const dense_target& y) {
  const auto& made = prepared.impl();
  if (made.problem.operation == operation::spgemm)
    throw fail(error_kind::bad_argument, "this plan is for a sparse product; use multiply_fill");
  std::visit(
      [&]<class T>(const dense_view<T>& out) {
        const auto call = check_dense<T>(made.where, a, x, z, out);
        require_planned(made.problem, call.operands.a, call.operands.b);
        require_planned_vectors(made.problem, view_as<dense_view<const T>>(call.operands.b), out);
        run_dense(made, call);
      },
      y);
}

// ---- sparse results -------------------------------------------------------------------------

namespace {

operands check_sparse(const context& where, const operand& a, const operand& b) {
  operands o;
  o.a = normal_form(a);
  o.b = normal_form(b);
  const auto fa = facts(o.a), fb = facts(o.b);
  require_sparse(fa, "A");
  require_sparse(fb, "B");
  require_same_type(fa, fb, "B");
  require_inner(fa, fb, "B");
  require_where(where, fa, "A");
  require_where(where, fb, "B");
  require_host_product(where, fa, fb);
  return o;
}

/// Of semirings and masks: C is counted by the kernel itself.
void require_within_limit(const plan::implementation& made) {
  const auto& p = made.problem;
  const index_t needed =
      made.state.bytes + analysis::csr_bytes(p.result, made.state.result_nnz, p.a.values);
  if (p.options.memory_limit == 0 || p.counted || needed <= p.options.memory_limit) return;
  throw fail(error_kind::memory_limit,
             "the product of A ({}) and B ({}) has {} entries and needs {} with its tables, more "
             "than the limit of {}; raise the limit to {} bytes",
             shape_text(p.a.shape), shape_text(p.b.shape), count_text(made.state.result_nnz),
             bytes_text(needed), bytes_text(p.options.memory_limit), needed);
}

std::shared_ptr<plan::implementation> make_sparse_plan(const context& where, operands& o,
                                                       const options& how) {
  const context here = where.with_threads(how.threads);
  problem p = describe_product(here, o, how);
  choice chosen = choose(p, this_machine(), all_kernels());
  auto made = make_plan(here, std::move(p), o, std::move(chosen));
  require_within_limit(*made);
  return made;
}

/// alpha = 0 keeps the structure and never looks at the values of A and B.
template <class T>
void zero_if_alpha_is(const operands& o, const csr_view<T>& c) {
  if (alpha_of<T>(o.a) * alpha_of<T>(o.b) == T{0}) std::fill_n(c.values, c.nnz(), T{0});
}

void run_sparse(const plan::implementation& made, operands& o, const csr_target& c) {
  o.sparse = c;
  made.chosen.chosen->run(made.state, o, made.where);
  std::visit([&](const auto& out) { zero_if_alpha_is(o, out); }, c);
}

/// Filters are part of the kernel's work, or applied to its result.
csr_result product(const context& where, operands& o, const options& how, explanation* why) {
  o.measured = why ? &why->phases : nullptr;
  if (how.memory_limit == 0) {
    const context here = where.with_threads(how.threads);
    problem p = describe_sparse(here, o, how);
    p.explained = why != nullptr;
    choice made = choose(p, this_machine(), all_kernels());
    const kernel& chosen = *made.chosen;
    const auto whole = p.plain() || !chosen.general ? chosen.whole : chosen.general;
    if (whole) {
      if (why) *why = std::move(made.why);
      csr_result c = whole(p, o, here);
      std::visit([&](auto& m) { zero_if_alpha_is(o, m.mutable_view()); }, c);
      return chosen.general ? std::move(c) : filtered(here, std::move(c), how);
    }
  }
  auto made = make_sparse_plan(where, o, how);
  if (why) *why = made->chosen.why;
  csr_result c = with_value_type(made->problem.a.values, [&]<class T>() -> csr_result {
    const index_t nnz = made->state.result_nnz;
    csr_matrix<T> room(made->problem.result, nnz, narrowest(made->problem.result, nnz),
                       where.memory());
    run_sparse(*made, o, room.mutable_view());
    return room;
  });
  if (made->state.general) return c;
  const context here = made->where;
  made.reset();  // filtering needs the room of its tables
  o.counted.reset();
  return filtered(here, std::move(c), how);
}

bool scaled_by_zero(const operands& o) {
  return std::visit(
      [&]<class T>(const expression<T>& a) { return a.alpha * alpha_of<T>(o.b) == T{0}; }, o.a);
}

}  // namespace

csr_result multiply_sparse(const context& where, const operand& a, const operand& b,
                           const options& how, explanation* why) {
  operands o = check_sparse(where, a, b);
  require_sparse_options(where, o, how);
  // What is scaled by 0 is not read, so that no kernel can filter it.
  if (scaled_by_zero(o)) return filtered(where, product(where, o, without_filters(how), why), how);
  return product(where, o, how, why);
}

plan compute_sparse(const context& where, const operand& a, const operand& b, const options& how) {
  require_structural_options(how);
  operands o = check_sparse(where, a, b);
  require_sparse_options(where, o, how);
  options kept = how;
  std::shared_ptr<const held_mask> mask;
  if (how.mask) {
    mask = std::make_shared<const held_mask>(*how.mask);
    kept.mask = mask->view();
  }
  auto made = make_sparse_plan(where, o, kept);
  made->mask = std::move(mask);
  made->structure = structure_fingerprint(o.a, o.b, made->where);
  return plan(std::move(made));
}

void fill_sparse(const plan& prepared, const operand& a, const operand& b, const csr_target& c) {
  const auto& made = prepared.impl();
  if (made.problem.operation != operation::spgemm)
    throw fail(error_kind::bad_argument, "this plan is for {}; use multiply",
               name(made.problem.operation));
  operands o = check_sparse(made.where, a, b);
  require_planned(made.problem, o.a, o.b);
  require_sparse_options(made.where, o, made.problem.options);
  if (made.structure != structure_fingerprint(o.a, o.b, made.where))
    throw fail(
        error_kind::bad_argument,
        "the structure of A or B changed after multiply_compute (same sizes, other indices); "
        "call multiply_compute again");
  std::visit(
      [&]<class T>(const csr_view<T>& out) {
        if (value_type_of<T> != made.problem.a.values)
          throw fail(error_kind::bad_argument, "A holds {} and the result holds {}",
                     name(made.problem.a.values), name(value_type_of<T>));
        if (out.shape != made.problem.result || out.nnz() != made.state.result_nnz)
          throw fail(error_kind::bad_argument,
                     "the result needs room for {} with {} entries, but was given {} with {}",
                     shape_text(made.problem.result), count_text(made.state.result_nnz),
                     shape_text(out.shape), count_text(out.nnz()));
        require_fits(out.shape, out.nnz(), {out.columns.width(), out.offsets.width()});
      },
      c);
  run_sparse(made, o, c);
}

}  // namespace gossamer::detail
