#include "formats/sizes.hpp"

#include "base/text.hpp"
#include "formats/value_types.hpp"

namespace gossamer {

namespace {

std::string shape_problem(extents shape) {
  constexpr index_t most = std::numeric_limits<index_t>::max() / 2;  // rows + 1 stays safe
  if (shape.rows < 0 || shape.cols < 0)
    return formatted("the shape {} is negative", shape_text(shape));
  if (shape.rows > most || shape.cols > most)
    return formatted("the shape {} goes beyond 2^62", shape_text(shape));
  return {};
}

std::string array_problem(std::string_view what, index_view array, index_t expected) {
  if (array.size() != expected)
    return formatted("{} {} were given, expected {}", array.size(), what, expected);
  if (expected > 0 && array.data() == nullptr)
    return formatted("the {} are a null pointer, expected {}", what, expected);
  return {};
}

std::string values_problem(const void* values, index_t expected) {
  if (expected <= 0 || values != nullptr) return {};
  return formatted("the values are a null pointer, expected {}", expected);
}

std::string width_problem(std::string_view what, index_width found, index_width expected) {
  if (found == expected) return {};
  return formatted("the {} are {}, expected {} as the other indices are", what, name(found),
                   name(expected));
}

/// The first of several findings that is not empty.
template <class... Findings>
std::string first_of(Findings... findings) {
  std::string result;
  ((result.empty() ? void(result = std::move(findings)) : void()), ...);
  return result;
}

/// Checks offsets and indices of a compressed format. An empty offset array is valid for an empty
/// matrix.
std::string compressed_problem(index_view offsets, std::string_view what, index_view indices,
                               index_t major) {
  if (indices.width() == index_width::i64 && offsets.width() == index_width::i32)
    return formatted("the {} are i64 but the offsets i32; expected 32/32, 32/64 or 64/64", what);
  const bool nothing = major == 0 && offsets.size() == 0;
  return first_of(nothing ? std::string() : array_problem("offsets", offsets, major + 1),
                  array_problem(what, indices, indices.size()));
}

/// a * b, or -1 when that does not fit.
index_t product_or_less(index_t a, index_t b) {
  index_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? -1 : result;
}

}  // namespace

template <class T>
std::string size_problem(const csr_view<const T>& a) {
  if (auto problem = shape_problem(a.shape); !problem.empty()) return problem;
  return first_of(compressed_problem(a.offsets, "columns", a.columns, a.shape.rows),
                  values_problem(a.values, a.nnz()));
}

template <class T>
std::string size_problem(const csc_view<const T>& a) {
  if (auto problem = shape_problem(a.shape); !problem.empty()) return problem;
  return first_of(compressed_problem(a.offsets, "rows", a.rows, a.shape.cols),
                  values_problem(a.values, a.nnz()));
}

template <class T>
std::string size_problem(const coo_view<const T>& a) {
  return first_of(shape_problem(a.shape), width_problem("rows", a.rows.width(), a.columns.width()),
                  array_problem("rows", a.rows, a.columns.size()),
                  array_problem("columns", a.columns, a.columns.size()),
                  values_problem(a.values, a.nnz()));
}

template <class T>
std::string size_problem(const ell_view<const T>& a) {
  if (auto problem = shape_problem(a.shape); !problem.empty()) return problem;
  if (a.width < 0 || a.stride < a.shape.rows)
    return formatted(
        "{} places per row at stride {} were given, expected a stride of at least "
        "{} rows",
        a.width, a.stride, a.shape.rows);
  const index_t places = product_or_less(a.width, a.stride);
  if (places < 0) return formatted("{} x {} places do not fit 64 bits", a.width, a.stride);
  return first_of(array_problem("columns", a.columns, places), values_problem(a.values, places));
}

template <class T>
std::string size_problem(const sellp_view<const T>& a) {
  if (auto problem = shape_problem(a.shape); !problem.empty()) return problem;
  if (a.slice < 1) return formatted("slices of {} rows were given, expected 1 or more", a.slice);
  const index_t slices = a.shape.rows == 0 ? 0 : (a.shape.rows - 1) / a.slice + 1;
  return first_of(
      compressed_problem(a.slice_offsets, "columns", a.columns, slices),
      a.row_order.size() == 0
          ? std::string()
          : first_of(
                array_problem("places in the row order", a.row_order, a.shape.rows),
                width_problem("rows of the row order", a.row_order.width(), a.columns.width())),
      values_problem(a.values, a.columns.size()));
}

template <class T>
std::string size_problem(const hyb_view<const T>& a) {
  if (a.shape != a.ell.shape || a.shape != a.coo.shape)
    return formatted("the shape is {}, that of the ELL part {}, that of the COO part {}",
                     shape_text(a.shape), shape_text(a.ell.shape), shape_text(a.coo.shape));
  return first_of(
      size_problem(a.ell), size_problem(a.coo),
      width_problem("columns of the COO part", a.coo.columns.width(), a.ell.columns.width()));
}

template <class T>
std::string size_problem(const dense_view<const T>& a) {
  if (auto problem = shape_problem(a.shape); !problem.empty()) return problem;
  const bool by_rows = a.order == layout::row_major;
  const index_t inner = by_rows ? a.shape.cols : a.shape.rows;
  const index_t outer = by_rows ? a.shape.rows : a.shape.cols;
  if (a.stride < inner)
    return formatted("the {} stride is {}, expected at least {}", name(a.order), a.stride, inner);
  if (product_or_less(a.stride, outer) < 0)
    return formatted("{} x {} values do not fit 64 bits", outer, a.stride);
  return values_problem(a.values, inner == 0 ? 0 : outer);
}

std::string ends_problem(index_view offsets, index_t expected, std::string_view what) {
  if (offsets.size() == 0) return {};
  if (const index_t first = offsets[0]; first != 0)
    return formatted("the offsets begin at {}, expected 0: {}", first,
                     first == 1 ? "they seem to count from 1; subtract 1 from offsets and indices"
                                : "those of a range of rows must be rebased, as slice_rows does");
  if (const index_t last = offsets[offsets.size() - 1]; last != expected)
    return formatted("the offsets end at {}, but there are {} {}", last, expected, what);
  return {};
}

#define GOSSAMER_INSTANTIATE(T)                                  \
  template std::string size_problem(const csr_view<const T>&);   \
  template std::string size_problem(const csc_view<const T>&);   \
  template std::string size_problem(const coo_view<const T>&);   \
  template std::string size_problem(const ell_view<const T>&);   \
  template std::string size_problem(const sellp_view<const T>&); \
  template std::string size_problem(const hyb_view<const T>&);   \
  template std::string size_problem(const dense_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

namespace detail {

void require_as_many_values(extents shape, index_t indices, index_t values) {
  if (indices != values)
    throw fail(error_kind::bad_argument,
               "a view of {} was given {} indices and {} values; expected as many of each",
               shape_text(shape), count_text(indices), count_text(values));
}

}  // namespace detail

}  // namespace gossamer
