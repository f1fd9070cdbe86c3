// gossamer compare: are two matrices the same, or close?
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"
#include "gossamer/compare.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/elements.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer compare a.mtx b.npz              close? |a - b| <= atol + rtol |b|
  gossamer compare a.mtx b.mtx --rtol 0 --atol 0

An element that is not stored is 0. Exit code 0: close or equal; 1: different.)";

struct request {
  std::string a, b, type;
  double rtol = 1e-5, atol = 1e-8;
  int threads = 0;
  bool as_json = false;
};

/// The largest difference, and where it is.
struct difference {
  double most = 0;
  index_t row = 0, column = 0, only_in_a = 0, only_in_b = 0;
};

template <scalar T>
difference largest_difference(const context& where, const csr_matrix<T>& a,
                              const csr_matrix<T>& b) {
  difference found;
  const auto rest = add(where, a, scaled(T{-1}, b));
  for (const auto [i, j, v] : rest) {
    const double size = static_cast<double>(std::abs(v));
    if (!(size > found.most) && size == size) continue;
    found.most = size;
    found.row = i, found.column = j;
  }
  // Sums of patterns: the union has what either has.
  found.only_in_a = rest.nnz() - sum_duplicates(where, b).nnz();
  found.only_in_b = rest.nnz() - sum_duplicates(where, a).nnz();
  return found;
}

void print_text(const request& asked, const json& result, const json& pair) {
  print_field("shapes",
              formatted("{} and {}", pair["a"].get<std::string>(), pair["b"].get<std::string>()));
  if (result.contains("largest_difference"))
    print_field("difference",
                formatted("at most {:.3g}, at ({}, {}); {} nonzeros only in A, {} only in B",
                          result["largest_difference"].get<double>(), count_text(result["row"]),
                          count_text(result["column"]), count_text(result["only_in_a"]),
                          count_text(result["only_in_b"])));
  const painter out = painter::for_stdout();
  const bool close = result["close"].get<bool>();
  print_field("verdict",
              result["same"].get<bool>() ? out.good("the same, bit by bit")
              : close ? out.good(formatted("close (rtol {}, atol {})", asked.rtol, asked.atol))
                      : out.bad("different"));
}

template <scalar T>
exit_code compare_files(const request& asked) {
  const context where = context::openmp(asked.threads);
  progress ticker;
  const auto a = load_sparse<T>(asked.a, where, ticker), b = load_sparse<T>(asked.b, where, ticker);
  ticker.finish();
  json result = {{"command", "compare"}, {"a", asked.a}, {"b", asked.b}};
  const bool fits = a.shape() == b.shape();
  const bool equal = fits && same(where, a, b);
  const bool close = equal || (fits && allclose(where, a, b, asked.rtol, asked.atol));
  result["same"] = equal;
  result["close"] = close;
  if (fits) {
    const auto found = largest_difference(where, a, b);
    result["largest_difference"] = found.most;
    result["row"] = found.row + 1;
    result["column"] = found.column + 1;
    result["only_in_a"] = found.only_in_a;
    result["only_in_b"] = found.only_in_b;
  }
  if (asked.as_json)
    print_json(result);
  else
    print_text(asked, result,
               {{"a", formatted("{}, {} nonzeros", shape_text(a.shape()), count_text(a.nnz()))},
                {"b", formatted("{}, {} nonzeros", shape_text(b.shape()), count_text(b.nnz()))}});
  return close ? exit_code::done : exit_code::wrong_result;
}

}  // namespace

void add_compare(const command& program, action& chosen) {
  auto asked = std::make_shared<request>();
  const command compare = program.add_subcommand("compare", "Compare two matrix files", closing);
  compare.add_option("A", asked->a, "A matrix file", {.required = true});
  compare.add_option("B", asked->b, "Another one", {.required = true});
  compare.add_option("--rtol", asked->rtol, "Relative tolerance; default 1e-5",
                     {.shown_as = "R", .within = bounds{.least = 0, .most = 1}});
  compare.add_option("--atol", asked->atol, "Absolute tolerance; default 1e-8",
                     {.shown_as = "R", .within = bounds{.least = 0, .most = index_t{1} << 40}});
  add_any_type(compare, asked->type);
  add_threads(compare, asked->threads);
  add_json(compare, asked->as_json);
  compare.when_chosen([asked, &chosen] {
    chosen = [asked] {
      asked->type = type_for(asked->type, {asked->a, asked->b});
      return with_any_type(asked->type, [&](auto type) {
        return compare_files<typename decltype(type)::type>(*asked);
      });
    };
  });
}

}  // namespace gossamer::cli
