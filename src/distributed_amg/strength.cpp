// Strong connections of a distributed matrix: amg/strength.cpp with diagonals and largest quotients
// of other ranks brought here.
#include <cmath>

#include "amg/strength.hpp"
#include "base/text.hpp"
#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

template <amg::real T>
[[noreturn]] void refuse(const distributed_csr<T>& a, index_t row, int level, T diagonal) {
  throw fail(
      error_kind::bad_input,
      "A ({}){}: row {} has the diagonal {} or a value that is not finite; smoothing divides "
      "by the diagonal, which is positive where A is positive definite",
      shape_text(a.shape()),
      level > 0 ? formatted(" on level {} of the hierarchy", level) : std::string(),
      a.first_row() + row, diagonal);
}

/// Quotients a_ij^2 / |a_ii a_jj| of a matrix: the largest of each row, and the extremes of all.
template <amg::real T>
struct measured {
  extended<T> diagonal, largest;
  double least_of_all = std::numeric_limits<double>::infinity(), largest_of_all = 0;

  measured(const communicator& ranks, const halo_routes& routes, index_t rows)
      : diagonal(ranks, routes, rows), largest(ranks, routes, rows) {}
  T quotient(index_t row, index_t column, T value) const {
    return value * value / std::abs(diagonal[row] * diagonal[column]);
  }
};

template <amg::real T>
void measure(const extended_rows<T>& rows, measured<T>& found) {
  for (index_t i = 0; i < rows.size(); ++i) {
    T largest = 0;
    rows.for_each(i, [&](index_t j, T value) {
      if (j == i) return;
      const T q = found.quotient(i, j, value);
      largest = std::max(largest, q);
      found.least_of_all = std::min(found.least_of_all, static_cast<double>(q));
    });
    found.largest[i] = largest;
    found.largest_of_all = std::max(found.largest_of_all, static_cast<double>(largest));
  }
}

/// Rows with global columns, weak connections added to the diagonal.
template <amg::real T>
csr_matrix<T> strong_rows(const context& where, const distributed_csr<T>& a,
                          const measured<T>& found, double threshold) {
  const T limit = static_cast<T>(threshold * threshold);
  std::vector<index_t> offsets{0}, columns;
  std::vector<T> values;
  const extended_rows<T> rows(a);
  for (index_t i = 0; i < rows.size(); ++i) {
    T lumped = 0;
    std::size_t centre = columns.size();
    rows.for_each(i, [&](index_t j, T value) {
      const bool strong = j == i || found.quotient(i, j, value) >=
                                        limit * std::min(found.largest[i], found.largest[j]);
      if (!strong) {
        lumped += value;
        return;
      }
      if (j == i) centre = columns.size();
      columns.push_back(j < a.local_columns() ? a.first_column() + j
                                              : a.halo()[at(j - a.local_columns())]);
      values.push_back(value);
    });
    values[centre] = amg::lump(values[centre], lumped);
    offsets.push_back(static_cast<index_t>(columns.size()));
  }
  return sort_columns<T>(
      where, csr_view<const T>(values, offsets, columns, {rows.size(), a.shape().cols}));
}

}  // namespace

template <amg::real T>
level_facts<T> facts_of(const distributed_csr<T>& a, bool symmetric, int level) {
  level_facts<T> facts;
  agreed(a.ranks(), [&] {
    facts.diagonal.assign(at(a.local_rows()), T{0});
    const extended_rows<T> rows(a);
    for (index_t i = 0; i < rows.size(); ++i) {
      T sum = 0, centre = 0;
      rows.for_each(i, [&](index_t j, T value) {
        sum += std::abs(value);
        if (j == i) centre = value;
      });
      if (!std::isfinite(sum) || !(symmetric ? centre > 0 : centre != 0))
        refuse(a, i, level, centre);
      facts.diagonal[at(i)] = centre;
      facts.spectrum = std::max(facts.spectrum, static_cast<double>(sum / std::abs(centre)));
    }
  });
  facts.spectrum = greatest_of(a.ranks(), facts.spectrum);
  return facts;
}

template <amg::real T>
std::optional<distributed_csr<T>> without_weak(const context& where, const distributed_csr<T>& a,
                                               const level_facts<T>& facts, double threshold,
                                               index_t& weak) {
  weak = 0;
  if (threshold == 0) return {};
  const auto& ranks = a.ranks();
  const auto routes = halo_routes::of(ranks, a.column_partition(), a.halo());
  std::optional<measured<T>> found;
  agreed(ranks, [&] {
    found.emplace(ranks, routes, a.local_rows());
    std::copy(facts.diagonal.begin(), facts.diagonal.end(), found->diagonal.data());
  });
  found->diagonal.update();
  measure(extended_rows<T>(a), *found);
  found->largest.update();
  const double least = least_of(ranks, found->least_of_all);
  const double largest = greatest_of(ranks, found->largest_of_all);
  if (!(least < threshold * threshold * largest)) return {};
  const auto rows = agreed(ranks, [&] { return strong_rows(where, a, *found, threshold); });
  weak = a.nnz() - sum_of(ranks, rows.nnz());
  if (weak == 0) return {};
  return distributed_csr<T>(where, ranks, rows.view(), a.column_partition());
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                       \
  template level_facts<T> facts_of(const distributed_csr<T>&, bool, int); \
  template std::optional<distributed_csr<T>> without_weak(                \
      const context&, const distributed_csr<T>&, const level_facts<T>&, double, index_t&);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
