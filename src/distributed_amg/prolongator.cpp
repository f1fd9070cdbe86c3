// Smoothed prolongators over ranks: the tentative one has a nonzero a row, whose column may belong
// to another rank; smoothing is a distributed product.
#include <cmath>

#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

/// Rows with one value of the vector each, in the column of their aggregate.
template <amg::real T>
csr_matrix<T> tentative_rows(const distributed_aggregates& nodes, const std::vector<T>& vector) {
  std::vector<index_t> offsets{0}, columns;
  std::vector<T> values;
  for (std::size_t i = 0; i < nodes.of.size(); ++i) {
    if (nodes.of[i] >= 0) {
      columns.push_back(nodes.of[i]);
      values.push_back(vector[i]);
    }
    offsets.push_back(static_cast<index_t>(columns.size()));
  }
  const extents shape{static_cast<index_t>(nodes.of.size()), nodes.owners.size()};
  const csr_view<const T> rows(values, offsets, columns, shape);
  return sort_columns<T>(context::openmp(1), rows);
}

/// The vector divided by its length on each aggregate, which becomes the vector of the next level.
template <amg::real T>
void normalise(const context& where, distributed_csr<T>& t, std::vector<T>& vector) {
  const auto& ranks = t.ranks();
  std::vector<T> lengths, scaled_rows;
  agreed(ranks, [&] {
    lengths.resize(static_cast<std::size_t>(t.local_columns()));
    scaled_rows.resize(vector.size());
  });
  multiply(where, t, vector, lengths, product_options{.transposed = true});
  std::vector<T> inverse(lengths);
  for (std::size_t a = 0; a < lengths.size(); ++a) {
    lengths[a] = std::sqrt(lengths[a]);
    inverse[a] = lengths[a] > 0 ? T{1} / lengths[a] : T{0};
  }
  multiply(where, t, inverse, scaled_rows);
  const auto own = t.own(), off = t.off();
  for (index_t i = 0; i < t.local_rows(); ++i) {
    const T value = scaled_rows[static_cast<std::size_t>(i)];
    if (own.offsets[i] < own.offsets[i + 1])
      t.own_values()[static_cast<std::size_t>(own.offsets[i])] = value;
    if (off.offsets[i] < off.offsets[i + 1])
      t.off_values()[static_cast<std::size_t>(off.offsets[i])] = value;
  }
  vector = std::move(lengths);
}

/// I - weight D^-1 A, on the pattern of A.
template <amg::real T>
distributed_csr<T> smoother_of(const smoothing<T>& by) {
  distributed_csr<T> s = by.a;
  const auto own = s.own(), off = s.off();
  for (index_t i = 0; i < s.local_rows(); ++i) {
    const T scale = static_cast<T>(-by.weight) / by.diagonal[static_cast<std::size_t>(i)];
    for (index_t k = own.offsets[i]; k < own.offsets[i + 1]; ++k) {
      T& value = s.own_values()[static_cast<std::size_t>(k)];
      value = scale * value + (own.columns[k] == i ? T{1} : T{0});
    }
    for (index_t k = off.offsets[i]; k < off.offsets[i + 1]; ++k)
      s.off_values()[static_cast<std::size_t>(k)] *= scale;
  }
  return s;
}

}  // namespace

template <amg::real T>
distributed_csr<T> prolongator(const context& where, const smoothing<T>& by,
                               const distributed_aggregates& nodes, std::vector<T>& vector,
                               const spgemm_options& how) {
  const auto& ranks = by.a.ranks();
  const auto rows = agreed(ranks, [&] { return tentative_rows(nodes, vector); });
  distributed_csr<T> t(where, ranks, rows.view(), nodes.owners);
  normalise(where, t, vector);
  const auto s = agreed(ranks, [&] { return smoother_of(by); });
  return multiply(where, s, t, how);
}

template distributed_csr<float> prolongator(const context&, const smoothing<float>&,
                                            const distributed_aggregates&, std::vector<float>&,
                                            const spgemm_options&);
template distributed_csr<double> prolongator(const context&, const smoothing<double>&,
                                             const distributed_aggregates&, std::vector<double>&,
                                             const spgemm_options&);

}  // namespace gossamer::mpi
