// Whole rows move between ranks.
#include "distributed/rows_exchange.hpp"

#include <algorithm>
#include <numeric>

#include "distributed/exchange.hpp"
#include "formats/typed.hpp"

namespace gossamer::mpi {
namespace {

/// The lengths of rows, as they are sent before the rows.
template <real_scalar T>
buffer<index_t> lengths_of(const context& where, const csr_view<const T>& rows) {
  buffer<index_t> lengths(rows.shape.rows, where.memory());
  typed(rows, [&](const auto& r) {
    for (index_t i = 0; i < r.rows; ++i)
      lengths[i] = static_cast<index_t>(r.offsets[i + 1]) - static_cast<index_t>(r.offsets[i]);
  });
  return lengths;
}

/// Nonzeros for each rank.
std::vector<index_t> nonzeros_for(std::span<const index_t> counts, const buffer<index_t>& lengths) {
  std::vector<index_t> nonzeros(counts.size(), 0);
  index_t row = 0;
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (index_t k = 0; k < counts[r]; ++k) nonzeros[r] += lengths[row++];
  return nonzeros;
}

/// Columns in the width they travel and arrive in; the caller's array where it has that width.
template <stored_index I>
const I* columns_as(const context& where, index_view columns, index_buffer& copy) {
  if (columns.width() == width_of<I>) return static_cast<const I*>(columns.data());
  copy = index_buffer(columns.size(), width_of<I>, where.memory());
  I* const to = static_cast<I*>(copy.view().data());
  for (index_t k = 0; k < columns.size(); ++k) to[k] = static_cast<I>(columns[k]);
  return to;
}

template <real_scalar T>
void fill_offsets(csr_matrix<T>& rows, const buffer<index_t>& lengths) {
  const auto to = rows.mutable_view().offsets;
  gossamer::detail::with_widths(rows.index_widths().indices, to.width(), [&]<class I, class O>() {
    O* const offsets = static_cast<O*>(to.data());
    offsets[0] = 0;
    for (index_t i = 0; i < lengths.size(); ++i)
      offsets[i + 1] = static_cast<O>(static_cast<index_t>(offsets[i]) + lengths[i]);
  });
}

}  // namespace

template <real_scalar T>
csr_matrix<T> exchange_rows(const context& where, const communicator& ranks,
                            const csr_view<const T>& rows, std::span<const index_t> counts) {
  exchange of_rows(ranks, counts);
  buffer<index_t> lengths, arriving;
  std::vector<index_t> nonzeros;
  agreed(ranks, [&] {
    lengths = lengths_of(where, rows);
    arriving = buffer<index_t>(of_rows.received(), where.memory());
    nonzeros = nonzeros_for(counts, lengths);
  });
  of_rows.run(lengths.data(), arriving.data());
  exchange of_nonzeros(ranks, nonzeros);
  // The width depends on what all ranks know alike: the number of columns.
  const index_width width = narrowest(rows.shape.cols);
  const extents shape{of_rows.received(), rows.shape.cols};
  const index_t nnz = of_nonzeros.received();
  csr_matrix<T> result;
  index_buffer copy;
  const void* sent = nullptr;
  agreed(ranks, [&] {
    const index_width offsets =
        width == index_width::i64 ? index_width::i64 : narrowest(std::max(nnz, shape.rows));
    result = csr_matrix<T>(shape, nnz, {width, offsets}, where.memory());
    fill_offsets(result, arriving);
    sent = width == index_width::i32
               ? static_cast<const void*>(columns_as<std::int32_t>(where, rows.columns, copy))
               : columns_as<std::int64_t>(where, rows.columns, copy);
  });
  const auto out = result.mutable_view();
  if (width == index_width::i32)
    of_nonzeros.run(static_cast<const std::int32_t*>(sent),
                    static_cast<std::int32_t*>(out.columns.data()));
  else
    of_nonzeros.run(static_cast<const std::int64_t*>(sent),
                    static_cast<std::int64_t*>(out.columns.data()));
  of_nonzeros.run(rows.values, out.values);
  return result;
}

template csr_matrix<float> exchange_rows(const context&, const communicator&,
                                         const csr_view<const float>&, std::span<const index_t>);
template csr_matrix<double> exchange_rows(const context&, const communicator&,
                                          const csr_view<const double>&, std::span<const index_t>);

}  // namespace gossamer::mpi
