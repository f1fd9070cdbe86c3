#include "cli/commands/reference_check.hpp"

#include <cmath>
#include <cstring>

#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::cli {

namespace {

void copy_indices(index_view from, index_span to) {
  if (from.size() > 0)
    std::memcpy(to.data(), from.data(),
                static_cast<std::size_t>(from.size() * bytes(from.width())));
}

template <scalar T>
csr_matrix<real_of<T>> magnitudes(const csr_matrix<T>& a) {
  csr_matrix<real_of<T>> result(a.shape(), a.nnz(), a.index_widths());
  const auto out = result.mutable_view();
  copy_indices(a.row_offsets(), out.offsets);
  copy_indices(a.column_indices(), out.columns);
  for (std::size_t k = 0; k < a.values().size(); ++k) out.values[k] = std::abs(a.values()[k]);
  return result;
}

/// What each entry of the sum may be off by, in units of eps.
template <scalar T>
csr_matrix<real_of<T>> allowances(const bench::factors<T>& of,
                                  const std::optional<expression<T>>& addend, const options& how) {
  using real = real_of<T>;
  constexpr real roundings = complex_scalar<T> ? 2 : 1;  // of a product, in units of eps
  const context cpu = context::best();
  const auto a = magnitudes(of.a), b = magnitudes(of.sparse());
  const auto left = of.transpose_a ? transposed(a) : express(a);
  auto sums = multiply(cpu, scaled(std::abs(of.alpha), left), b, {.mask = how.mask});
  const auto terms = multiply(cpu, left, b, {.semiring = semiring::plus_pair, .mask = how.mask});
  for (std::size_t k = 0; k < sums.values().size(); ++k)
    sums.values()[k] *= roundings * (terms.values()[k] + real{3});
  if (!addend) return sums;
  const auto added = magnitudes(convert<csr_matrix<T>>(cpu, *addend));
  return add(cpu, sums, scaled(3 * roundings, added));
}

template <class T>
bool is_nan(const T& x) {
  return std::isnan(x);
}
template <class T>
bool is_nan(const std::complex<T>& x) {
  return std::isnan(x.real()) || std::isnan(x.imag());
}

template <scalar T>
bool same(const T& x, const T& y) {
  return x == y || (is_nan(x) && is_nan(y));
}

template <scalar T>
std::string number_text(const T& x) {
  if constexpr (complex_scalar<T>)
    return formatted("{}{:+}i", x.real(), x.imag());
  else
    return formatted("{}", x);
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
  const auto allowed =
      exact ? csr_matrix<real_of<T>>(wanted.shape(), 0) : allowances(of, addend, how);
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
        bound = static_cast<double>(std::numeric_limits<real_of<T>>::epsilon()) *
                static_cast<double>(allowed.values()[static_cast<std::size_t>(q)]);
      }
      using wide = std::conditional_t<complex_scalar<T>, std::complex<double>, double>;
      const double off = std::abs(cast<wide>(x) - cast<wide>(y));
      verdict.worst = std::max(verdict.worst, bound > 0 ? off / bound : 2.0);
      if (!(off <= bound))
        differ(formatted("entry ({}, {}) is {}, the reference says {} (allowed error {:.3g})",
                         i + 1, column + 1, number_text(x), number_text(y), bound));
    }
  }
  return verdict;
}

#define GOSSAMER_INSTANTIATE(T)                                                     \
  template bench::judgement judge_by_reference(const bench::factors<T>&,            \
                                               const std::optional<expression<T>>&, \
                                               const options&, const csr_matrix<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cli
