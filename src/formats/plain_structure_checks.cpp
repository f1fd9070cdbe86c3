// Validation of CSR, CSC and COO.
#include <utility>

#include "base/text.hpp"
#include "formats/structure_checks.hpp"
#include "formats/value_types.hpp"

namespace gossamer {

namespace {

finding inspect_compressed(int threads, index_view offsets, index_view indices, index_t limit,
                           line_names names) {
  finding found;
  found.broken = offsets_problem(threads, offsets, indices.size(), names.line);
  if (!found.broken.empty() || offsets.size() == 0) return found;
  return detail::with_widths(indices.width(), offsets.width(), [&]<class I, class O>() {
    const I* const stored = detail::raw<I>(indices);
    const O* const starts = detail::raw<O>(offsets);
    return inspect_parts(threads, offsets.size() - 1,
                         [&](index_t begin, index_t end, finding& part) {
                           line_inspector look(names, limit, part);
                           for (index_t i = begin; i < end; ++i) {
                             const I* const line = stored + starts[i];
                             const index_t length = starts[i + 1] - starts[i];
                             if (!look(i, length, [line](index_t k) { return index_t{line[k]}; }))
                               return;
                           }
                         });
  });
}

std::string place_text(index_t row, index_t column) { return formatted("({}, {})", row, column); }

/// Checks ranges and order of triplets; equal neighbours are duplicates.
void look_at_triplets(index_view rows, index_view columns, extents shape, range entries,
                      finding& part) {
  for (index_t p = entries.begin; p < entries.end; ++p) {
    const std::pair here(rows[p], columns[p]);
    const bool row_fits = here.first >= 0 && here.first < shape.rows;
    if (!row_fits || here.second < 0 || here.second >= shape.cols) {
      part.broken =
          formatted("entry {}: {} {} is not in [0, {})", p, row_fits ? "column" : "row",
                    row_fits ? here.second : here.first, row_fits ? shape.cols : shape.rows);
      return;
    }
    if (p == 0) continue;
    const std::pair before(rows[p - 1], columns[p - 1]);
    if (here < before && part.unsorted.empty())
      part.unsorted =
          formatted("entry {}: {} comes after {}", p, place_text(here.first, here.second),
                    place_text(before.first, before.second));
    if (here == before && part.duplicate.empty())
      part.duplicate = formatted("entry {}: {} is stored more than once", p,
                                 place_text(here.first, here.second));
  }
}

/// Finds duplicates in unsorted triplets: every thread collects a range of rows and sorts it.
std::string scattered_duplicate(int threads, index_view rows, index_view columns,
                                index_t row_count) {
  const index_t parts = std::clamp<index_t>(rows.size() / 4096, 1, threads);
  std::vector<finding> found(static_cast<std::size_t>(parts));
  parallel_chunks(threads, parts, [&](index_t part) {
    const auto [begin, end] = part_of(row_count, part, parts);
    std::vector<std::pair<index_t, index_t>> mine;
    for (index_t p = 0; p < rows.size(); ++p)
      if (const index_t i = rows[p]; i >= begin && i < end) mine.emplace_back(i, columns[p]);
    std::sort(mine.begin(), mine.end());
    const auto twice = std::adjacent_find(mine.begin(), mine.end());
    if (twice != mine.end())
      found[part].duplicate =
          formatted("{} is stored more than once", place_text(twice->first, twice->second));
  });
  for (auto& part : found)
    if (!part.duplicate.empty()) return part.duplicate;
  return {};
}

}  // namespace

template <class T>
finding inspect(int threads, const csr_view<const T>& a) {
  return inspect_compressed(threads, a.offsets, a.columns, a.shape.cols, {"row", "column"});
}

template <class T>
finding inspect(int threads, const csc_view<const T>& a) {
  return inspect_compressed(threads, a.offsets, a.rows, a.shape.rows, {"column", "row"});
}

template <class T>
finding inspect(int threads, const coo_view<const T>& a) {
  auto found = inspect_parts(threads, a.nnz(), [&](index_t begin, index_t end, finding& part) {
    look_at_triplets(a.rows, a.columns, a.shape, {begin, end}, part);
  });
  if (found.broken.empty() && !found.unsorted.empty() && found.duplicate.empty())
    found.duplicate = scattered_duplicate(threads, a.rows, a.columns, a.shape.rows);
  return found;
}

#define GOSSAMER_INSTANTIATE(T)                            \
  template finding inspect(int, const csr_view<const T>&); \
  template finding inspect(int, const csc_view<const T>&); \
  template finding inspect(int, const coo_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
