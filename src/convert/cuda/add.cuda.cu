// Sorted rows, and sums of them, on a device. A + B needs no merge of one thread: the place of a
// nonzero is its number in its own row, plus the columns of the other row below it, less those that
// both have.
#include "base/bits.hpp"
#include "convert/cuda/device_rows.hpp"
#include "convert/cuda/entries.cuh"
#include "formats/value_types.hpp"

namespace gossamer::cuda {

namespace {

constexpr index_t most_narrow = index_t{1} << 31;

template <class T>
bool has_narrow_keys(const csr_view<const T>& a) {
  return std::max({a.nnz(), a.shape.rows, a.shape.cols}) < most_narrow;
}

/// Two stable sorts, by column and then by row; the offsets are those of `a`.
template <class Key, class T>
compressed<T> sorted_copy(const context& where, const csr_view<const T>& a) {
  const index_t nnz = a.nnz();
  compressed<T> result(where, a.shape, nnz);
  if (a.shape.rows == 0)
    result.offsets.set(0);
  else
    copy_indices(where, a.offsets, result.offsets.view());
  buffer<Key> keys(nnz, where.memory());
  Key* const key = keys.data();
  const index_reader columns(a.columns);
  for_each(where, nnz, "columns to be sorted",
           [=] __device__(index_t p) { key[p] = static_cast<Key>(columns[p]); });
  const auto by_column = order_of(where, std::move(keys), bits_below(a.shape.cols));
  const auto lines = rows_of_entries(where, a.offsets, a.shape, nnz);
  const index_reader line(lines.view());
  const Key* const from = by_column.from.data();
  buffer<Key> rows(nnz, where.memory());
  Key* const row = rows.data();
  for_each(where, nnz, "rows by columns", [=] __device__(index_t i) {
    row[i] = static_cast<Key>(line[static_cast<index_t>(from[i])]);
  });
  const auto by_row = order_of(where, std::move(rows), bits_below(a.shape.rows));
  const Key* const place = by_row.from.data();
  const T* const values = a.values;
  const index_writer out(result.indices.view());
  T* const out_values = result.values.data();
  for_each(where, nnz, "bringing nonzeros in order", [=] __device__(index_t i) {
    const auto at = static_cast<index_t>(from[static_cast<index_t>(place[i])]);
    out.set(i, columns[at]);
    out_values[i] = values[at];
  });
  return result;
}

/// before[p]: different places before nonzero p of sorted rows; returns their number. Whether a
/// nonzero is the first of its place shows in the next element.
template <class T>
index_t number_places(const context& where, const csr_view<const T>& a, buffer<index_t>& before) {
  const auto lines = rows_of_entries(where, a.offsets, a.shape, a.nnz());
  const index_reader line(lines.view()), column(a.columns);
  index_t* const first = before.data();
  for_each(where, a.nnz(), "looking for duplicates", [=] __device__(index_t p) {
    first[p] = p == 0 || line[p] != line[p - 1] || column[p] != column[p - 1];
  });
  return exclusive_sums(where, before);
}

/// Adds up the runs of equal places of sorted rows.
template <class T>
csr_matrix<T> without_duplicates(const context& where, const csr_view<const T>& a, index_t places,
                                 const buffer<index_t>& numbers) {
  compressed<T> result(where, a.shape, places);
  const index_t* const before = numbers.data();
  const index_t nnz = a.nnz();
  const index_reader starts(a.offsets), column(a.columns);
  const index_writer out_starts(result.offsets.view()), out(result.indices.view());
  for_each(where, a.shape.rows + 1, "where rows begin",
           [=] __device__(index_t i) { out_starts.set(i, before[starts[i]]); });
  const T* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, nnz, "adding duplicates", [=] __device__(index_t p) {
    const index_t at = before[p];
    if (before[p + 1] == at) return;
    T sum = values[p];
    for (index_t q = p + 1; q < nnz && before[q + 1] == at + 1; ++q) sum = plus(sum, values[q]);
    out.set(at, column[p]);
    out_values[at] = sum;
  });
  return as_csr(a.shape, std::move(result));
}

/// One operand of a sum on the device.
template <class T>
struct addend {
  index_reader starts, columns, lines;
  const T* values;
  T alpha;
  index_t nnz;

  addend(const scaled_rows<T>& s, index_view lines_of_nonzeros)
      : starts(s.a.offsets),
        columns(s.a.columns),
        lines(lines_of_nonzeros),
        values(s.a.values),
        alpha(s.alpha),
        nnz(s.a.nnz()) {}
  __device__ T value(index_t p) const { return scaled_value(alpha, values[p]); }
  /// The first nonzero of a row whose column is not below `column`, in all of the matrix.
  __device__ index_t first_at(index_t row, index_t column) const {
    index_t low = starts[row], high = starts[row + 1];
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      if (columns[middle] < column)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  __device__ bool has(index_t at, index_t row, index_t column) const {
    return at < starts[row + 1] && columns[at] == column;
  }
};

/// Places that both have, before each nonzero of a; returns their number.
template <class T>
index_t count_common(const context& where, const addend<T>& a, const addend<T>& b,
                     buffer<index_t>& sums) {
  index_t* const common = sums.data();
  for_each(where, a.nnz, "places of both matrices", [=] __device__(index_t p) {
    const index_t row = a.lines[p], column = a.columns[p];
    common[p] = b.has(b.first_at(row, column), row, column);
  });
  return exclusive_sums(where, sums);
}

/// The arrays of a sum, and the places that both matrices have before each nonzero of the first.
template <class T>
struct joined_rows {
  index_writer offsets, columns;
  T* values;
  const index_t* common;

  joined_rows(compressed<T>& to, const buffer<index_t>& common_places)
      : offsets(to.offsets.view()),
        columns(to.indices.view()),
        values(to.values.data()),
        common(common_places.data()) {}
  /// Where nonzero p of the first matrix and nonzero q of the second are, or their row begins: less
  /// what both have before.
  __device__ index_t place(index_t p, index_t q) const { return p + q - common[p]; }
  __device__ void set(index_t at, index_t column, T value) const {
    columns.set(at, column);
    values[at] = value;
  }
};

template <class T>
void join(const context& where, const addend<T>& a, const addend<T>& b, index_t rows,
          const joined_rows<T>& to) {
  for_each(where, rows + 1, "where rows of a sum begin",
           [=] __device__(index_t i) { to.offsets.set(i, to.place(a.starts[i], b.starts[i])); });
  for_each(where, a.nnz, "nonzeros of the first matrix", [=] __device__(index_t p) {
    const index_t row = a.lines[p], column = a.columns[p], q = b.first_at(row, column);
    to.set(to.place(p, q), column,
           b.has(q, row, column) ? plus(a.value(p), b.value(q)) : a.value(p));
  });
  for_each(where, b.nnz, "nonzeros of the second matrix", [=] __device__(index_t q) {
    const index_t row = b.lines[q], column = b.columns[q], p = a.first_at(row, column);
    if (!a.has(p, row, column)) to.set(to.place(p, q), column, b.value(q));
  });
}

}  // namespace

template <scalar T>
csr_matrix<T> sort_columns(const context& where, const csr_view<const T>& a) {
  const device_guard on(where);
  return as_csr(a.shape, has_narrow_keys(a) ? sorted_copy<std::uint32_t>(where, a)
                                            : sorted_copy<std::uint64_t>(where, a));
}

template <scalar T>
csr_matrix<T> sum_duplicates(const context& where, const csr_view<const T>& a) {
  const device_guard on(where);
  auto sorted = cuda::sort_columns(where, a);
  if (a.nnz() == 0) return sorted;
  buffer<index_t> before(a.nnz() + 1, where.memory());
  const auto rows = std::as_const(sorted).view();
  const index_t places = number_places(where, rows, before);
  if (places == a.nnz()) return sorted;
  return without_duplicates(where, rows, places, before);
}

template <scalar T>
csr_matrix<T> add_rows(const context& where, const scaled_rows<T>& a, const scaled_rows<T>& b) {
  const device_guard on(where);
  const extents shape = a.a.shape;
  if (shape.rows == 0) return csr_matrix<T>(shape, 0, narrowest(shape, 0), where.memory());
  const auto a_lines = rows_of_entries(where, a.a.offsets, shape, a.a.nnz());
  const auto b_lines = rows_of_entries(where, b.a.offsets, shape, b.a.nnz());
  const addend<T> left(a, a_lines.view()), right(b, b_lines.view());
  buffer<index_t> common(a.a.nnz() + 1, where.memory());
  const index_t both = count_common(where, left, right, common);
  compressed<T> result(where, shape, a.a.nnz() + b.a.nnz() - both);
  join(where, left, right, shape.rows, joined_rows<T>(result, common));
  return as_csr(shape, std::move(result));
}

index_t add_rows_bytes(extents shape, index_t a_nnz, index_t b_nnz, value_type values) {
  const index_t nnz = a_nnz + b_nnz;
  const widths w = narrowest(shape, nnz);
  const index_t result =
      (shape.rows + 1) * bytes(w.offsets) + nnz * (bytes(w.indices) + bytes(values));
  const index_t common = (a_nnz + 1) * index_t{sizeof(index_t)};
  return result + nnz * bytes(w.indices) + common + nnz / 16 + (1 << 16);
}

#define GOSSAMER_INSTANTIATE(T)                                                    \
  template csr_matrix<T> sort_columns(const context&, const csr_view<const T>&);   \
  template csr_matrix<T> sum_duplicates(const context&, const csr_view<const T>&); \
  template csr_matrix<T> add_rows(const context&, const scaled_rows<T>&, const scaled_rows<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
