// Drives conversions: any source to compressed rows, compressed rows to any target. CSR is both
// without a copy; CSC is the compressed rows of the transpose; dense goes to dense directly.
// Transposed sources are relabelled first, which is free for most formats.
#include "gossamer/convert.hpp"

#include "convert/from_rows.hpp"
#include "convert/readable.hpp"
#include "convert/to_rows.hpp"

namespace gossamer {

namespace {

/// A source ready to be read: op(A) as a view, and the storage it borrows if a copy was needed.
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

template <scalar T>
extents shape_of(const any_view<const T>& view) {
  return std::visit([](const auto& a) { return a.shape; }, view);
}

template <scalar T, scalar From>
csr_matrix<T> make(std::type_identity<csr_matrix<T>>, const context& where,
                   const source<From>& from, const convert_options&) {
  return as_csr(shape_of<From>(from.view), to_rows<T>(where, from.view, from.alpha));
}

template <scalar T, scalar From>
csc_matrix<T> make(std::type_identity<csc_matrix<T>>, const context& where,
                   const source<From>& from, const convert_options&) {
  csr_matrix<From> storage;
  auto columns = to_rows<T>(where, flipped(where, from.view, storage), from.alpha);
  return {shape_of<From>(from.view), std::move(columns.offsets), std::move(columns.indices),
          std::move(columns.values)};
}

/// Calls f with the source as compressed rows; only a CSR source is read in place.
template <scalar From, class F>
auto with_rows(const context& where, const source<From>& from, F&& f) {
  if (const auto* rows = std::get_if<csr_view<const From>>(&from.view))
    return f(scaled_rows<From>{*rows, from.alpha});
  const auto rows = as_csr(shape_of<From>(from.view), to_rows<From>(where, from.view, From{1}));
  return f(scaled_rows<From>{rows.view(), from.alpha});
}

template <scalar T, scalar From>
coo_matrix<T> make(std::type_identity<coo_matrix<T>>, const context& where,
                   const source<From>& from, const convert_options&) {
  return with_rows(where, from, [&](const auto& rows) { return to_coo<T>(where, rows); });
}

template <scalar T, scalar From>
ell_matrix<T> make(std::type_identity<ell_matrix<T>>, const context& where,
                   const source<From>& from, const convert_options& how) {
  return with_rows(where, from, [&](const auto& rows) { return to_ell<T>(where, rows, how); });
}

template <scalar T, scalar From>
sellp_matrix<T> make(std::type_identity<sellp_matrix<T>>, const context& where,
                     const source<From>& from, const convert_options& how) {
  return with_rows(where, from, [&](const auto& rows) { return to_sellp<T>(where, rows, how); });
}

template <scalar T, scalar From>
hyb_matrix<T> make(std::type_identity<hyb_matrix<T>>, const context& where,
                   const source<From>& from, const convert_options& how) {
  return with_rows(where, from, [&](const auto& rows) { return to_hyb<T>(where, rows, how); });
}

template <scalar T, scalar From>
dense_matrix<T> make(std::type_identity<dense_matrix<T>>, const context& where,
                     const source<From>& from, const convert_options& how) {
  if (const auto* dense = std::get_if<dense_view<const From>>(&from.view))
    return copy_dense<T>(where, *dense, from.alpha, how.order);
  return with_rows(where, from, [&](const auto& rows) { return to_dense<T>(where, rows, how); });
}

}  // namespace

namespace detail {

template <class To, scalar From>
To convert_expression(const context& where, const expression<From>& from,
                      const convert_options& how) {
  return make(std::type_identity<To>{}, where, open(where, from), how);
}

template csr_matrix<float> convert_expression(const context&, const expression<float>&,
                                              const convert_options&);
template csr_matrix<float> convert_expression(const context&, const expression<double>&,
                                              const convert_options&);
template csr_matrix<double> convert_expression(const context&, const expression<float>&,
                                               const convert_options&);
template csr_matrix<double> convert_expression(const context&, const expression<double>&,
                                               const convert_options&);
template csc_matrix<float> convert_expression(const context&, const expression<float>&,
                                              const convert_options&);
template csc_matrix<float> convert_expression(const context&, const expression<double>&,
                                              const convert_options&);
template csc_matrix<double> convert_expression(const context&, const expression<float>&,
                                               const convert_options&);
template csc_matrix<double> convert_expression(const context&, const expression<double>&,
                                               const convert_options&);
template coo_matrix<float> convert_expression(const context&, const expression<float>&,
                                              const convert_options&);
template coo_matrix<float> convert_expression(const context&, const expression<double>&,
                                              const convert_options&);
template coo_matrix<double> convert_expression(const context&, const expression<float>&,
                                               const convert_options&);
template coo_matrix<double> convert_expression(const context&, const expression<double>&,
                                               const convert_options&);
template ell_matrix<float> convert_expression(const context&, const expression<float>&,
                                              const convert_options&);
template ell_matrix<float> convert_expression(const context&, const expression<double>&,
                                              const convert_options&);
template ell_matrix<double> convert_expression(const context&, const expression<float>&,
                                               const convert_options&);
template ell_matrix<double> convert_expression(const context&, const expression<double>&,
                                               const convert_options&);
template sellp_matrix<float> convert_expression(const context&, const expression<float>&,
                                                const convert_options&);
template sellp_matrix<float> convert_expression(const context&, const expression<double>&,
                                                const convert_options&);
template sellp_matrix<double> convert_expression(const context&, const expression<float>&,
                                                 const convert_options&);
template sellp_matrix<double> convert_expression(const context&, const expression<double>&,
                                                 const convert_options&);
template hyb_matrix<float> convert_expression(const context&, const expression<float>&,
                                              const convert_options&);
template hyb_matrix<float> convert_expression(const context&, const expression<double>&,
                                              const convert_options&);
template hyb_matrix<double> convert_expression(const context&, const expression<float>&,
                                               const convert_options&);
template hyb_matrix<double> convert_expression(const context&, const expression<double>&,
                                               const convert_options&);
template dense_matrix<float> convert_expression(const context&, const expression<float>&,
                                                const convert_options&);
template dense_matrix<float> convert_expression(const context&, const expression<double>&,
                                                const convert_options&);
template dense_matrix<double> convert_expression(const context&, const expression<float>&,
                                                 const convert_options&);
template dense_matrix<double> convert_expression(const context&, const expression<double>&,
                                                 const convert_options&);

}  // namespace detail

}  // namespace gossamer
