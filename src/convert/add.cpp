// A + B by merging sorted rows. A CSR operand that is sorted and without duplicates is read in
// place.
#include "backends/cuda/structure.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/merge_rows.hpp"
#include "convert/readable.hpp"
#include "formats/row_order.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

namespace {

/// One operand of the sum: sorted rows without duplicates, and what they are scaled by.
template <scalar T>
struct side {
  csr_view<const T> rows;
  T alpha = 1;
  csr_matrix<T> storage = {};
};

template <scalar T>
extents shape_of(const expression<T>& e) {
  const extents stored = std::visit([](const auto& v) { return v.shape; }, e.view);
  return e.transposed ? transposed(stored) : stored;
}

template <scalar T>
bool can_be_merged(const context& where, const csr_view<const T>& rows) {
  if (where.backend() == backend::cuda) return cuda::is_tidy(where, rows);
  return rows_ascend(where.threads(), rows);
}

template <scalar T>
side<T> open(const context& where, expression<T> e) {
  side<T> opened;
  opened.alpha = std::exchange(e.alpha, T{1});
  if (opened.alpha == T{0}) {
    opened.storage = csr_matrix<T>(shape_of(e), 0, narrowest(shape_of(e), 0), where.memory());
  } else if (const auto* csr = std::get_if<csr_view<const T>>(&e.view);
             csr && !e.transposed && !e.conjugated) {
    const auto rows = convertible(where, *csr);
    if (can_be_merged(where, rows)) {
      opened.rows = rows;
      return opened;
    }
    opened.storage = sum_duplicates(where, rows);
  } else {
    opened.storage = sum_duplicates(where, convert<csr_matrix<T>>(where, e).view());
  }
  opened.rows = std::as_const(opened.storage).view();  // moving a matrix leaves its arrays in place
  return opened;
}

template <scalar T>
void require_sparse(const expression<T>& e, std::string_view name) {
  if (std::holds_alternative<dense_view<const T>>(e.view))
    throw fail(error_kind::bad_argument,
               "{} ({}) is dense; sums are for sparse matrices: convert it to CSR first", name,
               shape_text(shape_of(e)));
}

}  // namespace

namespace detail {

template <scalar T>
csr_matrix<T> add_expressions(const context& where, const expression<T>& a,
                              const expression<T>& b) try {
  require_sparse(a, "A");
  require_sparse(b, "B");
  const extents shape = shape_of(a);
  if (shape != shape_of(b))
    throw fail(error_kind::bad_argument, "A is {} and B is {}: only equal shapes can be added",
               shape_text(shape), shape_text(shape_of(b)));
  const side<T> left = open(where, a), right = open(where, b);
  if (where.backend() == backend::cuda)
    return cuda::add_rows<T>(where, {left.rows, left.alpha}, {right.rows, right.alpha});
  const auto& busier = left.rows.nnz() < right.rows.nnz() ? right.rows : left.rows;
  buffer<index_t> sums(shape.rows + 1, where.memory());
  return with_two_widths(
      left.rows.columns.width(), right.rows.columns.width(), [&]<class I, class J>() {
        const auto over_rows = [&](auto&& body) {
          parallel_rows(where.threads(), busier.offsets, [&](index_t begin, index_t end) {
            for (index_t i = begin; i < end; ++i) body(i);
          });
        };
        over_rows([&](index_t i) {
          index_t count = 0;
          merge_rows<I, J>(left.rows, right.rows, i, [&](index_t, const T*, const T*) { ++count; });
          sums[i] = count;
        });
        prefix_sums(where.threads(), sums.span());
        compressed<T> result(where, shape, {sums.data(), sums.size()});
        with_width(result.indices.width(), [&]<class K>() {
          K* const columns = raw<K>(result.indices);
          over_rows([&](index_t i) {
            index_t at = sums[i];
            merge_rows<I, J>(left.rows, right.rows, i, [&](index_t column, const T* x, const T* y) {
              columns[at] = static_cast<K>(column);
              result.values[at++] =
                  x && y ? scaled_value(left.alpha, *x) + scaled_value(right.alpha, *y)
                  : x    ? scaled_value(left.alpha, *x)
                         : scaled_value(right.alpha, *y);
            });
          });
        });
        return as_csr(shape, std::move(result));
      });
} catch (const std::bad_alloc&) {
  refuse_memory("a sum");
}

#define GOSSAMER_INSTANTIATE(T)                                                \
  template csr_matrix<T> add_expressions(const context&, const expression<T>&, \
                                         const expression<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace detail

}  // namespace gossamer
