// For kernels of any sparse format: calls f(A as a typed struct, whether it is transposed).
#pragma once

#include "formats/entries.hpp"
#include "kernels/common/merge_path.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

template <scalar T, class F>
void with_any_sparse(const operand& o, F&& f) {
  const auto& e = std::get<expression<T>>(o);
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (!std::same_as<View, dense_view<const T>>)
          typed(view, [&](const auto& a) { f(a, e.transposed); });
      },
      e.view);
}

/// The range of the format's outermost loop for `part` of `parts`: equal work where offsets give
/// the lengths of its lines, otherwise equal counts.
template <class A>
range part_of_lines(const A& a, index_t part, index_t parts) {
  const index_t lines = major_count(a);
  if constexpr (requires { a.offsets; }) {
    const auto [begin, end] = part_of(lines + a.nnz(), part, parts);
    return {merge_search(begin, a.offsets, lines).row, merge_search(end, a.offsets, lines).row};
  } else {
    return part_of(lines, part, parts);
  }
}

/// Calls f(i, j, a_ij) of op(A) for the range of the storage that belongs to `part` of `parts`.
template <class A, class F>
void for_each_entry_part(const A& a, bool transposed, index_t part, index_t parts, F&& f) {
  const range mine = part_of_lines(a, part, parts);
  if (transposed)
    for_each_entry(a, mine, [&](index_t i, index_t j, auto value) { f(j, i, value); });
  else
    for_each_entry(a, mine, f);
}

}  // namespace gossamer
