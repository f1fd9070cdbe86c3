// Filters over whole matrices: rows are filtered once to be counted and once to be written.
#include "convert/keep.hpp"

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/readable.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"

namespace gossamer {

namespace {

/// A copy of one row, filtered; overwritten by the next one.
template <class I, class T>
class filtered_row {
 public:
  explicit filtered_row(const entry_filter& by) : keep_(by) {}

  index_t take(const csr_view<const T>& a, index_t row) {
    const index_t begin = a.offsets[row], end = a.offsets[row + 1];
    columns.assign(detail::raw<I>(a.columns) + begin, detail::raw<I>(a.columns) + end);
    values.assign(a.values + begin, a.values + end);
    return keep_(columns.data(), values.data(), end - begin);
  }
  std::vector<I> columns;
  std::vector<T> values;

 private:
  row_filter<T> keep_;
};

}  // namespace

void require_valid(const filter& which) {
  if (!(which.magnitude >= 0))
    throw fail(error_kind::bad_argument,
               "keep.magnitude is {}; entries smaller than it are dropped, so it must be a number "
               "that is not negative",
               which.magnitude);
  if (which.largest < 0)
    throw fail(error_kind::bad_argument,
               "keep.largest is {}; it says how many entries of a row stay, 0 for all of them",
               which.largest);
}

template <scalar T>
csr_matrix<T> keep_entries(const context& where, const csr_view<const T>& a,
                           const entry_filter& by) {
  if (where.backend() == backend::cuda) return cuda::keep_entries(where, a, by);
  buffer<index_t> sums(a.shape.rows + 1, where.memory());
  const auto over_rows = [&]<class I>(auto&& body) {
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      filtered_row<I, T> kept(by);
      for (index_t i = begin; i < end; ++i) body(i, kept, kept.take(a, i));
    });
  };
  with_width(a.columns.width(), [&]<class I>() {
    over_rows.template operator()<I>(
        [&](index_t i, const auto&, index_t count) { sums[i] = count; });
  });
  prefix_sums(where.threads(), sums.span());
  compressed<T> result(where, a.shape, {sums.data(), sums.size()});
  with_two_widths(a.columns.width(), result.indices.width(), [&]<class I, class J>() {
    J* const out = raw<J>(result.indices);
    over_rows.template operator()<I>([&](index_t i, const auto& kept, index_t count) {
      for (index_t k = 0; k < count; ++k) {
        out[sums[i] + k] = static_cast<J>(kept.columns[static_cast<std::size_t>(k)]);
        result.values[sums[i] + k] = kept.values[static_cast<std::size_t>(k)];
      }
    });
  });
  return as_csr(a.shape, std::move(result));
}

template <scalar T>
csr_matrix<T> keep(const context& where, const csr_view<const T>& a, const filter& which) try {
  require_valid(which);
  return keep_entries(where, convertible(where, a), {.which = which});
} catch (const std::bad_alloc&) {
  refuse_memory("a filtered copy");
}

template <scalar T>
csr_matrix<T> drop_zeros(const context& where, const csr_view<const T>& a) try {
  return keep_entries(where, convertible(where, a), {.which = {}, .drop_zeros = true});
} catch (const std::bad_alloc&) {
  refuse_memory("a filtered copy");
}

#define GOSSAMER_INSTANTIATE(T)                                                         \
  template csr_matrix<T> keep_entries(const context&, const csr_view<const T>&,         \
                                      const entry_filter&);                             \
  template csr_matrix<T> keep(const context&, const csr_view<const T>&, const filter&); \
  template csr_matrix<T> drop_zeros(const context&, const csr_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
