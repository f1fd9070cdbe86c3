#include "multiply/dense_checks.hpp"

#include <utility>

#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "formats/value_types.hpp"
#include "gossamer/convert.hpp"
#include "multiply/aliasing.hpp"
#include "multiply/checks.hpp"
#include "multiply/elements.hpp"

namespace gossamer::detail {

namespace {

/// Formats, types, shapes and memory of A, x and y, which are in normal form.
void require_operands(const context& where, const operand_facts& a, const operand_facts& x,
                      const operand_facts& y) {
  require_sparse(a, "A");
  if (x.format != format::dense)
    throw fail(error_kind::bad_argument,
               "{} must be dense here; leave the output out for a sparse "
               "product",
               describe(x, "B"));
  require_same_type(a, x, "x");
  require_same_type(a, y, "y");
  require_inner(a, x, "x");
  if (y.shape != extents{a.shape.rows, x.shape.cols})
    throw fail(error_kind::bad_argument, "the result of A ({}) times x ({}) is {}, but y is {}",
               shape_text(a.shape), shape_text(x.shape), shape_text({a.shape.rows, x.shape.cols}),
               shape_text(y.shape));
  require_where(where, a, "A");
  require_where(where, x, "x");
  require_where(where, y, "y");
}

template <class T>
void require_sizes(const dense_view<T>& y) {
  if (const auto problem = size_problem(dense_view<const T>(y)); !problem.empty())
    throw fail(error_kind::bad_argument, "y ({}): {}", shape_text(y.shape), problem);
}

template <class T>
void require_apart(const expression<T>& a, const expression<T>& x, const dense_view<T>& y) {
  const auto output = range_of(y);
  if (output.overlaps(values_of<T>(x.view)) || output.overlaps(values_of<T>(a.view)))
    throw fail(error_kind::bad_argument,
               "the output y overlaps {} in memory; a product cannot be computed in place, give it "
               "an array of its own",
               output.overlaps(values_of<T>(x.view)) ? "x" : "A");
}

/// beta of beta * z + alpha A x; z is copied into y unless it is y or not read.
template <class T>
T take_addend(const context& where, const operand_facts& a, const operand& z,
              const dense_view<T>& y) {
  const operand addend = checked_form(z, "z");
  const auto fz = facts(addend);
  require_same_type(a, fz, "z");
  require_where(where, fz, "z");
  if (fz.format != format::dense || fz.shape != y.shape)
    throw fail(error_kind::bad_argument,
               "{} is added to a result of {}; it must be dense and of "
               "the same shape",
               describe(fz, "z"), shape_text(y.shape));
  const auto& ez = std::get<expression<T>>(addend);
  const auto& source = std::get<dense_view<const T>>(ez.view);
  const bool in_place = source.values == y.values && source.row_step() == y.row_step() &&
                        source.col_step() == y.col_step();
  if (in_place && ez.conjugated && ez.alpha != T{0})
    throw fail(error_kind::bad_argument,
               "z is the conjugate of the output y itself; conjugate y first, or give another z");
  if (in_place || ez.alpha == T{0}) return ez.alpha;
  if (range_of(source).overlaps(range_of(y)))
    throw fail(error_kind::bad_argument,
               "z overlaps the output y in memory without being y itself; copy one of them");
  if constexpr (complex_scalar<T>)
    if (ez.conjugated) {
      const auto conjugate = convert<dense_matrix<T>>(where, conjugated(source));
      copy_into(where, conjugate.view(), y);
      return ez.alpha;
    }
  copy_into(where, source, y);
  return ez.alpha;
}

/// Dense times sparse, in the words of the caller: B is dense, A sparse.
void require_turned(const context& where, const operand_facts& b, const operand_facts& a,
                    const operand_facts& c) {
  require_same_type(a, b, "B");
  require_same_type(a, c, "C");
  if (b.shape.cols != a.shape.rows)
    throw fail(error_kind::bad_argument,
               "the dense B is {} and the sparse A is {}: the columns of B must equal the rows of "
               "A ({} against {})",
               shape_text(b.shape), shape_text(a.shape), b.shape.cols, a.shape.rows);
  if (c.shape != extents{b.shape.rows, a.shape.cols})
    throw fail(error_kind::bad_argument, "the result of B ({}) times A ({}) is {}, but C is {}",
               shape_text(b.shape), shape_text(a.shape), shape_text({b.shape.rows, a.shape.cols}),
               shape_text(c.shape));
  require_where(where, a, "A");
  require_where(where, b, "B");
  require_where(where, c, "C");
}

operand turned(const operand& o) {
  return std::visit([](auto e) -> operand { return transposed(e); }, o);
}

template <class T>
dense_view<T> turned(const dense_view<T>& v) {
  const auto order = v.order == layout::row_major ? layout::column_major : layout::row_major;
  return {transposed(v.shape), order, v.stride, v.values, v.where};
}

template <class T>
operand_facts facts_of(const dense_view<T>& v) {
  return {.format = format::dense,
          .values = value_type_of<T>,
          .index = {},
          .shape = v.shape,
          .where = v.where};
}

}  // namespace

template <class T>
checked_call<T> check_dense(const context& where, const operand& a, const operand& x,
                            const operand* z, const dense_view<T>& y) {
  if (facts(a).format == format::dense && facts(x).format != format::dense) {
    require_turned(where, facts(a), facts(x), facts_of(y));
    const operand addend = z ? turned(*z) : operand{};
    auto call = check_dense<T>(where, turned(x), turned(a), z ? &addend : nullptr, turned(y));
    call.operands.turned = true;
    return call;
  }
  checked_call<T> call;
  call.operands.a = checked_form(a, "A");
  call.operands.b = checked_form(x, "x");
  require_sizes(y);
  call.operands.dense = y;
  const auto fa = facts(call.operands.a), fx = facts(call.operands.b);
  require_operands(where, fa, fx, facts_of(y));
  validate_on_device(where, call.operands.a, "A");
  auto& ea = std::get<expression<T>>(call.operands.a);
  auto& ex = std::get<expression<T>>(call.operands.b);
  ea.alpha *= std::exchange(ex.alpha, T{1});
  call.skip_product = ea.alpha == T{0};
  require_apart(ea, ex, y);
  if constexpr (complex_scalar<T>)
    if (ex.conjugated && !call.skip_product) {
      const auto order = std::get<dense_view<const T>>(ex.view).order;
      call.conjugate = std::make_shared<const dense_matrix<T>>(
          convert<dense_matrix<T>>(where, ex, {.order = order}));
      ex = express(*call.conjugate);
    }
  if (z) call.operands.beta = take_addend(where, fa, *z, y);
  return call;
}

#define GOSSAMER_INSTANTIATE(T)                                                        \
  template checked_call<T> check_dense(const context&, const operand&, const operand&, \
                                       const operand*, const dense_view<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
