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

}  // namespace gossamer
