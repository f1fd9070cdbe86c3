// Finds any violation in the indices of a matrix on a device, in one pass. The host describes it:
// that is rare, and error texts are not produced here.
#include "backends/cuda/structure.hpp"

#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"
#include "formats/value_types.hpp"

namespace gossamer::cuda {

namespace {

/// Whether offsets start at 0, never decrease and end at `expected`; an empty array is valid for an
/// empty matrix.
bool offsets_tidy(const context& where, index_view offsets, index_t expected) {
  const index_t lines = offsets.size() - 1;
  if (lines < 0) return expected == 0;
  const index_reader starts(offsets);
  return 0 ==
         greatest(where, lines + 1, "looking at offsets", [=] __device__(index_t i) -> index_t {
           const index_t here = starts[i];
           return (i == 0 && here != 0) || (i == lines ? here != expected : starts[i + 1] < here);
         });
}

bool compressed_tidy(const context& where, index_view offsets, index_view indices, index_t limit) {
  const index_t nnz = indices.size();
  if (!offsets_tidy(where, offsets, nnz)) return false;
  // Lines can be numbered now: no offset is out of range.
  index_buffer numbers(nnz, narrowest(offsets.size()), where.memory());
  lines_of_entries(where, offsets, numbers.view());
  const index_reader line(numbers.view()), index(indices);
  return 0 == greatest(where, nnz, "looking at indices", [=] __device__(index_t p) -> index_t {
           const index_t here = index[p];
           if (here < 0 || here >= limit) return 1;
           return p > 0 && line[p] == line[p - 1] && here <= index[p - 1];
         });
}

bool triplets_tidy(const context& where, extents shape, index_view rows, index_view columns) {
  const index_reader row(rows), column(columns);
  return 0 ==
         greatest(where, rows.size(), "looking at triplets", [=] __device__(index_t p) -> index_t {
           const index_t i = row[p], j = column[p];
           if (i < 0 || i >= shape.rows || j < 0 || j >= shape.cols) return 1;
           if (p == 0) return 0;
           const index_t before = row[p - 1];
           return i < before || (i == before && j <= column[p - 1]);
         });
}

/// Lines of a padded format: `positions` of them, those after the last row all padding.
struct padded_places {
  extents shape;
  index_view columns;
  index_t positions = 0, entries = 0;
};
/// One line: positions first, first + step, ...
struct padded_line {
  index_t first, step, places;
};
struct ell_lines {
  index_t stride, width;
  __device__ padded_line operator()(index_t at) const { return {at, stride, width}; }
};
struct sellp_lines {
  index_reader starts;
  index_t slice;
  __device__ padded_line operator()(index_t at) const {
    const index_t start = starts[at / slice];
    return {start * slice + at % slice, slice, starts[at / slice + 1] - start};
  }
};

template <class LineAt>
bool padded_tidy(const context& where, const padded_places& all, LineAt line_at) {
  const index_reader columns(all.columns);
  const extents shape = all.shape;
  const index_t positions = all.columns.size() == 0 ? 0 : all.positions;
  const index_t broken =
      greatest(where, positions, "looking at padded rows", [=] __device__(index_t at) -> index_t {
        const padded_line line = line_at(at);
        index_t before = padding;
        bool ended = at >= shape.rows;
        for (index_t k = 0; k < line.places; ++k) {
          const index_t here = columns[line.first + k * line.step];
          if (here == padding)
            ended = true;
          else if (ended || here <= before || here >= shape.cols)
            return 1;
          else
            before = here;
        }
        return 0;
      });
  if (broken != 0) return false;
  return all.entries ==
         sum_of(where, all.columns.size(), "counting entries",
                [=] __device__(index_t p) -> index_t { return columns[p] != padding; });
}

/// Whether every row occurs once.
bool order_tidy(const context& where, index_view order) {
  const index_t rows = order.size();
  if (rows == 0) return true;
  buffer<std::int32_t> marks(rows, where.memory());
  marks.set(0);
  std::int32_t* const mark = marks.data();
  const index_reader row_at(order);
  return 0 == greatest(where, rows, "looking at a row order", [=] __device__(index_t i) -> index_t {
           const index_t row = row_at[i];
           return row < 0 || row >= rows || atomicAdd(mark + row, 1) != 0;
         });
}

template <class T>
bool look(const context& where, const csr_view<const T>& a) {
  return compressed_tidy(where, a.offsets, a.columns, a.shape.cols);
}
template <class T>
bool look(const context& where, const csc_view<const T>& a) {
  return compressed_tidy(where, a.offsets, a.rows, a.shape.rows);
}
template <class T>
bool look(const context& where, const coo_view<const T>& a) {
  return triplets_tidy(where, a.shape, a.rows, a.columns);
}
template <class T>
bool look(const context& where, const ell_view<const T>& a) {
  return padded_tidy(where, padded_places{a.shape, a.columns, a.stride, a.entries},
                     ell_lines{a.stride, a.width});
}
template <class T>
bool look(const context& where, const sellp_view<const T>& a) {
  const index_t slice = a.slice;
  if (a.columns.size() % slice != 0 ||
      !offsets_tidy(where, a.slice_offsets, a.columns.size() / slice) ||
      !order_tidy(where, a.row_order))
    return false;
  return padded_tidy(where, padded_places{a.shape, a.columns, a.slices() * slice, a.entries},
                     sellp_lines{index_reader(a.slice_offsets), slice});
}

/// Whether both parts are valid, and each row of COO continues its row of ELL.
template <class T>
bool look(const context& where, const hyb_view<const T>& a) {
  if (!look(where, a.ell) || !look(where, a.coo)) return false;
  const index_reader row(a.coo.rows), column(a.coo.columns), first(a.ell.columns);
  const index_t stride = a.ell.stride, width = a.ell.width;
  return 0 == greatest(where, a.coo.nnz(), "looking at rows of both parts",
                       [=] __device__(index_t p) -> index_t {
                         const index_t i = row[p];
                         if (p > 0 && row[p - 1] == i) return 0;
                         index_t last = width - 1;
                         while (last >= 0 && first[last * stride + i] == padding) --last;
                         return last >= 0 && first[last * stride + i] >= column[p];
                       });
}
template <class T>
bool look(const context&, const dense_view<const T>&) {
  return true;  // there are no indices
}

}  // namespace

template <class View>
bool is_tidy(const context& where, const View& a) {
  return look(where, a);
}

#define GOSSAMER_INSTANTIATE(T)                                      \
  template bool is_tidy(const context&, const csr_view<const T>&);   \
  template bool is_tidy(const context&, const csc_view<const T>&);   \
  template bool is_tidy(const context&, const coo_view<const T>&);   \
  template bool is_tidy(const context&, const ell_view<const T>&);   \
  template bool is_tidy(const context&, const sellp_view<const T>&); \
  template bool is_tidy(const context&, const hyb_view<const T>&);   \
  template bool is_tidy(const context&, const dense_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cuda
