#include "analysis/probe.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "formats/typed.hpp"

namespace gossamer::analysis {

namespace {

template <class O>
row_probe probe(const O* offsets, index_t rows, index_t probes) {
  row_probe found;
  const index_t nnz = offsets[rows];
  if (nnz == 0) return found;
  const index_t spacing = nnz / probes, rest = nnz % probes;
  const O* after = offsets;  // where the row hit last ends
  for (index_t q = 0; q < probes; ++q) {
    const auto entry = static_cast<O>(spacing * q + rest * q / probes);
    if (entry < *after) continue;
    // The row of an entry is the last one that starts at or before it; empty rows never are.
    after = std::upper_bound(after, offsets + rows + 1, entry);
    found.at_least =
        std::max(found.at_least, static_cast<index_t>(*after) - static_cast<index_t>(*(after - 1)));
  }
  const index_t gap = spacing + (rest > 0 ? 1 : 0);
  found.heavy = found.at_least >= gap;
  found.at_most = found.heavy ? found.at_least : gap - 1;
  return found;
}

}  // namespace

row_probe probe_rows(index_view offsets, int probes) {
  if (probes < 1)
    throw fail(error_kind::bad_argument, "rows were to be probed {} times; expected 1 or more",
               probes);
  const index_t rows = offsets.size() - 1;
  if (rows < 1) return {};
  if (offsets.width() == index_width::i32)
    return probe(gossamer::detail::raw<std::int32_t>(offsets), rows, probes);
  return probe(gossamer::detail::raw<std::int64_t>(offsets), rows, probes);
}

}  // namespace gossamer::analysis
