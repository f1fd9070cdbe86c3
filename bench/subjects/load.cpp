// From a subject to the factors of a product.
#include <algorithm>

#include "base/text.hpp"
#include "bench/subjects/subject.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/validate.hpp"

namespace gossamer::bench {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

template <scalar T>
csr_matrix<T> load_matrix(const std::string& source, load_watch& watch) {
  const context where = context::best();
  if (is_recipe(source)) {
    watch.stage("generating " + source);
    const auto colon = source.find(':');
    return generate::by_name<T>(where, source.substr(0, colon),
                                colon == std::string::npos ? std::vector<std::string>{}
                                                           : split(source.substr(colon + 1), ','));
  }
  watch.stage("reading " + source);
  const csr_matrix<T> read =
      read_sparse<T>(source, {.threads = where.threads(), .progress = watch.share()});
  return sum_duplicates<T>(where, read.view());
}

template <scalar T>
csr_matrix<T> right_factor(const subject& from, const csr_matrix<T>& source, load_watch& watch) {
  const context where = context::best();
  const auto one = [&](const std::string& word) -> csr_matrix<T> {
    if (word == "A") return source;
    if (word == "transposed") return transpose<T>(where, source.view());
    return load_matrix<T>(word, watch);
  };
  csr_matrix<T> right = one(from.right.front());
  for (std::size_t k = 1; k < from.right.size(); ++k) {
    watch.stage("multiplying the right factor of " + from.name);
    right = multiply(where, right, one(from.right[k]));
  }
  return right;
}

}  // namespace

bool is_recipe(const std::string& source) {
  const std::string kind = source.substr(0, source.find(':'));
  const auto& recipes = generate::recipes();
  return std::any_of(recipes.begin(), recipes.end(),
                     [&](const auto& r) { return r.kind == kind; }) &&
         !std::filesystem::exists(source);
}

template <scalar T>
factors<T> load_factors(const subject& from, operation product, const dense_options& dense,
                        load_watch& watch) {
  const context where = context::best();
  factors<T> of;
  of.product = product;
  of.a = load_matrix<T>(from.source, watch);
  if (product == operation::spgemm &&
      (from.right != std::vector<std::string>{"A"} || from.transpose))
    of.b = right_factor(from, of.a, watch);
  if (from.transpose) of.a = transpose<T>(where, of.a.view());
  if (product != operation::spgemm) {
    of.dense = random_block<T>(where, {of.a.cols(), dense.columns}, dense.seed);
  } else if (of.a.cols() != of.sparse().rows()) {
    throw fail(error_kind::bad_input,
               "{} is {} and its right factor is {}: the product needs as many rows on the right "
               "as columns on the left; --right names another factor (transposed always fits)",
               from.name, shape_text(of.a.shape()), shape_text(of.sparse().shape()));
  }
  return of;
}

template factors<float> load_factors(const subject&, operation, const dense_options&, load_watch&);
template factors<double> load_factors(const subject&, operation, const dense_options&, load_watch&);

}  // namespace gossamer::bench
