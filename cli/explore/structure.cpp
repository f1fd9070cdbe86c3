#include "cli/explore/structure.hpp"

#include <algorithm>

namespace gossamer::cli {

namespace {

constexpr index_t most_tiles = 96;

/// Nonzeros in a grid of equal tiles; as wide and high as the matrix where that is small.
json spy_of(const csr_matrix<double>& a) {
  const index_t rows = std::clamp<index_t>(a.rows(), 1, most_tiles);
  const index_t cols = std::clamp<index_t>(a.cols(), 1, most_tiles);
  std::vector<index_t> counts(static_cast<std::size_t>(rows * cols), 0);
  const auto offsets = a.row_offsets();
  const auto columns = a.column_indices();
  for (index_t i = 0; i < a.rows(); ++i) {
    const index_t tile_row = i * rows / a.rows();
    for (index_t k = offsets[i]; k < offsets[i + 1]; ++k)
      ++counts[static_cast<std::size_t>(tile_row * cols + columns[k] * cols / a.cols())];
  }
  return {{"rows", rows}, {"cols", cols}, {"counts", counts}};
}

}  // namespace

json describe_structure(const csr_matrix<double>& a, const matrix_analysis& found,
                        const context& where) {
  json details = {{"schema", "gossamer-matrix/1"},
                  {"name", ""},
                  {"rows", a.rows()},
                  {"cols", a.cols()},
                  {"nnz", a.nnz()},
                  {"row_histogram", found.row_histogram.bins}};
  if (a.rows() == a.cols()) {
    const auto products = products_per_row(where, a, a);
    details["product_histogram"] =
        histogram(where, std::span(products.data(), static_cast<std::size_t>(products.size())))
            .bins;
  }
  details["spy"] = spy_of(a);
  details["explanations"] = json::array();
  return details;
}

}  // namespace gossamer::cli
