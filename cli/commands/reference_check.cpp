#include "cli/commands/reference_check.hpp"

#include <cmath>

#include "base/text.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::cli {

namespace {

template <scalar T>
csr_matrix<T> magnitudes(csr_matrix<T> a) {
  for (T& value : a.values()) value = std::abs(value);
  return a;
}

/// What each entry of the sum may be off by, in units of eps.
template <scalar T>
csr_matrix<T> allowances(const bench::factors<T>& of, const std::optional<expression<T>>& addend,
                         const options& how) {
  const context cpu = context::best();
  const auto a = magnitudes(of.a), b = magnitudes(of.sparse());
  const auto left = of.transpose_a ? transposed(a) : express(a);
  auto sums = multiply(cpu, scaled(std::abs(of.alpha), left), b, {.mask = how.mask});
  const auto terms = multiply(cpu, left, b, {.semiring = semiring::plus_pair, .mask = how.mask});
  for (std::size_t k = 0; k < sums.values().size(); ++k)
    sums.values()[k] *= terms.values()[k] + T{3};
  if (!addend) return sums;
  return add(cpu, sums, scaled(T{3}, magnitudes(convert<csr_matrix<T>>(cpu, *addend))));
}

template <scalar T>
bool same(T x, T y) {
  return x == y || (std::isnan(x) && std::isnan(y));
}

}  // namespace

template <scalar T>
bench::judgement judge_by_reference(const bench::factors<T>& of,
                                    const std::optional<expression<T>>& addend, const options& how,
                                    const csr_matrix<T>& found) {
  options plain = how;
  plain.algorithm.clear();
  plain.tuning.clear();
  plain.memory_limit = 0;
  const context serial = context::reference();
  const auto wanted = addend ? multiply(serial, of.left(), of.sparse(), *addend, plain)
                             : multiply(serial, of.left(), of.sparse(), plain);
  const bool exact = how.semiring != semiring::plus_times;
  const auto allowed = exact ? csr_matrix<T>(wanted.shape(), 0) : allowances(of, addend, how);
  bench::judgement verdict;
  const auto differ = [&](std::string text) {
    if (verdict.wrong++ == 0) verdict.first_difference = std::move(text);
    verdict.right = false;
  };
  for (index_t i = 0; i < wanted.rows(); ++i) {
    const index_t begin = wanted.row_offsets()[i], end = wanted.row_offsets()[i + 1];
    if (found.row_offsets()[i] != begin || found.row_offsets()[i + 1] != end) {
      differ(formatted("row {} has {} entries, the reference says {}", i + 1,
                       found.row_offsets()[i + 1] - found.row_offsets()[i], end - begin));
      return verdict;  // what follows is shifted
    }
    index_t q = allowed.row_offsets()[i];
    for (index_t p = begin; p < end; ++p, ++verdict.entries) {
      const auto at = static_cast<std::size_t>(p);
      const index_t column = wanted.column_indices()[p];
      if (found.column_indices()[p] != column) {
        differ(formatted("row {} has an entry in column {}, the reference in column {}", i + 1,
                         found.column_indices()[p] + 1, column + 1));
        return verdict;
      }
      const T x = found.values()[at], y = wanted.values()[at];
      if (same(x, y)) continue;
      double bound = 0;
      if (!exact) {
        while (allowed.column_indices()[q] < column) ++q;
        bound = static_cast<double>(std::numeric_limits<T>::epsilon()) *
                static_cast<double>(allowed.values()[static_cast<std::size_t>(q)]);
      }
      const double off = std::abs(static_cast<double>(x) - static_cast<double>(y));
      verdict.worst = std::max(verdict.worst, bound > 0 ? off / bound : 2.0);
      if (!(off <= bound))
        differ(formatted("entry ({}, {}) is {}, the reference says {} (allowed error {:.3g})",
                         i + 1, column + 1, x, y, bound));
    }
  }
  return verdict;
}

template bench::judgement judge_by_reference(const bench::factors<float>&,
                                             const std::optional<expression<float>>&,
                                             const options&, const csr_matrix<float>&);
template bench::judgement judge_by_reference(const bench::factors<double>&,
                                             const std::optional<expression<double>>&,
                                             const options&, const csr_matrix<double>&);

}  // namespace gossamer::cli
