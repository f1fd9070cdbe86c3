// gossamer info FILE --why: the plan for a product, explained; sparse products with their estimate.

#include "base/text.hpp"
#include "bench/subjects/product.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/commands/info.hpp"
#include "cli/output/report.hpp"
#include "gossamer/analysis.hpp"
#include "gossamer/copy.hpp"
#include "multiply/sparse.hpp"

namespace gossamer::cli {

namespace {

using bench::prepared_product;

template <scalar T>
factors<T> factors_for(const info_request& asked, const context& where, progress& ticker) {
  factors<T> of;
  of.transpose_a = asked.transpose_a;
  of.a = load_sparse<T>(asked.file, where, ticker);
  const index_t inner = of.left_shape().cols;
  if (asked.why == "spgemm") {
    of.product = operation::spgemm;
    if (!asked.times.empty()) of.b = load_sparse<T>(asked.times, where, ticker);
    require_inner_match(asked.file + (asked.transpose_a ? " transposed" : ""), of.left_shape(),
                        asked.times.empty() ? "itself" : asked.times, of.sparse().shape());
  } else if (asked.why == "spmm") {
    of.product = operation::spmm;
    of.dense = dense_matrix<T>(inner, asked.dense);
  } else {
    of.product = operation::spmv;
    of.dense = dense_matrix<T>(inner, 1, layout::column_major);
  }
  return of;
}

// A sparse plan would compute the structure of the result, half of the product; the choice alone
// takes no time worth mentioning (under a memory limit it counts the nonzeros of the result).
template <scalar T>
explanation explain_product(const context& where, const factors<T>& of, expression<T> left,
                            const options& how) {
  using gossamer::detail::explain_sparse;
  if (of.product != operation::spgemm) return prepared_product<T>(where, of, left, how).explain();
  if (where.backend() != backend::cuda)
    return explain_sparse(where, left, express(of.sparse()), how);
  const auto moved =
      std::visit([&](const auto& v) -> any_matrix<T> { return copy_to(where, v); }, left.view);
  const auto right = copy_to(where, of.sparse());
  return explain_sparse(where, of.left_of(express_any(moved)), express(right), how);
}

void print_estimate(const product_estimate& expected) {
  print_heading("\nthe product");
  print("{}\n", describe(expected));
  print_heading("rows by number of multiplications");
  print("{}", render(expected.products_histogram));
}

template <scalar T>
exit_code show_why_of(const info_request& asked) {
  const context where = asked.where.open();
  const context host = where.backend() == backend::cuda ? context::best() : where;
  const options how = asked.wanted.for_calls(asked.calls);
  progress ticker;
  const factors<T> of = factors_for<T>(asked, host, ticker);
  const any_matrix<T> held = in_format(host, of.a, parse_format(asked.format));
  ticker.stage("comparing the kernels");
  const explanation why = explain_product(where, of, of.left_of(express_any(held)), how);
  std::optional<product_estimate> expected;
  if (of.product == operation::spgemm) expected = estimate(host, of.left(), of.sparse());
  ticker.finish();
  if (asked.as_json) {
    json result = {{"command", "info"}, {"file", asked.file}, {"explanation", parsed(why.json())}};
    if (expected) result["estimate"] = parsed(to_json(*expected));
    print_json(result);
  } else {
    print("{}", why.text());
    if (expected) print_estimate(*expected);
  }
  return exit_code::done;
}

}  // namespace

exit_code show_why(const info_request& asked) {
  return with_any_type(type_for(asked.type, {asked.file, asked.times}), [&](auto type) {
    return show_why_of<typename decltype(type)::type>(asked);
  });
}

}  // namespace gossamer::cli
