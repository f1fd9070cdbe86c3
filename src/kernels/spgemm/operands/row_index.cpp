// A stable counting sort of the nonzeros of a CSC operand by row, the same for any number of
// threads: each thread counts its own columns, and the counts become positions row by row, in order
// of the threads.
#include "base/parallel.hpp"
#include "base/prefix_sums.hpp"
#include "formats/typed.hpp"
#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {

namespace {

/// Serial version that uses the offsets themselves as the next free positions.
template <class I, class O>
void build_alone(const csc_ref<const double, I, O>& a, row_index& index) {
  index_t* const next = index.offsets.data();
  std::fill_n(next, a.rows + 1, index_t{0});
  for (index_t p = 0; p < a.offsets[a.cols]; ++p) ++next[a.row_indices[p]];
  prefix_sums(1, index.offsets.span());
  for (index_t j = 0; j < a.cols; ++j)
    for (index_t p = a.offsets[j]; p < a.offsets[j + 1]; ++p) {
      const index_t at = next[a.row_indices[p]]++;
      index.columns[at] = j;
      index.positions[at] = p;
    }
  // Each position is now where the next row begins.
  std::copy_backward(next, next + a.rows, next + a.rows + 1);
  next[0] = 0;
}

template <class I, class O>
void build(const csc_ref<const double, I, O>& a, row_index& index, index_t free_bytes,
           const context& where) {
  const index_t nnz = a.offsets[a.cols], one = std::max<index_t>(a.rows, 1);
  // Counting needs an array of rows per thread: no more threads than the nonzeros justify.
  const int parts = static_cast<int>(std::min<index_t>(
      std::clamp<index_t>(nnz / one + 1, 1, where.threads()), free_bytes / 8 / one));
  if (parts <= 1) return build_alone(a, index);
  buffer<index_t> places(a.rows * parts, where.memory());
  const auto columns_of = [&](int part) { return part_of(a.cols, part, parts); };

  parallel_chunks(where.threads(), parts, [&](index_t part) {
    index_t* mine = places.data() + a.rows * part;
    std::fill_n(mine, a.rows, index_t{0});
    const auto [begin, end] = columns_of(static_cast<int>(part));
    for (index_t p = a.offsets[begin]; p < a.offsets[end]; ++p) ++mine[a.row_indices[p]];
  });
  index_t next = 0;
  for (index_t i = 0; i < a.rows; ++i) {
    index.offsets[i] = next;
    for (int part = 0; part < parts; ++part) {
      index_t& place = places[a.rows * part + i];
      const index_t count = place;
      place = next;
      next += count;
    }
  }
  index.offsets[a.rows] = next;
  parallel_chunks(where.threads(), parts, [&](index_t part) {
    index_t* mine = places.data() + a.rows * part;
    const auto [begin, end] = columns_of(static_cast<int>(part));
    for (index_t j = begin; j < end; ++j)
      for (index_t p = a.offsets[j]; p < a.offsets[j + 1]; ++p) {
        const index_t at = mine[a.row_indices[p]]++;
        index.columns[at] = j;
        index.positions[at] = p;
      }
  });
}

}  // namespace

std::shared_ptr<const row_index> index_rows(const operand& o, const context& where,
                                            index_t free_bytes) {
  const auto about = facts(o);
  if (about.format != format::csc) return nullptr;
  auto index = std::make_shared<row_index>();
  index->offsets = buffer<index_t>(about.shape.rows + 1, where.memory());
  index->columns = buffer<index_t>(about.nnz, where.memory());
  index->positions = buffer<index_t>(about.nnz, where.memory());
  const operand indices = structure_of(o);
  typed(view_as<csc_view<const double>>(indices),
        [&](const auto& a) { build(a, *index, free_bytes, where); });
  return index;
}

}  // namespace gossamer
