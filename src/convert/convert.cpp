// convert(): any source to compressed rows, compressed rows to any target. CSR is both without a
// copy; CSC is the compressed rows of the transpose; dense goes to dense directly. A transposed
// source is first read as another format, which is free for most formats.
#include "gossamer/convert.hpp"

#include "base/refused_memory.hpp"
#include "convert/conversions.hpp"
#include "convert/readable.hpp"
#include "convert/values.hpp"
#include "formats/operand.hpp"
#include "formats/value_types.hpp"

namespace gossamer {

namespace {

const conversion_table& host_conversions() {
  static const conversion_table all{enter_to_rows, enter_plain, enter_padded};
  return all;
}

/// The conversions that run where the view lives.
template <scalar T>
const conversions<T>& conversions_of(const any_view<const T>& view) {
  const auto place = std::visit([](const auto& a) { return a.where; }, view);
  const auto& table = place == memory::device ? cuda::device_conversions() : host_conversions();
  return table.template of<T>();
}

template <scalar T>
extents shape_of(const any_view<const T>& view) {
  return std::visit([](const auto& a) { return a.shape; }, view);
}

template <scalar T>
compressed<T> to_rows(const context& where, const any_view<const T>& view, T alpha) {
  return conversions_of<T>(view).to_rows(where, view, alpha);
}

/// The transpose of a view. CSR, CSC, COO and dense are read as another format; the padded formats
/// are first copied to `storage`, which the result then borrows.
template <scalar T>
any_view<const T> flipped(const context& where, const any_view<const T>& view,
                          csr_matrix<T>& storage) {
  const operand free = normal_form(expression<T>{.view = view, .transposed = true});
  if (const auto& named = std::get<expression<T>>(free); !named.transposed) return named.view;
  storage = as_csr(shape_of<T>(view), to_rows<T>(where, view, T{1}));
  return flipped(where, any_view<const T>(storage.view()), storage);
}

/// A source ready to be read: op(A) as a view, and what it borrows if it had to be converted.
template <scalar T>
struct source {
  any_view<const T> view;
  T alpha = 1;
  csr_matrix<T> storage = {};
};

template <scalar T>
source<T> open(const context& where, const expression<T>& from) {
  source<T> result{
      .view = std::visit([&](const auto& a) -> any_view<const T> { return convertible(where, a); },
                         from.view),
      .alpha = from.alpha};
  if (from.transposed) result.view = flipped(where, result.view, result.storage);
  return result;
}

using detail::any_matrix;

template <scalar T>
any_matrix<T> to_csr(const context& where, const source<T>& from, const convert_options&) {
  return as_csr(shape_of<T>(from.view), to_rows<T>(where, from.view, from.alpha));
}

template <scalar T>
any_matrix<T> to_csc(const context& where, const source<T>& from, const convert_options&) {
  csr_matrix<T> storage;
  auto columns = to_rows<T>(where, flipped(where, from.view, storage), from.alpha);
  return csc_matrix<T>(shape_of<T>(from.view), std::move(columns.offsets),
                       std::move(columns.indices), std::move(columns.values));
}

/// By way of compressed rows; only a CSR source is read in place.
template <scalar T, auto FromRows>
any_matrix<T> by_rows(const context& where, const source<T>& from, const convert_options& how) {
  const auto convert_rows = conversions_of<T>(from.view).*FromRows;
  if (const auto* rows = std::get_if<csr_view<const T>>(&from.view))
    return convert_rows(where, {*rows, from.alpha}, how);
  const auto rows = as_csr(shape_of<T>(from.view), to_rows<T>(where, from.view, T{1}));
  return convert_rows(where, {rows.view(), from.alpha}, how);
}

template <scalar T>
any_matrix<T> to_dense(const context& where, const source<T>& from, const convert_options& how) {
  if (const auto* dense = std::get_if<dense_view<const T>>(&from.view))
    return conversions_of<T>(from.view).copy_dense(where, *dense, from.alpha, how.order);
  return by_rows<T, &conversions<T>::to_dense>(where, from, how);
}

/// The conversion to each format, in the order of `format`.
template <scalar T>
constexpr any_matrix<T> (*targets[])(const context&, const source<T>&, const convert_options&) = {
    to_csr<T>,
    to_csc<T>,
    by_rows<T, &conversions<T>::to_coo>,
    by_rows<T, &conversions<T>::to_ell>,
    by_rows<T, &conversions<T>::to_sellp>,
    by_rows<T, &conversions<T>::to_hyb>,
    to_dense<T>};

/// To another value type: dense to dense at once, all others by way of CSR.
template <scalar T, scalar From>
any_matrix<T> with_other_values(const context& where, const expression<From>& from, format to,
                                const convert_options& how) {
  const bool dense = std::holds_alternative<dense_view<const From>>(from.view);
  const format between = dense && to == format::dense ? to : format::csr;
  const auto same = detail::convert_expression<From, From>(where, from, between, how);
  if (between == format::dense)
    return cast_values<T>(where, std::get<dense_matrix<From>>(same).view());
  auto rows = cast_values<T>(where, std::get<csr_matrix<From>>(same).view());
  if (to == format::csr) return rows;
  return detail::convert_expression<T, T>(where, express(rows), to, how);
}

}  // namespace

namespace detail {

template <scalar T, scalar From>
any_matrix<T> convert_expression(const context& where, const expression<From>& from, format to,
                                 const convert_options& how) try {
  if constexpr (!std::same_as<T, From>) {
    return with_other_values<T>(where, from, to, how);
  } else {
    auto source = open(where, from);
    if constexpr (complex_scalar<T>)
      if (from.conjugated) {  // the conjugate of conj(alpha) A
        source.alpha = std::conj(source.alpha);
        auto result = targets<T>[static_cast<std::size_t>(to)](where, source, how);
        conjugate_values(where, result);
        return result;
      }
    return targets<T>[static_cast<std::size_t>(to)](where, source, how);
  }
} catch (const std::bad_alloc&) {
  refuse_memory("a conversion");
}

#define GOSSAMER_INSTANTIATE(T, From)                                                        \
  template any_matrix<T> convert_expression(const context&, const expression<From>&, format, \
                                            const convert_options&);
#define GOSSAMER_FROM_REAL(T) GOSSAMER_INSTANTIATE(T, float) GOSSAMER_INSTANTIATE(T, double)
#define GOSSAMER_FROM_COMPLEX(T) \
  GOSSAMER_INSTANTIATE(T, std::complex<float>) GOSSAMER_INSTANTIATE(T, std::complex<double>)
GOSSAMER_EACH_VALUE(GOSSAMER_FROM_REAL)
GOSSAMER_EACH_COMPLEX(GOSSAMER_FROM_COMPLEX)
#undef GOSSAMER_FROM_COMPLEX
#undef GOSSAMER_FROM_REAL
#undef GOSSAMER_INSTANTIATE

}  // namespace detail

}  // namespace gossamer
