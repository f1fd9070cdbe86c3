// Matrices of random columns with known row lengths: evenly spread nonzeros, one dense row, one
// dense column. Also random vectors.
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "generate/rows.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

void require_shape(std::string_view generator, extents shape) {
  require_at_least(0, generator, "rows", shape.rows);
  require_at_least(0, generator, "cols", shape.cols);
}

void require_room(std::string_view generator, std::string_view parameter, index_t wanted,
                  index_t room, std::string_view where) {
  require_at_least(0, generator, parameter, wanted);
  if (wanted > room)
    throw fail(error_kind::bad_argument, "{}: {} is {}, but {} holds at most {} distinct entries",
               generator, parameter, count_text(wanted), where, count_text(room));
}

}  // namespace

template <real_scalar T>
csr_matrix<T> aspect(const context& where, index_t rows, index_t cols, index_t nnz,
                     std::uint64_t seed, row_share which) try {
  require_host(where, "aspect");
  require_shape("aspect", {rows, cols});
  index_t room = 0;
  if (__builtin_mul_overflow(rows, cols, &room)) room = std::numeric_limits<index_t>::max();
  require_room("aspect", "nnz", nnz, room, formatted("a {} matrix", shape_text({rows, cols})));
  return random_rows<T>(where, {rows, cols}, nnz, seed, which, [&](index_t i) {
    const auto own = part_of(nnz, i, rows);
    return own.end - own.begin;
  });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template <real_scalar T>
csr_matrix<T> one_dense_row(const context& where, extents shape, index_t per_row, index_t dense,
                            std::uint64_t seed, row_share which) try {
  require_host(where, "one_dense_row");
  require_shape("one_dense_row", shape);
  require_room("one_dense_row", "per_row", per_row, shape.cols, "a row");
  require_room("one_dense_row", "dense", dense, shape.cols, "a row");
  const index_t dense_row = shape.rows / 2;
  const index_t nnz =
      shape.rows == 0 ? 0 : times(shape.rows - 1, per_row, "one_dense_row: entries") + dense;
  return random_rows<T>(where, shape, nnz, seed, which,
                        [&](index_t i) { return i == dense_row ? dense : per_row; });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template <real_scalar T>
csr_matrix<T> one_dense_column(const context& where, extents shape, index_t per_row, index_t dense,
                               std::uint64_t seed, row_share which) try {
  require_host(where, "one_dense_column");
  require_shape("one_dense_column", shape);
  const index_t others = std::max<index_t>(shape.cols - 1, 0);
  require_room("one_dense_column", "per_row", per_row, others, "a row without the dense column");
  require_room("one_dense_column", "dense", dense, shape.cols == 0 ? 0 : shape.rows, "a column");
  const index_t dense_column = shape.cols / 2;
  const index_t nnz = times(shape.rows, per_row, "one_dense_column: entries") + dense;
  const random_stream pattern(seed, purpose::pattern), entries(seed, purpose::values);
  const permutation order(shape.rows, random_stream(seed, purpose::dense_rows));
  const auto crosses = [&](index_t i) { return order(i) < dense; };
  return build_share<T>(
      where, shape, nnz, which, [&](index_t i) { return per_row + (crosses(i) ? 1 : 0); },
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch& scratch) {
        using index = typename decltype(columns)::value_type;
        const auto sampled = columns.first(static_cast<std::size_t>(per_row));
        sample_sorted(pattern.of(static_cast<std::uint64_t>(i)), others, sampled, scratch);
        for (auto& column : sampled) column += column >= dense_column ? 1 : 0;
        if (columns.size() > sampled.size()) {
          columns.back() = static_cast<index>(dense_column);
          std::rotate(std::lower_bound(sampled.begin(), sampled.end(), columns.back()),
                      columns.end() - 1, columns.end());
        }
        fill_positive(entries, i, values);
      });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template <real_scalar T>
void fill_random(const context& where, std::span<T> values, std::uint64_t seed) {
  require_host(where, "fill_random");
  const random_stream draws(seed, purpose::vector);
  const auto size = static_cast<index_t>(values.size());
  parallel_ranges(where.threads(), size, 1 << 14, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      values[static_cast<std::size_t>(i)] =
          draws.template centred<T>(static_cast<std::uint64_t>(i));
  });
}

template csr_matrix<float> aspect(const context&, index_t, index_t, index_t, std::uint64_t,
                                  row_share);
template csr_matrix<double> aspect(const context&, index_t, index_t, index_t, std::uint64_t,
                                   row_share);
template csr_matrix<float> one_dense_row(const context&, extents, index_t, index_t, std::uint64_t,
                                         row_share);
template csr_matrix<double> one_dense_row(const context&, extents, index_t, index_t, std::uint64_t,
                                          row_share);
template csr_matrix<float> one_dense_column(const context&, extents, index_t, index_t,
                                            std::uint64_t, row_share);
template csr_matrix<double> one_dense_column(const context&, extents, index_t, index_t,
                                             std::uint64_t, row_share);
template void fill_random(const context&, std::span<float>, std::uint64_t);
template void fill_random(const context&, std::span<double>, std::uint64_t);

}  // namespace gossamer::generate
