// convert(): any source to compressed rows, compressed rows to any target. CSR is both without a
// copy; CSC is the compressed rows of the transpose; dense goes to dense directly. A transposed
// source is first read as another format, which is free for most formats.
#include "gossamer/convert.hpp"

#include "base/refused_memory.hpp"
#include "convert/conversions.hpp"
#include "convert/readable.hpp"
#include "formats/operand.hpp"

namespace gossamer {

namespace {

const conversion_table& host_conversions() {
  static const conversion_table all{enter_to_rows, enter_plain, enter_padded};
  return all;
}

/// The conversions that run where the view lives.
template <scalar T, scalar From>
const conversions<T, From>& conversions_of(const any_view<const From>& view) {
  const auto place = std::visit([](const auto& a) { return a.where; }, view);
  const auto& table = place == memory::device ? cuda::device_conversions() : host_conversions();
  return table.template of<T, From>();
}

template <scalar T>
extents shape_of(const any_view<const T>& view) {
  return std::visit([](const auto& a) { return a.shape; }, view);
}

template <scalar T, scalar From>
compressed<T> to_rows(const context& where, const any_view<const From>& view, From alpha) {
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

template <scalar T, scalar From>
any_matrix<T> to_csr(const context& where, const source<From>& from, const convert_options&) {
  return as_csr(shape_of<From>(from.view), to_rows<T>(where, from.view, from.alpha));
}

template <scalar T, scalar From>
any_matrix<T> to_csc(const context& where, const source<From>& from, const convert_options&) {
  csr_matrix<From> storage;
  auto columns = to_rows<T>(where, flipped(where, from.view, storage), from.alpha);
  return csc_matrix<T>(shape_of<From>(from.view), std::move(columns.offsets),
                       std::move(columns.indices), std::move(columns.values));
}

/// By way of compressed rows; only a CSR source is read in place.
template <scalar T, scalar From, auto FromRows>
any_matrix<T> by_rows(const context& where, const source<From>& from, const convert_options& how) {
  const auto convert_rows = conversions_of<T>(from.view).*FromRows;
  if (const auto* rows = std::get_if<csr_view<const From>>(&from.view))
    return convert_rows(where, {*rows, from.alpha}, how);
  const auto rows = as_csr(shape_of<From>(from.view), to_rows<From>(where, from.view, From{1}));
  return convert_rows(where, {rows.view(), from.alpha}, how);
}

template <scalar T, scalar From>
any_matrix<T> to_dense(const context& where, const source<From>& from, const convert_options& how) {
  if (const auto* dense = std::get_if<dense_view<const From>>(&from.view))
    return conversions_of<T>(from.view).copy_dense(where, *dense, from.alpha, how.order);
  return by_rows<T, From, &conversions<T, From>::to_dense>(where, from, how);
}

/// The conversion to each format, in the order of `format`.
template <scalar T, scalar From>
constexpr any_matrix<T> (*targets[])(const context&, const source<From>&,
                                     const convert_options&) = {
    to_csr<T, From>,
    to_csc<T, From>,
    by_rows<T, From, &conversions<T, From>::to_coo>,
    by_rows<T, From, &conversions<T, From>::to_ell>,
    by_rows<T, From, &conversions<T, From>::to_sellp>,
    by_rows<T, From, &conversions<T, From>::to_hyb>,
    to_dense<T, From>};

}  // namespace

namespace detail {

template <scalar T, scalar From>
any_matrix<T> convert_expression(const context& where, const expression<From>& from, format to,
                                 const convert_options& how) try {
  return targets<T, From>[static_cast<std::size_t>(to)](where, open(where, from), how);
} catch (const std::bad_alloc&) {
  refuse_memory("a conversion");
}

template any_matrix<float> convert_expression(const context&, const expression<float>&, format,
                                              const convert_options&);
template any_matrix<float> convert_expression(const context&, const expression<double>&, format,
                                              const convert_options&);
template any_matrix<double> convert_expression(const context&, const expression<float>&, format,
                                               const convert_options&);
template any_matrix<double> convert_expression(const context&, const expression<double>&, format,
                                               const convert_options&);

}  // namespace detail

}  // namespace gossamer
