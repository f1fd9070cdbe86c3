// Sorted columns, and duplicates added up. Rows are independent of each other.
#include "base/insertion_sort.hpp"
#include "base/refused_memory.hpp"
#include "convert/arrays.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/readable.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

namespace {

/// Sorts one row by column, stably; scratch memory is reused from row to row.
template <class J, class T>
class row_sorter {
 public:
  void operator()(J* columns, T* values, index_t length) {
    if (std::is_sorted(columns, columns + length)) return;
    constexpr index_t few = 24;  // insertion wins up to about here; no record of it
    if (length <= few)
      insertion_sort(columns, values, length);
    else
      sort_copy(columns, values, length);
  }

 private:
  struct entry {
    J column;
    T value;
  };

  void sort_copy(J* columns, T* values, index_t length) {
    scratch_.resize(static_cast<std::size_t>(length));
    for (index_t k = 0; k < length; ++k) scratch_[k] = {columns[k], values[k]};
    std::stable_sort(scratch_.begin(), scratch_.end(),
                     [](const entry& a, const entry& b) { return a.column < b.column; });
    for (index_t k = 0; k < length; ++k) {
      columns[k] = scratch_[k].column;
      values[k] = scratch_[k].value;
    }
  }

  std::vector<entry> scratch_;
};

/// f(p) for the first entry of every run of equal columns in [begin, end).
template <class J, class F>
void for_each_run(const J* columns, index_t begin, index_t end, F&& f) {
  for (index_t p = begin; p < end; ++p)
    if (p == begin || columns[p] != columns[p - 1]) f(p);
}

}  // namespace

template <scalar T>
csr_matrix<T> transpose(const context& where, const csr_view<const T>& a) try {
  return convert<csr_matrix<T>>(where, transposed(a));
} catch (const std::bad_alloc&) {
  refuse_memory("a copy");
}

template <scalar T>
csr_matrix<T> sort_columns(const context& where, const csr_view<const T>& a) try {
  if (where.backend() == backend::cuda) return cuda::sort_columns(where, convertible(where, a));
  auto result = convert<csr_matrix<T>>(where, a);
  const auto out = result.mutable_view();
  with_width(out.columns.width(), [&]<class J>() {
    J* const columns = out.columns.template as<J>().data();
    parallel_rows(where.threads(), out.offsets, [&](index_t begin, index_t end) {
      row_sorter<J, T> sort;
      for (index_t i = begin; i < end; ++i) {
        const index_t first = out.offsets[i];
        sort(columns + first, out.values + first, out.offsets[i + 1] - first);
      }
    });
  });
  return result;
} catch (const std::bad_alloc&) {
  refuse_memory("a copy");
}

template <scalar T>
csr_matrix<T> sum_duplicates(const context& where, const csr_view<const T>& a) try {
  if (where.backend() == backend::cuda) return cuda::sum_duplicates(where, convertible(where, a));
  auto sorted = sort_columns(where, a);
  const auto from = std::as_const(sorted).view();
  buffer<index_t> sums(a.shape.rows + 1, where.memory());
  return with_width(from.columns.width(), [&]<class J>() -> csr_matrix<T> {
    const J* const columns = detail::raw<J>(from.columns);
    parallel_rows(where.threads(), from.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        sums[i] = 0;
        for_each_run(columns, from.offsets[i], from.offsets[i + 1], [&](index_t) { ++sums[i]; });
      }
    });
    prefix_sums(where.threads(), sums.span());
    if (sums[a.shape.rows] == from.nnz()) return std::move(sorted);

    compressed<T> result(where, a.shape, {sums.data(), sums.size()});
    J* const out = raw<J>(result.indices);
    parallel_rows(where.threads(), from.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        index_t at = sums[i];
        const index_t last = from.offsets[i + 1];
        for_each_run(columns, from.offsets[i], last, [&](index_t p) {
          out[at] = columns[p];
          T sum = from.values[p];
          for (index_t q = p + 1; q < last && columns[q] == columns[p]; ++q) sum += from.values[q];
          result.values[at++] = sum;
        });
      }
    });
    return as_csr(a.shape, std::move(result));
  });
} catch (const std::bad_alloc&) {
  refuse_memory("a copy");
}

#define GOSSAMER_INSTANTIATE(T)                                                  \
  template csr_matrix<T> transpose(const context&, const csr_view<const T>&);    \
  template csr_matrix<T> sort_columns(const context&, const csr_view<const T>&); \
  template csr_matrix<T> sum_duplicates(const context&, const csr_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
