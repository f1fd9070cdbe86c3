// Converts compressed rows to every other format: the second half of every conversion.
#pragma once

#include "convert/arrays.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

/// alpha * a, not yet multiplied out.
template <scalar T>
struct scaled_rows {
  csr_view<const T> a;
  T alpha = 1;
};

template <scalar T, scalar From>
coo_matrix<T> to_coo(const context& where, const scaled_rows<From>& from);
/// Duplicates are added, in order.
template <scalar T, scalar From>
dense_matrix<T> to_dense(const context& where, const scaled_rows<From>& from,
                         const convert_options& how);
template <scalar T, scalar From>
ell_matrix<T> to_ell(const context& where, const scaled_rows<From>& from,
                     const convert_options& how);
template <scalar T, scalar From>
sellp_matrix<T> to_sellp(const context& where, const scaled_rows<From>& from,
                         const convert_options& how);
template <scalar T, scalar From>
hyb_matrix<T> to_hyb(const context& where, const scaled_rows<From>& from,
                     const convert_options& how);

/// The first nonzeros of each row go to ELL, as many as it is wide.
template <scalar T, scalar From>
void fill_ell(const context& where, const scaled_rows<From>& from, ell_matrix<T>& to);

/// Layout and value type may change; zeros and NaN stay as they are.
template <scalar T, scalar From>
dense_matrix<T> copy_dense(const context& where, const dense_view<const From>& from, From alpha,
                           layout order);

}  // namespace gossamer
