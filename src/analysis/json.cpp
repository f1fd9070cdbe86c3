// Analyses as JSON for programs. Names follow the fields of the structs.
#include <nlohmann/json.hpp>

#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

using json = nlohmann::ordered_json;

json value(extents shape) { return {{"rows", shape.rows}, {"cols", shape.cols}}; }

json value(const count_statistics& s) {
  json quantiles = json::array();
  for (std::size_t q = 0; q < quantile_points.size(); ++q)
    quantiles.push_back({{"at", quantile_points[q]}, {"count", s.quantiles[q]}});
  return {{"count", s.count},
          {"total", s.total},
          {"min", s.min},
          {"max", s.max},
          {"zeros", s.zeros},
          {"mean", s.mean},
          {"deviation", s.deviation},
          {"imbalance", s.imbalance},
          {"quantiles", quantiles}};
}

json value(const factor_statistics& s) {
  return {{"min", s.min},
          {"max", s.max},
          {"mean", s.mean},
          {"deviation", s.deviation},
          {"rows", s.rows}};
}

}  // namespace

std::string to_json(const matrix_analysis& a) {
  json bytes = json::object();
  for (const auto& f : a.bytes)
    bytes[std::string(name(f.format))] = {{"bytes", f.bytes}, {"overhead", f.overhead}};
  const json all = {{"shape", value(a.shape)},
                    {"nnz", a.nnz},
                    {"values", name(a.values)},
                    {"indices", name(a.index.indices)},
                    {"offsets", name(a.index.offsets)},
                    {"sorted", a.sorted},
                    {"unique", a.unique},
                    {"rows", value(a.rows)},
                    {"columns", value(a.columns)},
                    {"row_histogram", a.row_histogram.bins},
                    {"bandwidth", a.bandwidth},
                    {"profile", a.profile},
                    {"pattern_symmetry", a.pattern_symmetry},
                    {"diagonal", a.diagonal},
                    {"explicit_zeros", a.explicit_zeros},
                    {"formats", bytes}};
  return all.dump(2);
}

std::string to_json(const product_estimate& e) {
  json peak = json::object();
  for (const auto& p : e.peak) peak[p.algorithm] = p.bytes;
  const json all = {{"shape", value(e.shape)},
                    {"flop", e.flop},
                    {"nnz", e.nnz},
                    {"nnz_low", e.nnz_low},
                    {"nnz_high", e.nnz_high},
                    {"exact", e.exact},
                    {"counted_rows", e.counted_rows},
                    {"counted_products", e.counted_products},
                    {"compression", e.compression},
                    {"expansion", e.expansion},
                    {"products_per_row", value(e.products_per_row)},
                    {"products_histogram", e.products_histogram.bins},
                    {"expansion_per_row", value(e.expansion_per_row)},
                    {"contraction_per_row", value(e.contraction_per_row)},
                    {"result_bytes", e.result_bytes},
                    {"peak_bytes", peak}};
  return all.dump(2);
}

}  // namespace gossamer
