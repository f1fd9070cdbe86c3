// What products send, counted from the structure of their operands: the messages of row_product.cpp
// and grid_product.cpp one by one, without a process.
#include <algorithm>

#include "base/text.hpp"
#include "distributed/products/grid_layout.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {
namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

void require_structure(const product_structure& of) {
  if (of.a.shape.cols != of.b.shape.rows || of.a_rows.size() != of.a.shape.rows ||
      of.b_rows.size() != of.b.shape.rows || of.a_rows.ranks() != of.b_rows.ranks())
    throw fail(
        error_kind::bad_argument,
        "A is {} with {} rows on {} ranks and B {} with {} rows on {} ranks; expected shapes "
        "that multiply, and partitions of their rows over as many ranks",
        shape_text(of.a.shape), count_text(of.a_rows.size()), of.a_rows.ranks(),
        shape_text(of.b.shape), count_text(of.b_rows.size()), of.b_rows.ranks());
}

/// Adds the messages of an array, unless it is empty or stays on its rank.
void send(std::vector<traffic>& by, int from, int to, index_t bytes) {
  if (from == to || bytes == 0) return;
  by[at(from)] = by[at(from)] + traffic{1, bytes};
}

/// Widths of what travels on a grid.
struct element_bytes {
  index_t index, value;
  /// Rows as three arrays.
  void send_rows(std::vector<traffic>& by, int from, int to, index_t rows, index_t nnz) const {
    send(by, from, to, rows * index);
    send(by, from, to, nnz * index);
    send(by, from, to, nnz * value);
  }
};

/// Rows of A: each rank to all grid columns of all layers of its grid row.
void send_a(const product_structure& of, const grid_layout& on, const element_bytes& size,
            std::vector<traffic>& by) {
  const auto& grid = on.grid();
  std::vector<std::int32_t> layer_of(at(of.b.shape.rows));
  for (int r = 0; r < of.b_rows.ranks(); ++r)
    std::fill(layer_of.begin() + of.b_rows.first(r), layer_of.begin() + of.b_rows.last(r),
              on.layer_of(r));
  for (int r = 0; r < of.a_rows.ranks(); ++r) {
    std::vector<index_t> nnz(at(grid.layers), 0);
    for (index_t k = of.a.offsets[of.a_rows.first(r)]; k < of.a.offsets[of.a_rows.last(r)]; ++k)
      ++nnz[at(layer_of[at(of.a.columns[k])])];
    for (int l = 0; l < grid.layers; ++l)
      for (int j = 0; j < grid.columns; ++j)
        size.send_rows(by, r, on.rank_at(on.row_of(r), j, l), of.a_rows.count(r), nnz[at(l)]);
  }
}

/// Rows of B: to the rank of each block of columns in the same row and layer, from there to all
/// grid rows.
void send_b(const product_structure& of, const grid_layout& on, const element_bytes& size,
            std::vector<traffic>& by) {
  const auto& grid = on.grid();
  struct held {
    index_t rows = 0, nnz = 0;
  };
  std::vector<held> on_rank(at(of.b_rows.ranks()));
  for (int r = 0; r < of.b_rows.ranks(); ++r) {
    std::vector<index_t> nnz(at(grid.columns), 0);
    for (index_t k = of.b.offsets[of.b_rows.first(r)]; k < of.b.offsets[of.b_rows.last(r)]; ++k)
      ++nnz[at(on.columns().owner(of.b.columns[k]))];
    for (int j = 0; j < grid.columns; ++j) {
      const int to = on.rank_at(on.row_of(r), j, on.layer_of(r));
      size.send_rows(by, r, to, of.b_rows.count(r), nnz[at(j)]);
      on_rank[at(to)].rows += of.b_rows.count(r);
      on_rank[at(to)].nnz += nnz[at(j)];
    }
  }
  for (int r = 0; r < of.b_rows.ranks(); ++r)
    if (on.column_of(r) >= 0)
      for (int i = 0; i < grid.rows; ++i)
        size.send_rows(by, r, on.rank_at(i, on.column_of(r), on.layer_of(r)), on_rank[at(r)].rows,
                       on_rank[at(r)].nnz);
}

/// Nonzeros of C in each layer and block of columns, for a range of rows.
class result_counter {
 public:
  result_counter(const product_structure& of, const grid_layout& on)
      : of_(of),
        on_(on),
        layer_of_(at(of.b.shape.rows)),
        block_of_(at(of.b.shape.cols)),
        seen_(at(of.b.shape.cols) * at(on.grid().layers), -1) {
    for (int r = 0; r < of.b_rows.ranks(); ++r)
      std::fill(layer_of_.begin() + of.b_rows.first(r), layer_of_.begin() + of.b_rows.last(r),
                on.layer_of(r));
    for (int j = 0; j < on.grid().columns; ++j)
      std::fill(block_of_.begin() + on.columns().first(j), block_of_.begin() + on.columns().last(j),
                j);
  }
  /// Counts [layer * blocks + block].
  std::vector<index_t> count(index_t first, index_t last) {
    const auto blocks = at(on_.grid().columns);
    std::vector<index_t> counts(blocks * at(on_.grid().layers), 0);
    for (index_t i = first; i < last; ++i)
      for (index_t p = of_.a.offsets[i]; p < of_.a.offsets[i + 1]; ++p) {
        const index_t k = of_.a.columns[p];
        const auto layer = at(layer_of_[at(k)]);
        index_t* const seen = seen_.data() + layer * at(of_.b.shape.cols);
        for (index_t q = of_.b.offsets[k]; q < of_.b.offsets[k + 1]; ++q) {
          const index_t j = of_.b.columns[q];
          if (std::exchange(seen[j], i) != i) ++counts[layer * blocks + at(block_of_[at(j)])];
        }
      }
    return counts;
  }

 private:
  const product_structure& of_;
  const grid_layout& on_;
  std::vector<std::int32_t> layer_of_, block_of_;
  std::vector<index_t> seen_;
};

/// Rows of C: from the ranks that computed them to those that have them.
void send_c(const product_structure& of, const grid_layout& on, const element_bytes& size,
            std::vector<traffic>& by) {
  const auto& grid = on.grid();
  result_counter counter(of, on);
  for (int r = 0; r < of.a_rows.ranks(); ++r) {
    const auto nnz = counter.count(of.a_rows.first(r), of.a_rows.last(r));
    for (int l = 0; l < grid.layers; ++l)
      for (int j = 0; j < grid.columns; ++j)
        size.send_rows(by, on.rank_at(on.row_of(r), j, l), r, of.a_rows.count(r),
                       nnz[at(l * grid.columns + j)]);
  }
}

}  // namespace

std::vector<traffic> predict_traffic(const product_structure& of) {
  require_structure(of);
  const index_t nonzero = bytes(narrowest(of.b.shape.cols)) + bytes(of.value);
  const index_t index = bytes(narrowest(of.b.shape.cols));
  std::vector<traffic> by(at(of.a_rows.ranks()));
  std::vector<int> seen(at(of.b.shape.rows), -1);
  for (int r = 0; r < of.a_rows.ranks(); ++r) {
    std::vector<index_t> rows(by.size(), 0), nnz(by.size(), 0);
    std::vector<int> owners;
    for (index_t p = of.a.offsets[of.a_rows.first(r)]; p < of.a.offsets[of.a_rows.last(r)]; ++p) {
      const index_t k = of.a.columns[p];
      if (std::exchange(seen[at(k)], r) == r) continue;
      const int owner = of.b_rows.owner(k);
      if (rows[at(owner)]++ == 0) owners.push_back(owner);
      nnz[at(owner)] += of.b.offsets[k + 1] - of.b.offsets[k];
    }
    for (const int owner : owners) {
      send(by, r, owner, rows[at(owner)] * static_cast<index_t>(sizeof(index_t)));
      send(by, owner, r, rows[at(owner)] * static_cast<index_t>(sizeof(index_t)));
      send(by, owner, r, nnz[at(owner)] * index);
      send(by, owner, r, nnz[at(owner)] * (nonzero - index));
    }
  }
  return by;
}

std::vector<traffic> predict_traffic(const product_structure& of, const process_grid& grid) {
  require_structure(of);
  const int ranks = of.a_rows.ranks();
  if (grid.rows < 1 || grid.columns < 1 || grid.layers < 1 ||
      index_t{grid.rows} * grid.columns * grid.layers > ranks)
    throw fail(error_kind::bad_argument,
               "a grid of {} x {} x {} on {} ranks; expected at least one of each and at most as "
               "many as there are",
               grid.rows, grid.columns, grid.layers, ranks);
  const grid_layout on(grid, of.b_rows, of.b.shape.cols);
  const element_bytes size{bytes(on.width()), bytes(of.value)};
  std::vector<traffic> by(at(ranks));
  send_a(of, on, size, by);
  send_b(of, on, size, by);
  send_c(of, on, size, by);
  return by;
}

predicted_traffic summary(const std::string& algorithm, const process_grid& grid,
                          const std::vector<traffic>& by_rank) {
  predicted_traffic all{.algorithm = algorithm, .grid = grid, .exact = true};
  for (const auto& rank : by_rank) {
    all.messages += rank.messages;
    all.bytes += rank.bytes;
    all.most_bytes = std::max(all.most_bytes, rank.bytes);
    all.most_messages = std::max(all.most_messages, rank.messages);
  }
  return all;
}

process_grid process_grid::near_square(int ranks, int layers) {
  if (layers < 1 || ranks < layers)
    throw fail(error_kind::bad_argument,
               "a grid of {} layers on {} ranks; expected 1 or more layers, and a rank for each",
               layers, ranks);
  const int in_layer = ranks / layers;
  int columns = 1;
  while ((columns + 1) * (columns + 1) <= in_layer) ++columns;
  return {.rows = in_layer / columns, .columns = columns, .layers = layers};
}

}  // namespace gossamer::mpi
