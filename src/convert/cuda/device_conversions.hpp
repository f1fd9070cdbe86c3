// Conversions on a device, the twins of to_rows.hpp and from_rows.hpp: the same arrays come out.
// Implemented by the *.cuda.cu files of this folder, or by device_absent.cpp.
#pragma once

#include "convert/from_rows.hpp"
#include "convert/to_rows.hpp"

namespace gossamer::cuda {

template <scalar T, scalar From>
compressed<T> to_rows(const context& where, const any_view<const From>& view, From alpha);

template <scalar T, scalar From>
coo_matrix<T> to_coo(const context& where, const scaled_rows<From>& from);
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
template <scalar T, scalar From>
dense_matrix<T> copy_dense(const context& where, const dense_view<const From>& from, From alpha,
                           layout order);

}  // namespace gossamer::cuda
