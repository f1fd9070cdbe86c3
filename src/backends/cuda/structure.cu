// Is there anything wrong with the indices of a matrix on a device? What exactly is for the host to
// say: that is rare, and words are not made here.
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/greatest.cuh"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"

namespace gossamer::cuda {

bool is_tidy(const context& where, index_view offsets, index_view indices, index_t limit) {
  const index_t nnz = indices.size(), lines = offsets.size() - 1;
  if (lines < 0) return nnz == 0;
  const index_reader starts(offsets), index(indices);
  const index_t broken =
      greatest(where, lines + 1, "looking at offsets", [=] __device__(index_t i) -> index_t {
        const index_t here = starts[i];
        return (i == 0 && here != 0) || (i == lines ? here != nnz : starts[i + 1] < here);
      });
  if (broken != 0) return false;
  // Lines may be numbered now: no offset points outside.
  index_buffer numbers(nnz, narrowest(lines), where.memory());
  lines_of_entries(where, offsets, numbers.view());
  const index_reader line(numbers.view());
  return 0 == greatest(where, nnz, "looking at indices", [=] __device__(index_t p) -> index_t {
           const index_t here = index[p];
           if (here < 0 || here >= limit) return 1;
           return p > 0 && line[p] == line[p - 1] && here <= index[p - 1];
         });
}

bool is_tidy(const context& where, extents shape, index_view rows, index_view columns) {
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

}  // namespace gossamer::cuda
