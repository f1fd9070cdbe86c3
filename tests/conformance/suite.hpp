// One suite over every kernel of the catalogue, every case and every type. A test is called
// <kernel id>/<case>/<type>, for example spmv/csr/merge/openmp/power_law/f32.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "cases/cases.hpp"
#include "gossamer/gossamer.hpp"
#include "plan/kernel.hpp"

namespace gossamer::conformance {

struct subject {
  const kernel* tested = nullptr;
  const cases::matrix_case* matrix = nullptr;
};

template <class T>
void check_spmv(const subject&);
template <class T>
void check_spmm(const subject&);
template <class T>
void check_spgemm(const subject&);
/// SpGEMM over semirings, under masks, filtered and added to: kernels that say they take it.
template <class T>
void check_masked(const subject&);
/// Products of complex values: kernels that say they take them.
template <class T>
void check_complex(const subject&);
/// Places of a result that check_masked still looks at.
inline constexpr index_t largest_table = 1'000'000;

/// The context a kernel runs under; `threads` only means something to OpenMP.
context context_for(const kernel&, int threads);

inline constexpr widths all_widths[] = {{index_width::i32, index_width::i32},
                                        {index_width::i32, index_width::i64},
                                        {index_width::i64, index_width::i64}};
inline constexpr widths narrow_and_wide[] = {all_widths[0], all_widths[2]};

/// The pairs of a list that this build runs: all of them, or the first (CMakeLists.txt says why).
inline std::span<const widths> tested(std::span<const widths> list) {
  return list.first(std::min<std::size_t>(list.size(), GOSSAMER_MOST_WIDTHS));
}

/// Calls f(A) with the case in the given format (csr and csc in the given widths).
template <class T, class F>
void in_format(const cases::matrix_case& c, format wanted, widths w, F&& f) {
  const auto csr = cases::as_csr<T>(c, w);
  const convert_options free{.slice = 8, .sort_window = 16, .padding_limit = 0};
  switch (wanted) {
    case format::csr: return f(csr);
    case format::csc: return f(convert<csc_matrix<T>>(csr));
    case format::coo: return f(convert<coo_matrix<T>>(csr));
    case format::ell: return f(convert<ell_matrix<T>>(csr, free));
    case format::sellp: return f(convert<sellp_matrix<T>>(csr, free));
    case format::hyb: return f(convert<hyb_matrix<T>>(csr, free));
    case format::dense: return;
  }
}

/// Formats a kernel's id speaks of: its own, or all sparse ones for "any".
std::vector<format> formats_of(const kernel&);

}  // namespace gossamer::conformance
