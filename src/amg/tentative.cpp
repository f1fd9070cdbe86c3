// Tentative prolongators (Vanek, Mandel and Brezina 1996): vectors that the fine level must
// represent are restricted to each aggregate and made orthonormal there; what is left is the coarse
// vectors.
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "amg/prolongator.hpp"
#include "amg/rows.hpp"

namespace gossamer::amg {

namespace {

/// Nodes by aggregate, in their order.
struct members {
  std::vector<index_t> starts;
  std::vector<std::int32_t> nodes;
};

members members_of(const aggregation& all) {
  members m{std::vector<index_t>(static_cast<std::size_t>(all.count) + 1, 0), {}};
  for (const std::int32_t a : all.of.span())
    if (a >= 0) ++m.starts[static_cast<std::size_t>(a) + 1];
  std::partial_sum(m.starts.begin(), m.starts.end(), m.starts.begin());
  m.nodes.resize(static_cast<std::size_t>(m.starts.back()));
  std::vector<index_t> next(m.starts.begin(), m.starts.end() - 1);
  for (index_t v = 0; v < all.of.size(); ++v)
    if (const std::int32_t a = all.of[v]; a >= 0)
      m.nodes[static_cast<std::size_t>(next[static_cast<std::size_t>(a)]++)] =
          static_cast<std::int32_t>(v);
  return m;
}

/// Rows of one aggregate: column c of row r is at q[rows[r] * k + c].
template <real T>
struct local_columns {
  T* q;
  index_t k;
  std::vector<index_t> rows;

  double dot(index_t left, index_t right) const {
    double sum = 0;
    for (const index_t row : rows)
      sum += static_cast<double>(q[row * k + left]) * static_cast<double>(q[row * k + right]);
    return sum;
  }
  void subtract(index_t from, double factor, index_t column) {
    for (const index_t row : rows)
      q[row * k + from] -= static_cast<T>(factor * static_cast<double>(q[row * k + column]));
  }
  void scale(index_t column, double factor) {
    for (const index_t row : rows)
      q[row * k + column] = static_cast<T>(factor * static_cast<double>(q[row * k + column]));
  }
};

/// Gram-Schmidt, twice, of the columns of an aggregate; r, k x k and row-major, gets R. Returns the
/// number of columns that depend on those before them, which become zero.
template <real T>
index_t orthonormalise(local_columns<T>& local, T* r) {
  const double tiny = std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
  index_t dependent = 0;
  std::fill(r, r + local.k * local.k, T{0});
  for (index_t c = 0; c < local.k; ++c) {
    const double before = std::sqrt(local.dot(c, c));
    for (int pass = 0; pass < 2; ++pass)
      for (index_t b = 0; b < c; ++b) {
        const double shared = local.dot(b, c);
        local.subtract(c, shared, b);
        r[b * local.k + c] += static_cast<T>(shared);
      }
    const double left = std::sqrt(local.dot(c, c));
    const bool independent = left > tiny * before;
    local.scale(c, independent ? 1 / left : 0);
    r[c * local.k + c] = independent ? static_cast<T>(left) : T{0};
    dependent += !independent;
  }
  return dependent;
}

/// One vector: its length on each aggregate.
template <real T>
void normalise(int threads, const aggregation& nodes, index_t block, tentative<T>& t,
               const buffer<T>& vectors) {
  const index_t n = t.values.size();
  std::vector<double> squares(static_cast<std::size_t>(nodes.count), 0.0);
  for (index_t i = 0; i < n; ++i)
    if (const std::int32_t a = nodes.of[i / block]; a >= 0)
      squares[static_cast<std::size_t>(a)] +=
          static_cast<double>(vectors[i]) * static_cast<double>(vectors[i]);
  for (index_t a = 0; a < nodes.count; ++a) {
    const double length = std::sqrt(squares[static_cast<std::size_t>(a)]);
    t.coarse[a] = static_cast<T>(length);
    t.dependent += length == 0;
    squares[static_cast<std::size_t>(a)] = length == 0 ? 0 : 1 / length;
  }
  parallel_ranges(threads, n, row_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      const std::int32_t a = nodes.of[i / block];
      t.values[i] = a < 0 ? T{0}
                          : static_cast<T>(static_cast<double>(vectors[i]) *
                                           squares[static_cast<std::size_t>(a)]);
    }
  });
}

}  // namespace

template <real T>
tentative<T> make_tentative(int threads, const aggregation& nodes, index_t block, index_t k,
                            const buffer<T>& vectors) {
  tentative<T> t{k, buffer<T>(vectors.size()), buffer<T>(nodes.count * k * k)};
  if (k == 1) {
    normalise(threads, nodes, block, t, vectors);
    return t;
  }
  std::copy(vectors.span().begin(), vectors.span().end(), t.values.span().begin());
  const members lists = members_of(nodes);
  std::atomic<index_t> dependent{0};
  parallel_ranges(threads, nodes.count, 64, [&](index_t begin, index_t end) {
    local_columns<T> local{t.values.data(), k, {}};
    index_t mine = 0;
    for (index_t a = begin; a < end; ++a) {
      local.rows.clear();
      for (index_t m = lists.starts[static_cast<std::size_t>(a)];
           m < lists.starts[static_cast<std::size_t>(a) + 1]; ++m)
        for (index_t row = 0; row < block; ++row)
          local.rows.push_back(lists.nodes[static_cast<std::size_t>(m)] * block + row);
      mine += orthonormalise(local, t.coarse.data() + a * k * k);
    }
    dependent += mine;
  });
  t.dependent = dependent.load();
  return t;
}

template <real T>
csr_matrix<T> tentative_matrix(int threads, const aggregation& nodes, index_t block,
                               const tentative<T>& t) {
  const index_t n = nodes.of.size() * block;
  return build_by_chunks<T>(
      threads, {n, nodes.count * t.k},
      [&](index_t begin, index_t end) { return (end - begin) * t.k; },
      [&](index_t i, row_writer<T>& out) {
        if (const std::int32_t a = nodes.of[i / block]; a >= 0)
          for (index_t c = 0; c < t.k; ++c)
            out.add(static_cast<std::int32_t>(a * t.k + c), t.values[i * t.k + c]);
      });
}

template tentative<float> make_tentative(int, const aggregation&, index_t, index_t,
                                         const buffer<float>&);
template tentative<double> make_tentative(int, const aggregation&, index_t, index_t,
                                          const buffer<double>&);
template csr_matrix<float> tentative_matrix(int, const aggregation&, index_t,
                                            const tentative<float>&);
template csr_matrix<double> tentative_matrix(int, const aggregation&, index_t,
                                             const tentative<double>&);

}  // namespace gossamer::amg
