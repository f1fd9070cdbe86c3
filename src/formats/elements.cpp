// Single elements of a matrix, and matrices as text.
#include "gossamer/elements.hpp"

#include <algorithm>
#include <ostream>
#include <vector>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "formats/entries.hpp"
#include "formats/operand.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/validate.hpp"

namespace gossamer {

namespace {

/// The part of a format's outermost loop that meets element (i, j).
template <class Ref>
range part_with(const Ref& a, index_t, index_t) {
  return {0, major_count(a)};
}
template <class T, class I, class O>
range part_with(const csr_ref<T, I, O>&, index_t i, index_t) {
  return {i, i + 1};
}
template <class T, class I, class O>
range part_with(const csc_ref<T, I, O>&, index_t, index_t j) {
  return {j, j + 1};
}
template <class T, class I>
range part_with(const ell_ref<T, I>&, index_t i, index_t) {
  return {i, i + 1};
}
template <class T, class I, class O>
range part_with(const sellp_ref<T, I, O>& a, index_t i, index_t) {
  return a.row_order ? range{0, major_count(a)} : range{i, i + 1};
}

template <class View>
typename View::value sum_at(const View& view, index_t i, index_t j) {
  typename View::value sum = 0;
  typed(view, [&](const auto& a) {
    for_each_entry(a, part_with(a, i, j), [&](index_t row, index_t column, auto value) {
      if (row == i && column == j) sum += value;
    });
  });
  return sum;
}
template <class T>
std::remove_const_t<T> sum_at(const dense_view<T>& view, index_t i, index_t j) {
  return view(i, j);
}

std::string summary(const operand_facts& a) {
  auto text = formatted("{} {}, {}", name(a.values), name(a.format), shape_text(a.shape));
  if (a.format != format::dense)
    text += formatted(", {} nonzeros, {} indices, {} offsets", count_text(a.nnz),
                      name(a.index.indices), name(a.index.offsets));
  if (a.where != memory::host) text += ", on a device";
  return text;
}

template <scalar T>
std::string element_text(const T& value) {
  if constexpr (complex_scalar<T>)
    return formatted("{:.5g}{:+.5g}i", value.real(), value.imag());
  else
    return formatted("{:.5g}", value);
}

/// The elements as text, row by row; "." where nothing is stored.
template <scalar T>
std::vector<std::string> cells_of(const expression<T>& a, extents shape) {
  const auto count = static_cast<std::size_t>(shape.rows * shape.cols);
  std::vector<T> sums(count, T{0});
  std::vector<char> stored(count, 0);
  const auto add = [&](index_t i, index_t j, T value) {
    const auto at = static_cast<std::size_t>(i * shape.cols + j);
    sums[at] += value;
    stored[at] = 1;
  };
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (std::same_as<View, dense_view<const T>>) {
          for (index_t i = 0; i < shape.rows; ++i)
            for (index_t j = 0; j < shape.cols; ++j) add(i, j, view(i, j));
        } else {
          for_each_entry(view, add);
        }
      },
      a.view);
  std::vector<std::string> cells;
  for (std::size_t k = 0; k < count; ++k) cells.push_back(stored[k] ? element_text(sums[k]) : ".");
  return cells;
}

}  // namespace

namespace detail {

void require_on_host(extents shape, memory where) {
  if (where != memory::host)
    throw fail(error_kind::bad_argument,
               "the {} matrix lives on a device, where its elements cannot be read one by one; use "
               "copy_to_host first",
               shape_text(shape));
}

template <scalar T>
T element(const expression<T>& a, index_t i, index_t j) {
  const operand normal = checked_form(a, "A");
  const auto known = facts(normal);
  require_on_host(known.shape, known.where);
  if (i < 0 || j < 0 || i >= known.shape.rows || j >= known.shape.cols)
    throw fail(error_kind::bad_argument, "element ({}, {}) was asked for, but the matrix is {}", i,
               j, shape_text(known.shape));
  if (known.transposed) std::swap(i, j);
  const T sum = visit_view<T>(normal, [&](const auto& view) -> T { return sum_at(view, i, j); });
  return scaled_value(alpha_of<T>(normal), conjugated_if(known.conjugated, sum));
}

template <scalar T>
std::ostream& print(std::ostream& out, const expression<T>& a) try {
  constexpr index_t most = 16;  // rows and columns that fit a terminal
  const auto known = facts(a);
  out << summary(known);
  const auto [rows, cols] = known.shape;
  if (known.where != memory::host || rows == 0 || cols == 0 || rows > most || cols > most)
    return out;
  if (const auto report = inspect_structure(operand(a)); !report.valid)
    return out << "\nbroken: " << report.problem;
  const auto cells = cells_of(a, known.shape);
  std::size_t width = 0;
  for (const auto& cell : cells) width = std::max(width, cell.size());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const bool first = k % static_cast<std::size_t>(cols) == 0;
    out << (first ? "\n" : " ") << std::string(width - cells[k].size(), ' ') << cells[k];
  }
  return out;
} catch (const std::bad_alloc&) {
  refuse_memory("a matrix as text");
}

#define GOSSAMER_INSTANTIATE(T)                               \
  template T element(const expression<T>&, index_t, index_t); \
  template std::ostream& print(std::ostream&, const expression<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace detail

}  // namespace gossamer
