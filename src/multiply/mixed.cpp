#include "multiply/mixed.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/convert.hpp"
#include "multiply/aliasing.hpp"
#include "multiply/checks.hpp"
#include "multiply/dense_checks.hpp"
#include "multiply/elements.hpp"
#include "multiply/options.hpp"

namespace gossamer::detail {

namespace {

template <class From, class To>
concept widened_to = value_convertible<From, To> && !std::same_as<From, To> &&
                     sizeof(real_of<From>) <= sizeof(real_of<To>);

bool is_narrower(value_type a, value_type b) {
  return with_value_type(a, [&]<class From>() {
    return with_value_type(b, [&]<class To>() { return widened_to<From, To>; });
  });
}

/// Several columns of X at once, so that each nonzero of A is read once for all of them.
constexpr index_t columns_at_once = 8;

template <class T, class S, class I, class O>
void multiply_row(const csr_ref<S, I, O>& a, index_t i, bool conjugated, const T& alpha,
                  const T& beta, const dense_view<const T>& x, const dense_view<T>& y) {
  const index_t columns = y.shape.cols, step = x.col_step();
  for (index_t first = 0; first < columns; first += columns_at_once) {
    const index_t count = std::min(columns_at_once, columns - first);
    std::array<T, columns_at_once> sums{};
    for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) {
      const T value = conjugated_if(conjugated, cast<T>(a.values[p]));
      const T* const from = &x(static_cast<index_t>(a.columns[p]), first);
      for (index_t j = 0; j < count; ++j)
        sums[static_cast<std::size_t>(j)] += times(value, from[j * step]);
    }
    for (index_t j = 0; j < count; ++j) {
      T& to = y(i, first + j);
      const T product = scaled_value(alpha, sums[static_cast<std::size_t>(j)]);
      to = beta == T{0} ? product : product + scaled_value(beta, to);
    }
  }
}

/// alpha A x + beta y of rows.
template <class T, class S>
void multiply_rows(const context& where, const csr_view<const S>& rows, bool conjugated,
                   const T& alpha, const T& beta, const dense_view<const T>& x,
                   const dense_view<T>& y) {
  typed(rows, [&](const auto& a) {
    parallel_rows(where.threads(), rows.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) multiply_row(a, i, conjugated, alpha, beta, x, y);
    });
  });
}

void require_one_way(const context& where, const operand_facts& a, const operand_facts& x,
                     value_type y, const options& how) {
  require_dense_options(how);
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "{} has narrower values than y ({}); such products run on the host, on a device "
               "convert A or y",
               describe(a, "A"), name(y));
  if (!how.algorithm.empty())
    throw fail(
        error_kind::not_available,
        "{} has narrower values than y ({}), for which there is one way to multiply, without "
        "a name; leave the algorithm (\"{}\") out, or convert A",
        describe(a, "A"), name(y), how.algorithm);
  require_sparse(a, "A");
  if (x.format != format::dense || x.values != y)
    throw fail(error_kind::bad_argument,
               "{} was given with a result of {}; expected dense values of {}", describe(x, "x"),
               name(y), name(y));
  require_inner(a, x, "x");
}

template <class T, class S>
void multiply_checked(const context& where, const operand& a, const operand& x, const operand* z,
                      const dense_view<T>& y) {
  const auto fa = facts(a);
  const extents result{fa.shape.rows, facts(x).shape.cols};
  if (y.shape != result)
    throw fail(error_kind::bad_argument, "the result of A ({}) times x ({}) is {}, but y is {}",
               shape_text(fa.shape), shape_text(facts(x).shape), shape_text(result),
               shape_text(y.shape));
  require_where(where, fa, "A");
  require_where(where, facts(x), "x");
  expression<S> left = std::get<expression<S>>(a);
  expression<T> right = std::get<expression<T>>(x);
  const T alpha = times(cast<T>(std::exchange(left.alpha, S{1})), std::exchange(right.alpha, T{1}));
  const bool conjugated = std::exchange(left.conjugated, false);
  const auto output = range_of(y);
  if (output.overlaps(values_of<T>(right.view)) || output.overlaps(values_of<S>(left.view)))
    throw fail(error_kind::bad_argument,
               "the output y overlaps an operand in memory; give it an array of its own");
  dense_matrix<T> turned;
  if (right.conjugated && alpha != T{0}) {
    turned = convert<dense_matrix<T>>(where, right);
    right = express(turned);
  }
  if (z && facts(*z).values != value_type_of<T>)
    throw fail(error_kind::bad_argument, "z holds {} and y holds {}; convert one of them",
               name(facts(*z).values), name(value_type_of<T>));
  const T beta = z ? take_addend(where, *z, y) : T{0};
  if (alpha == T{0}) return scale(where, y, beta);
  multiply_rows<T, S>(where, rows_of<S>(where, left).rows, conjugated, alpha, beta,
                      std::get<dense_view<const T>>(right.view), y);
}

}  // namespace

bool widens(const operand& a, const dense_target& y) {
  return is_narrower(static_cast<value_type>(a.index()), static_cast<value_type>(y.index()));
}

void multiply_widened(const context& given, const operand& a, const operand& x, const operand* z,
                      const dense_target& y, const options& how) {
  const context where = given.with_threads(how.threads);
  const operand left = checked_form(a, "A"), right = checked_form(x, "x");
  std::visit(
      [&]<class T>(const dense_view<T>& out) {
        require_one_way(where, facts(left), facts(right), value_type_of<T>, how);
        checked_form(express(out), "y");
        std::visit(
            [&]<class S>(const expression<S>&) {
              if constexpr (widened_to<S, T>) multiply_checked<T, S>(where, left, right, z, out);
            },
            left);
      },
      y);
}

}  // namespace gossamer::detail
