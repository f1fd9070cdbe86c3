#include "cli/arguments/sparse_options.hpp"

#include "base/text.hpp"
#include "cli/output/failure.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::cli {

namespace {

constexpr semiring all_semirings[] = {
    semiring::plus_times, semiring::min_plus,   semiring::max_plus,   semiring::or_and,
    semiring::plus_pair,  semiring::any_pair,   semiring::plus_first, semiring::plus_second,
    semiring::min_first,  semiring::min_second, semiring::max_first,  semiring::max_second,
    semiring::min_times,  semiring::max_times,  semiring::max_min};

semiring parse_semiring(const std::string& text) {
  for (const auto known : all_semirings)
    if (name(known) == text) return known;
  throw usage_error(formatted("--semiring: '{}' is not a semiring", text),
                    "gossamer multiply --help lists the semirings");
}

template <scalar T>
csr_matrix<T> load_shaped(const std::string& file, const char* option, extents result,
                          const context& where, progress& ticker) {
  auto loaded = load_sparse<T>(file, where, ticker);
  if (loaded.shape() != result)
    throw fail(error_kind::bad_input,
               "{} is {} and the result {}: {} takes the shape of the result", file,
               shape_text(loaded.shape()), shape_text(result), option);
  return loaded;
}

}  // namespace

std::string sparse_options::text() const {
  std::string all;
  if (!add.empty()) all += formatted(" + {}{}", beta == 1 ? "" : formatted("{} ", beta), add);
  if (semiring != "plus_times") all += formatted(" over {}", semiring);
  if (!mask.empty())
    all += formatted(", {} {}", complement_mask ? "complement-masked by" : "masked by", mask);
  if (threshold > 0) all += formatted(", magnitudes of at least {}", threshold);
  if (top > 0) all += formatted(", the {} largest of each row", count_text(top));
  return all;
}

void add_sparse_options(const command& to, sparse_options& wanted) {
  add_choice(
      to, "--semiring", wanted.semiring,
      {"plus_times", "min_plus", "max_plus", "or_and", "plus_pair", "any_pair", "plus_first",
       "plus_second", "min_first", "min_second", "max_first", "max_second", "min_times",
       "max_times", "max_min"},
      "Sparse results: plus_times (default), min_plus, max_plus, or_and, plus_pair, any_pair, "
      "plus_first, plus_second, min_first, min_second, max_first, max_second, min_times, "
      "max_times, max_min");
  to.add_option("--mask", wanted.mask,
                "Sparse results: compute only where this matrix has nonzeros",
                {.shown_as = "M.mtx"});
  to.add_flag("--complement-mask", wanted.complement_mask,
              "With --mask: compute only where it has none");
  to.add_option("--threshold", wanted.threshold,
                "Sparse results: drop nonzeros of smaller magnitude", {.shown_as = "X"});
  add_count(to, "--top", wanted.top, 1,
            "Sparse results: keep the N nonzeros of greatest magnitude in each row");
  to.add_option("--add", wanted.add, "Sparse results: add this matrix, times --beta",
                {.shown_as = "Z.mtx"});
  to.add_option("--beta", wanted.beta, "Factor of the matrix of --add; default 1",
                {.shown_as = "X"});
}

void require_sensible(const sparse_options& wanted, double alpha) {
  const bool ordinary = parse_semiring(wanted.semiring) == semiring::plus_times;
  if (wanted.complement_mask && wanted.mask.empty())
    throw usage_error("--complement-mask without a mask", "give --mask M.mtx too");
  if (wanted.beta != 1 && wanted.add.empty())
    throw usage_error("--beta scales what --add adds, and nothing is added",
                      "give --add Z.mtx too");
  if (!(wanted.threshold >= 0))
    throw usage_error(formatted("--threshold: {} is no magnitude", wanted.threshold),
                      "give a number that is not negative");
  if (!ordinary && alpha != 1)
    throw usage_error(formatted("--alpha does not go with --semiring {}", wanted.semiring),
                      "only plus_times takes scaled operands");
  if (!ordinary && !wanted.add.empty())
    throw usage_error(formatted("--add does not go with --semiring {}", wanted.semiring),
                      "matrices are added to plus_times products only");
}

void require_sparse_product(const sparse_options& wanted, operation product) {
  if (product == operation::spgemm || !wanted.any()) return;
  throw usage_error(
      "--semiring, --mask, --threshold, --top and --add are for sparse results, and this product "
      "is "
      "dense",
      "multiply by a sparse matrix: --times with a coordinate file, or --square");
}

template <scalar T>
sparse_extras<T> load_extras(const sparse_options& wanted, const context& where,
                             const factors<T>& of, progress& ticker) {
  sparse_extras<T> loaded;
  loaded.beta = cast<T>(wanted.beta);
  const extents result{of.left_shape().rows, of.right_columns()};
  if (!wanted.mask.empty())
    loaded.mask = load_shaped<T>(wanted.mask, "--mask", result, where, ticker);
  if (!wanted.add.empty())
    loaded.addend = load_shaped<T>(wanted.add, "--add", result, where, ticker);
  return loaded;
}

template <scalar T>
options with_sparse_options(options how, const sparse_options& wanted,
                            const sparse_extras<T>& extras) {
  how.semiring = parse_semiring(wanted.semiring);
  if (extras.mask)
    how.mask =
        wanted.complement_mask ? complement(pattern_of(*extras.mask)) : pattern_of(*extras.mask);
  how.keep = {.magnitude = wanted.threshold, .largest = wanted.top};
  return how;
}

#define GOSSAMER_INSTANTIATE(T)                                                                   \
  template sparse_extras<T> load_extras(const sparse_options&, const context&, const factors<T>&, \
                                        progress&);                                               \
  template options with_sparse_options(options, const sparse_options&, const sparse_extras<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cli
