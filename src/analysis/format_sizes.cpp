#include "analysis/format_sizes.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/chunks.hpp"
#include "analysis/saturate.hpp"
#include "gossamer/convert.hpp"

namespace gossamer::analysis {

namespace {

constexpr index_t slice_rows = 64;

/// Statistics of row lengths that padded formats depend on.
struct row_summary {
  index_t nnz = 0, longest = 0;
  amount slice_widths;     // sum over slices of their longest row
  index_t beyond_hyb = 0;  // nonzeros that do not fit HYB's ELL part
};

row_summary summarise(const context& where, std::span<const index_t> lengths, index_t hyb_width) {
  // A block is a whole number of slices; integers, so the order of merging does not matter.
  const blocks parts{static_cast<index_t>(lengths.size()), slice_rows * 256};
  std::vector<row_summary> found(static_cast<std::size_t>(parts.count()));
  parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
    const auto [begin, end] = parts.of(block);
    row_summary mine;
    for (index_t first = begin; first < end; first += slice_rows) {
      index_t longest = 0;
      for (index_t i = first; i < std::min(end, first + slice_rows); ++i) {
        const index_t length = lengths[static_cast<std::size_t>(i)];
        longest = std::max(longest, length);
        mine.nnz += length;
        mine.beyond_hyb += std::max<index_t>(length - hyb_width, 0);
      }
      mine.slice_widths = mine.slice_widths + amount{longest};
      mine.longest = std::max(mine.longest, longest);
    }
    found[static_cast<std::size_t>(block)] = mine;
  });
  row_summary all;
  for (const auto& part : found) {
    all.nnz += part.nnz;
    all.beyond_hyb += part.beyond_hyb;
    all.slice_widths = all.slice_widths + part.slice_widths;
    all.longest = std::max(all.longest, part.longest);
  }
  return all;
}

amount compressed_bytes(index_t lines, index_t nnz, widths w, value_type values) {
  return (amount{lines} + amount{1}) * amount{bytes(w.offsets)} +
         amount{nnz} * amount{bytes(w.indices) + bytes(values)};
}

}  // namespace

index_t csr_bytes(extents shape, index_t nnz, value_type values) {
  return compressed_bytes(shape.rows, nnz, narrowest(shape, nnz), values).value;
}

std::vector<format_bytes> format_sizes(const context& where, extents shape, value_type values,
                                       std::span<const index_t> lengths) {
  const index_width index = narrowest(shape, 0).indices;
  const index_t hyb_columns =
      hyb_width(lengths, {.strategy = hyb_strategy::minimal_storage}, values, index);
  const row_summary rows = summarise(where, lengths, hyb_columns);
  const widths w = narrowest(shape, rows.nnz);
  const amount value{bytes(values)}, place{bytes(index) + bytes(values)};
  const amount triplet{2 * bytes(index) + bytes(values)};
  const index_t slices = blocks{shape.rows, slice_rows}.count();
  const auto slice_offset = bytes(narrowest(shape, rows.slice_widths.value).offsets);

  const std::array<std::pair<format, amount>, 7> sizes{{
      {format::csr, compressed_bytes(shape.rows, rows.nnz, w, values)},
      {format::csc, compressed_bytes(shape.cols, rows.nnz, w, values)},
      {format::coo, amount{rows.nnz} * triplet},
      {format::ell, amount{shape.rows} * amount{rows.longest} * place},
      {format::sellp,
       rows.slice_widths * amount{slice_rows} * place + amount{slices + 1} * amount{slice_offset}},
      {format::hyb,
       amount{shape.rows} * amount{hyb_columns} * place + amount{rows.beyond_hyb} * triplet},
      {format::dense, amount{shape.rows} * amount{shape.cols} * value},
  }};
  std::vector<format_bytes> result;
  const auto csr = static_cast<double>(sizes[0].second.value);
  for (const auto& [which, size] : sizes)
    result.push_back({which, size.value, static_cast<double>(size.value) / csr});
  return result;
}

}  // namespace gossamer::analysis
