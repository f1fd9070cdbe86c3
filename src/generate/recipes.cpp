// Generators by name: a table of kinds with their parameters as text, for the command line, bench
// suites and tests.
#include <tuple>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "generate/settings.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

// A function, not a constant: static initialisers elsewhere may already ask for recipes.
parameter seed() { return {"seed", "1", "same seed, same matrix, for any number of threads"}; }

stencil stencil_of(const settings& s, std::string_view difference, std::string_view element) {
  const auto& chosen = s.choice("stencil", {difference, element});
  return chosen == difference ? stencil::finite_difference : stencil::finite_element;
}

domain domain_of(const settings& s) {
  const auto& chosen = s.choice("domain", {"disc", "l-shape", "ball"});
  return chosen == "disc" ? domain::disc : chosen == "ball" ? domain::ball : domain::l_shape;
}

/// Columns of an aspect-ratio matrix: by default just enough, so that rows are full.
index_t aspect_columns(const settings& s) {
  if (s.text("cols") != "auto") return s.size("cols");
  const index_t rows = s.size("rows"), nnz = s.size("nnz");
  return rows == 0 ? 0 : nnz / rows + (nnz % rows != 0);
}

template <real_scalar T>
csr_matrix<T> aggregates(const context& where, const settings& s) {
  const auto& smoothed = s.choice("smooth", {"none", "difference", "element"});
  const index_t nx = s.size("nx"), ny = s.size("ny"), nz = s.size("nz"), block = s.size("block");
  if (smoothed == "none") return aggregation<T>(where, nx, ny, nz, block);
  const auto kind = smoothed == "element" ? stencil::finite_element : stencil::finite_difference;
  return smoothed_aggregation<T>(where, nx, ny, nz, kind, block);
}

template <real_scalar T>
using maker = csr_matrix<T> (*)(const context&, const settings&);

/// A generator: its name, its parameters, and the function that runs it.
struct entry {
  recipe what;
  std::tuple<maker<float>, maker<double>> makers;
};

/// `Make` is a lambda without captures, called as Make{}.operator()<T>(where, settings).
template <class Make>
entry kind(recipe what, Make) {
  return {std::move(what),
          {[](const context& where, const settings& s) {
             return Make{}.template operator()<float>(where, s);
           },
           [](const context& where, const settings& s) {
             return Make{}.template operator()<double>(where, s);
           }}};
}

std::vector<entry> grid_kinds() {
  return {
      kind({"poisson2d",
            "Poisson on an nx x ny grid, Dirichlet boundary",
            {{"nx", "1024", "points along x"},
             {"ny", "nx", "points along y"},
             {"stencil", "5", "5 (finite differences) or 9 (bilinear finite elements)"}},
            true},
           []<scalar T>(const context& where, const settings& s) {
             return poisson2d<T>(where, s.size("nx"), s.size("ny"), stencil_of(s, "5", "9"),
                                 s.share());
           }),
      kind({"poisson3d",
            "Poisson on an nx x ny x nz grid, Dirichlet boundary",
            {{"nx", "101", "points along x"},
             {"ny", "nx", "points along y"},
             {"nz", "nx", "points along z"},
             {"stencil", "7", "7 (finite differences) or 27 (trilinear finite elements)"}},
            true},
           []<scalar T>(const context& where, const settings& s) {
             return poisson3d<T>(where, s.size("nx"), s.size("ny"), s.size("nz"),
                                 stencil_of(s, "7", "27"), s.share());
           }),
      kind({"aggregation",
            "prolongator from boxes of points to an nx x ny x nz grid, for A P and P' A P",
            {{"nx", "101", "points along x"},
             {"ny", "nx", "points along y"},
             {"nz", "nx", "points along z; 1: a grid of poisson2d"},
             {"block", "3", "points along each side of a box"},
             {"smooth", "none", "none, or by difference (5, 7 point) or element (9, 27 point)"}}},
           []<scalar T>(const context& where, const settings& s) {
             return aggregates<T>(where, s);
           }),
      kind({"fem",
            "linear finite elements on an unstructured mesh, Dirichlet boundary",
            {{"domain", "disc", "disc, l-shape (triangles) or ball (tetrahedra)"},
             {"n", "100000", "rows, about"},
             seed()}},
           []<scalar T>(const context& where, const settings& s) {
             return fem<T>(where, domain_of(s), s.size("n"), s.seed());
           }),
      kind({"banded",
            "FEM-like: dense blocks spread over a band, symmetric",
            {{"rows", "62592", "rows"},
             {"block", "4", "unknowns per block"},
             {"neighbours", "17", "blocks per block row, the diagonal one included"},
             {"band", "34", "block rows the blocks of a row are spread over"},
             seed()}},
           []<scalar T>(const context& where, const settings& s) {
             return banded_blocks<T>(where, s.size("rows"), s.size("block"), s.size("neighbours"),
                                     s.size("band"), s.seed());
           }),
  };
}

std::vector<entry> graph_kinds() {
  const parameter scale{"scale", "16", "2^scale rows"};
  const parameter edge_factor{"edge-factor", "16", "edges drawn per row"};
  return {
      kind({"rmat",
            "R-MAT graph, duplicate edges summed",
            {scale,
             edge_factor,
             {"a", "0.57", "share of the upper left quarter"},
             {"b", "0.19", "share of the upper right quarter"},
             {"c", "0.19", "share of the lower left quarter (the rest is d)"},
             seed()}},
           []<scalar T>(const context& where, const settings& s) {
             return rmat<T>(where, s.small("scale"), s.size("edge-factor"), s.seed(),
                            {.a = s.real("a"), .b = s.real("b"), .c = s.real("c")});
           }),
      kind({"er",
            "Erdos-Renyi graph (R-MAT with equal quarters), duplicate edges summed",
            {scale, edge_factor, seed()}},
           []<scalar T>(const context& where, const settings& s) {
             return erdos_renyi<T>(where, s.small("scale"), s.size("edge-factor"), s.seed());
           }),
      kind({"power-law",
            "row lengths that fall as a power of their rank, random columns",
            {{"rows", "1000000", "rows"},
             {"cols", "rows", "columns"},
             {"mean", "3", "mean row length"},
             {"longest", "4849", "length of the longest row"},
             seed()}},
           []<scalar T>(const context& where, const settings& s) {
             return power_law<T>(where, {s.size("rows"), s.size("cols")}, s.real("mean"),
                                 s.size("longest"), s.seed());
           }),
  };
}

std::vector<entry> row_kinds() {
  const parameter rows{"rows", "2^20", "rows"}, cols{"cols", "rows", "columns"};
  return {
      kind({"random",
            "rows of equally many random nonzeros",
            {rows, cols, {"per-row", "8", "nonzeros of every row"}, seed()},
            true},
           []<scalar T>(const context& where, const settings& s) {
             return aspect<T>(where, s.size("rows"), s.size("cols"), s.product("rows", "per-row"),
                              s.seed(), s.share());
           }),
      kind({"aspect",
            "the same nonzeros spread evenly over few long or many short rows",
            {{"rows", "2^12", "rows, from 2 to nnz / 2"},
             {"cols", "auto", "columns; auto: just enough, so that rows are full"},
             {"nnz", "2^24", "nonzeros"},
             seed()},
            true},
           []<scalar T>(const context& where, const settings& s) {
             return aspect<T>(where, s.size("rows"), aspect_columns(s), s.size("nnz"), s.seed(),
                              s.share());
           }),
      kind({"dense-row",
            "rows of a few random nonzeros and one long one in the middle",
            {rows,
             cols,
             {"per-row", "4", "nonzeros of every other row"},
             {"dense", "1000000", "nonzeros of the long row"},
             seed()},
            true},
           []<scalar T>(const context& where, const settings& s) {
             return one_dense_row<T>(where, {s.size("rows"), s.size("cols")}, s.size("per-row"),
                                     s.size("dense"), s.seed(), s.share());
           }),
      kind({"dense-column",
            "rows of a few random nonzeros and one column that many rows share",
            {rows,
             cols,
             {"per-row", "4", "nonzeros of a row outside the long column"},
             {"dense", "1000000", "nonzeros of the long column"},
             seed()},
            true},
           []<scalar T>(const context& where, const settings& s) {
             return one_dense_column<T>(where, {s.size("rows"), s.size("cols")}, s.size("per-row"),
                                        s.size("dense"), s.seed(), s.share());
           }),
  };
}

const std::vector<entry>& entries() {
  static const std::vector<entry> all = [] {
    std::vector<entry> list;
    for (auto& group : {grid_kinds(), graph_kinds(), row_kinds()})
      list.insert(list.end(), group.begin(), group.end());
    return list;
  }();
  return all;
}

}  // namespace

const std::vector<recipe>& recipes() {
  static const std::vector<recipe> list = [] {
    std::vector<recipe> all;
    for (const auto& e : entries()) all.push_back(e.what);
    return all;
  }();
  return list;
}

template <real_scalar T>
csr_matrix<T> by_name(const context& where, std::string_view kind,
                      const std::vector<std::string>& given, row_share which) try {
  std::string known;
  for (const auto& e : entries()) {
    if (e.what.kind == kind && !e.what.by_rows && which.parts != 1)
      throw fail(error_kind::not_available,
                 "the generator '{}' makes all rows at once; make the whole matrix and take rows",
                 kind);
    if (e.what.kind == kind)
      return std::get<maker<T>>(e.makers)(where, settings(e.what, given, which));
    known += (known.empty() ? "" : ", ") + e.what.kind;
  }
  throw fail(error_kind::bad_argument, "there is no generator '{}'; the generators are {}", kind,
             known);
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> by_name(const context&, std::string_view,
                                   const std::vector<std::string>&, row_share);
template csr_matrix<double> by_name(const context&, std::string_view,
                                    const std::vector<std::string>&, row_share);

}  // namespace gossamer::generate
