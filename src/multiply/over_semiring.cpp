// Rows of A are shared out to threads; each element of the result is one sum in the order of A's
// nonzeros, so that the bits do not depend on the number of threads.
#include "multiply/over_semiring.hpp"

#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/over_semiring.hpp"
#include "multiply/aliasing.hpp"
#include "multiply/checks.hpp"
#include "multiply/options.hpp"
#include "plan/with_semiring.hpp"

namespace gossamer::detail {

namespace {

/// The positions of Y that are written: all, or those that a mask has.
class written_positions {
 public:
  written_positions(const std::optional<pattern>& mask, index_t columns)
      : mask_(mask ? &*mask : nullptr), wanted_(mask ? static_cast<std::size_t>(columns) : 0) {}

  /// Calls f(j) for the columns of row i.
  template <class F>
  void in_row(index_t i, index_t columns, F&& f) {
    if (!mask_) {
      for (index_t j = 0; j < columns; ++j) f(j);
      return;
    }
    std::fill(wanted_.begin(), wanted_.end(), mask_->complemented ? 1 : 0);
    for (index_t p = mask_->offsets[i]; p < mask_->offsets[i + 1]; ++p)
      wanted_[static_cast<std::size_t>(mask_->columns[p])] = mask_->complemented ? 0 : 1;
    for (index_t j = 0; j < columns; ++j)
      if (wanted_[static_cast<std::size_t>(j)]) f(j);
  }

 private:
  const pattern* mask_;
  std::vector<char> wanted_;
};

template <class Semiring, class T>
void multiply_rows(const context& where, const csr_view<const T>& a, const dense_view<const T>& x,
                   const dense_view<const T>* z, const dense_view<T>& y,
                   const std::optional<pattern>& mask) {
  parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
    written_positions positions(mask, y.shape.cols);
    for (index_t i = begin; i < end; ++i)
      positions.in_row(i, y.shape.cols, [&](index_t j) {
        T sum = z ? (*z)(i, j) : Semiring::identity();
        for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
          Semiring::add(sum, Semiring::multiply(a.values[p], x(a.columns[p], j)));
        y(i, j) = sum;
      });
  });
}

template <class T>
void require_unscaled(const operand& o, std::string_view name, semiring over) {
  if (alpha_of<T>(o) != T{1})
    throw fail(error_kind::bad_argument,
               "{} is scaled, but a product over {} or under a mask with a dense result takes "
               "operands as they are",
               describe(facts(o), name), gossamer::name(over));
}

template <class T>
const dense_view<const T>& dense_operand(const operand& o, std::string_view name, semiring over) {
  if (facts(o).format != format::dense)
    throw fail(error_kind::bad_argument,
               "{} must be dense here; leave the output out for a sparse product",
               describe(facts(o), name));
  require_unscaled<T>(o, name, over);
  if (facts(o).conjugated)
    throw fail(error_kind::bad_argument,
               "{} is conjugated, but a product under a mask with a dense result takes dense "
               "operands as they are; conjugate a copy",
               describe(facts(o), name));
  return view_as<dense_view<const T>>(o);
}

template <class T>
void multiply_checked(const context& where, const operand& a, const operand& x, const operand* z,
                      const dense_view<T>& y, const options& how) {
  const auto fa = facts(a), fx = facts(x);
  require_sparse(fa, "A");
  require_same_type(fa, fx, "x");
  if (fa.values != value_type_of<T>)
    throw fail(error_kind::bad_argument, "A holds {} and y holds {}; convert one of them",
               name(fa.values), name(value_type_of<T>));
  require_inner(fa, fx, "x");
  if constexpr (complex_scalar<T>)
    if (how.semiring != semiring::plus_times) require_real(fa, how.semiring);
  const auto& from = dense_operand<T>(x, "x", how.semiring);
  const extents result{fa.shape.rows, fx.shape.cols};
  if (y.shape != result)
    throw fail(error_kind::bad_argument, "the result of A ({}) times x ({}) is {}, but y is {}",
               shape_text(fa.shape), shape_text(fx.shape), shape_text(result), shape_text(y.shape));
  require_unscaled<T>(a, "A", how.semiring);
  require_mask_of(where, how, result);
  const dense_view<const T>* addend = nullptr;
  if (z) {
    require_same_type(fa, facts(*z), "z");
    addend = &dense_operand<T>(*z, "z", how.semiring);
    if (addend->shape != result)
      throw fail(error_kind::bad_argument, "z is {} and the result {}; expected the same shape",
                 shape_text(addend->shape), shape_text(result));
  }
  if (range_of(y).overlaps(range_of(from)))
    throw fail(error_kind::bad_argument,
               "the output y overlaps x in memory; give it an array of its own");
  const auto rows = rows_of<T>(where, std::get<expression<T>>(a));
  with_semiring<T>(how.semiring, [&]<template <class> class Semiring>() {
    multiply_rows<Semiring<T>>(where, rows.rows, from, addend, y, how.mask);
  });
}

}  // namespace

bool asks_for_semiring(const options& how) {
  return how.semiring != semiring::plus_times || how.mask.has_value();
}

void multiply_over_semiring(const context& where, const operand& a, const operand& x,
                            const operand* z, const dense_target& y, const options& how) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "dense products over {} or under a mask run on the host only; sparse ones run on "
               "devices, too: give x as a sparse matrix of one column",
               name(how.semiring));
  options plain = how;
  plain.semiring = semiring::plus_times;
  plain.mask.reset();
  require_dense_options(plain);
  const operand left = checked_form(a, "A"), right = checked_form(x, "x");
  const operand addend = z ? checked_form(*z, "z") : operand{};
  std::visit(
      [&]<class T>(const dense_view<T>& out) {
        checked_form(express(out), "y");
        multiply_checked<T>(where.with_threads(how.threads), left, right, z ? &addend : nullptr,
                            out, how);
      },
      y);
}

void over_rows(const context& where, index_view offsets,
               const std::function<void(index_t, index_t)>& body) {
  parallel_rows(where.threads(), offsets, body);
}

void require_product(const context& where, extents a, extents b,
                     const std::optional<pattern>& mask) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "semirings of your own run on the host; pass context::openmp()");
  if (a.cols != b.rows)
    throw fail(error_kind::bad_argument,
               "A is {} and B is {}: the columns of A must equal the rows of B ({} against {})",
               shape_text(a), shape_text(b), a.cols, b.rows);
  require_mask_of(where, {.mask = mask}, {a.rows, b.cols});
}

void write_offsets(const std::vector<index_t>& counts, index_span offsets) {
  with_width(offsets.width(), [&]<class O>() {
    O* const to = static_cast<O*>(offsets.data());
    for (std::size_t i = 0; i < counts.size(); ++i) to[i] = static_cast<O>(counts[i]);
  });
}

}  // namespace gossamer::detail
