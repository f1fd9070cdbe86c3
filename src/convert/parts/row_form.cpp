// Operands as CSR, and ranges of their rows.
#include "backends/cuda/runtime.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/readable.hpp"
#include "formats/value_types.hpp"
#include "gossamer/structure.hpp"

namespace gossamer::detail {

namespace {

index_t offset_at(const context& where, index_view offsets, index_t i) {
  if (where.backend() != backend::cuda) return offsets[i];
  const auto size = static_cast<std::size_t>(bytes(offsets.width()));
  const auto* const from =
      static_cast<const std::byte*>(offsets.data()) + size * static_cast<std::size_t>(i);
  index_buffer one(1, offsets.width());
  cuda::copy_bytes(where, one.view().data(), from, size, cuda::direction::to_host);
  return std::as_const(one).view()[0];
}

/// Elements [first, first + count) of an array.
index_view part(index_view of, index_t first, index_t count) {
  const auto* const from = static_cast<const std::byte*>(of.data());
  return {from == nullptr ? nullptr : from + first * bytes(of.width()), count, of.width()};
}

}  // namespace

template <scalar T>
row_form<T> rows_of(const context& where, const expression<T>& a) try {
  row_form<T> result;
  const auto* const csr = std::get_if<csr_view<const T>>(&a.view);
  if (csr && !a.transposed && !a.conjugated && a.alpha == T{1}) {
    result.rows = convertible(where, *csr);
  } else {
    result.storage = convert<csr_matrix<T>>(where, a);
    result.rows =
        std::as_const(result.storage).view();  // moving a matrix leaves its arrays in place
  }
  return result;
} catch (const std::bad_alloc&) {
  refuse_memory("a copy");
}

template <scalar T>
sliced_rows<T> slice(const context& where, const csr_view<const T>& from, index_t first,
                     index_t last) try {
  const csr_view<const T> a = convertible(where, from);
  if (first < 0 || last < first || last > a.shape.rows)
    throw fail(
        error_kind::bad_argument,
        "rows {} to {} were asked for, but the matrix is {}: ranges are within 0 and {}, the "
        "end not included",
        first, last, shape_text(a.shape), a.shape.rows);
  sliced_rows<T> result;
  const extents shape{last - first, a.shape.cols};
  if (shape.rows == 0) {
    result.offsets = index_buffer(1, a.offsets.width(), where.memory());
    result.offsets.set(0);
    result.rows =
        csr_view<const T>(shape, result.offsets.view(), part(a.columns, 0, 0), a.values, a.where);
    return result;
  }
  const index_t begin = first == 0 ? 0 : offset_at(where, a.offsets, first);
  const index_t end = last == a.shape.rows ? a.nnz() : offset_at(where, a.offsets, last);
  index_view offsets = part(a.offsets, first, shape.rows + 1);
  if (begin != 0) {
    result.offsets = index_buffer(shape.rows + 1, a.offsets.width(), where.memory());
    const index_span own = result.offsets.view();
    if (where.backend() == backend::cuda)
      cuda::rebase(where, offsets, begin, own);
    else
      with_width(own.width(), [&]<class O>() {
        const O* const old = static_cast<const O*>(offsets.data());
        O* const rebased = static_cast<O*>(own.data());
        parallel_ranges(where.threads(), own.size(), conversion_grain,
                        [&](index_t i, index_t stop) {
                          for (; i < stop; ++i) rebased[i] = old[i] - static_cast<O>(begin);
                        });
      });
    offsets = own;
  }
  result.rows = csr_view<const T>(shape, offsets, part(a.columns, begin, end - begin),
                                  a.values == nullptr ? nullptr : a.values + begin, a.where);
  return result;
} catch (const std::bad_alloc&) {
  refuse_memory("a range of rows");
}

#define GOSSAMER_INSTANTIATE(T)                                       \
  template row_form<T> rows_of(const context&, const expression<T>&); \
  template sliced_rows<T> slice(const context&, const csr_view<const T>&, index_t, index_t);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
