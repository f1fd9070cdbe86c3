// Which algorithm sends the fewest bytes from its busiest rank, and the report of what was chosen.
#include "distributed/products/choice.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace gossamer::mpi {
namespace {

/// Bytes on a grid, as traffic_model.cpp counts them, with nonzeros spread evenly and C estimated.
index_t bytes_on(const product_facts& of, const process_grid& grid, double c_nnz) {
  const index_t inner = of.a.cols / grid.layers, width = of.b.cols / grid.columns;
  const auto index = static_cast<double>(bytes(narrowest(std::max(inner, width))));
  const double nonzero = index + static_cast<double>(of.value);
  const double blocks = grid.columns * grid.layers, stay = 1 - 1 / blocks;
  const double a = static_cast<double>(of.a.rows) * index * blocks +
                   static_cast<double>(of.a_nnz) * nonzero * grid.columns;
  const double b = static_cast<double>(of.b.rows) * index * grid.columns +
                   static_cast<double>(of.b_nnz) * nonzero;
  const double c = static_cast<double>(of.a.rows) * index * blocks + c_nnz * nonzero;
  return static_cast<index_t>(a * stay + b * (1 - 1.0 / grid.columns) + b * (grid.rows - 1) +
                              c * stay);
}

/// What the busiest rank of a grid sends, over the mean. Blocks near the diagonal have more than
/// others, and smaller blocks differ more: this fits six matrices on 16 to 4,096 ranks, exactly
/// counted (docs/notes/distributed-products.md).
double skew_of_grids(int ranks) { return std::pow(static_cast<double>(ranks), 0.28); }

predicted_traffic on_grid(const product_facts& of, const char* algorithm, const process_grid& grid,
                          double c_nnz) {
  const index_t all = bytes_on(of, grid, c_nnz);
  const double mean = static_cast<double>(all) / of.ranks;
  return {.algorithm = algorithm,
          .grid = grid,
          .bytes = all,
          .most_bytes = static_cast<index_t>(mean * skew_of_grids(of.ranks))};
}

std::string named(const predicted_traffic& way) {
  if (way.algorithm == "1d") return "1d";
  if (way.grid.layers == 1)
    return formatted("{} ({} x {} ranks)", way.algorithm, way.grid.rows, way.grid.columns);
  return formatted("{} ({} x {} ranks in {} layers)", way.algorithm, way.grid.rows,
                   way.grid.columns, way.grid.layers);
}

}  // namespace

double expected_nonzeros(index_t work, index_t columns, int layers) {
  if (work == 0 || columns == 0) return 0;
  const auto n = static_cast<double>(columns), w = static_cast<double>(work) / layers;
  const double all = static_cast<double>(work);
  if (w < 0.01 * n) return all * (1 - w / (2 * n));  // most rows: no exponential for each
  return std::min(all, -n * std::expm1(-w / n) * layers);
}

std::vector<predicted_traffic> estimate_traffic(const product_facts& of,
                                                const spgemm_options& how) {
  const int layers = how.layers;
  std::vector<predicted_traffic> all{{.algorithm = "1d",
                                      .grid = {},
                                      .bytes = of.row_bytes,
                                      .most_bytes = of.row_most,
                                      .exact = true}};
  const auto flat = process_grid::near_square(of.ranks);
  all.push_back(on_grid(of, "2d", flat, of.c_nnz[0]));
  std::optional<predicted_traffic> best;
  for (int step = 1, count = 2; step < 5; ++step, count *= 2) {
    const int tried = layers > 0 ? layers : count;
    if (tried > of.ranks) break;
    const auto grid = process_grid::near_square(of.ranks, tried);
    const bool idle = 4 * grid.rows * grid.columns * grid.layers < 3 * of.ranks;
    if (idle && layers == 0 && how.algorithm != "3d") continue;
    const auto way = on_grid(of, "3d", grid, of.c_nnz[step]);
    if (!best || way.most_bytes < best->most_bytes) best = way;
    if (layers > 0 && count >= layers) break;
  }
  if (best) all.push_back(*best);
  return all;
}

const predicted_traffic& cheapest(const std::vector<predicted_traffic>& all,
                                  const std::string& algorithm) {
  const predicted_traffic* best = nullptr;
  for (const auto& way : all)
    if ((algorithm == "auto" || algorithm == way.algorithm) &&
        (best == nullptr || way.most_bytes < best->most_bytes))
      best = &way;
  if (best == nullptr)
    throw fail(error_kind::bad_argument,
               "a \"{}\" product needs as many ranks as layers, and 2 or more of both; use \"1d\"",
               algorithm);
  return *best;
}

std::string spgemm_report::text() const {
  std::string lines = formatted("distributed product by {}: {}\n",
                                algorithm.empty() ? "nothing" : algorithm, because);
  for (const auto& way : considered)
    lines += formatted("  {:<32} {} {}, its busiest rank {}\n", named(way),
                       way.exact ? "sends" : "would send about", bytes_text(way.bytes),
                       bytes_text(way.most_bytes));
  if (multiplications > 0)
    lines += formatted("  {} multiplications\n", count_text(multiplications));
  lines += formatted("  {} nonzeros, {} round{}\n", count_text(nnz), count_text(rounds),
                     rounds == 1 ? "" : "s");
  lines += formatted("  sent {} in {} messages; the rank that sent most, {}\n",
                     bytes_text(sent_by_all.bytes), count_text(sent_by_all.messages),
                     bytes_text(most_bytes));
  return lines;
}

}  // namespace gossamer::mpi
