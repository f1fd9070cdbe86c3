// Checks that the arrays of a view have the sizes its shape implies. Reads no array, so it costs
// nothing and works for device memory too.
#pragma once

#include <string>

#include "gossamer/views.hpp"

namespace gossamer {

/// Empty when valid; otherwise what was found and what was expected.
template <class T>
std::string size_problem(const csr_view<const T>& a);
template <class T>
std::string size_problem(const csc_view<const T>& a);
template <class T>
std::string size_problem(const coo_view<const T>& a);
template <class T>
std::string size_problem(const ell_view<const T>& a);
template <class T>
std::string size_problem(const sellp_view<const T>& a);
template <class T>
std::string size_problem(const hyb_view<const T>& a);
template <class T>
std::string size_problem(const dense_view<const T>& a);

/// Empty when the first and last offset of a host view fit its arrays; otherwise what was found.
/// Reads two numbers, so that every call can afford it: offsets that start at 1, and those of a
/// range of rows that were not rebased, would make kernels read elsewhere. Formats without offsets,
/// and views on a device, have no problem.
std::string ends_problem(index_view offsets, index_t expected, std::string_view what);
template <class View>
std::string ends_problem(const View& a) {
  if (a.where != memory::host) return {};
  if constexpr (requires { a.columns, a.offsets; })
    return ends_problem(a.offsets, a.nnz(), "columns");
  else if constexpr (requires { a.rows, a.offsets; })
    return ends_problem(a.offsets, a.nnz(), "rows");
  else if constexpr (requires { a.slice_offsets; })
    return ends_problem(a.slice_offsets, a.columns.size() / a.slice, "columns per row of a slice");
  else
    return {};
}

/// Offsets of a host view without rows (or columns, or slices) that has none: kernels read the
/// first of them even so. Default-constructed views and moved-from owners are such views.
template <class View>
View with_offsets(View a) {
  static constexpr std::int32_t no_offsets[1] = {0};
  if (a.where != memory::host) return a;
  if constexpr (requires { a.offsets; }) {
    if (a.offsets.size() == 0) a.offsets = {no_offsets, 1};
  } else if constexpr (requires { a.slice_offsets; }) {
    if (a.slice_offsets.size() == 0) a.slice_offsets = {no_offsets, 1};
  }
  return a;
}

}  // namespace gossamer
