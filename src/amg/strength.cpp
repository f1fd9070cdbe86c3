// Strong connections in the symmetric measure of Vanek, Mandel and Brezina (1996), relative to the
// strongest one of a row: a matrix with many equal connections, such as the 27-point stencil, has
// none that is large beside its diagonal.
#include "amg/strength.hpp"

#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include "amg/rows.hpp"
#include "base/parallel_all.hpp"
#include "base/text.hpp"
#include "gossamer/convert.hpp"

namespace gossamer::amg {

namespace {

/// A maximum that threads raise; the order does not matter.
void raise(std::atomic<double>& to, double value) {
  double now = to.load(std::memory_order_relaxed);
  while (value > now && !to.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

/// The largest quotient a_ij^2 / |a_ii a_jj| of each row, and the extremes of the whole matrix.
template <real T>
struct quotients {
  buffer<T> largest;
  double least_of_all = 0, largest_of_all = 0;
};

template <real T>
T quotient(const row_reader<T>& a, const T* diagonal, index_t row, index_t at) {
  const T value = a.values[at];
  return value * value / std::abs(diagonal[row] * diagonal[a.columns[at]]);
}

template <real T>
quotients<T> measure(int threads, const row_reader<T>& a, const T* diagonal) {
  quotients<T> found{buffer<T>(a.rows)};
  std::atomic<double> most{0}, least_negated{-std::numeric_limits<double>::infinity()};
  parallel_ranges(threads, a.rows, row_grain, [&](index_t begin, index_t end) {
    T low = std::numeric_limits<T>::infinity(), high = 0;
    for (index_t i = begin; i < end; ++i) {
      T largest = 0;
      for (index_t p = a.begin(i), last = a.end(i); p < last; ++p) {
        if (a.columns[p] == i) continue;
        const T q = quotient(a, diagonal, i, p);
        largest = std::max(largest, q);
        low = std::min(low, q);
      }
      found.largest[i] = largest;
      high = std::max(high, largest);
    }
    raise(most, static_cast<double>(high));
    raise(least_negated, -static_cast<double>(low));
  });
  found.largest_of_all = most.load();
  found.least_of_all = -least_negated.load();
  return found;
}

/// A without its weak connections, which are added to the diagonal: row sums stay as they are.
template <real T>
csr_matrix<T> without_weak(int threads, const csr_view<const T>& whole, const T* diagonal,
                           const quotients<T>& found, double threshold) {
  const row_reader<T> a(whole);
  const T limit = static_cast<T>(threshold * threshold);
  return build_by_chunks<T>(
      threads, whole.shape,
      [&](index_t begin, index_t end) { return a.begin(end) - a.begin(begin); },
      [&, limit](index_t i, row_writer<T>& out) {
        T lumped = 0;
        index_t centre = out.count;
        for (index_t p = a.begin(i), last = a.end(i); p < last; ++p) {
          const std::int32_t j = a.columns[p];
          if (j == i) centre = out.count;
          const bool strong = j == i || quotient(a, diagonal, i, p) >=
                                            limit * std::min(found.largest[i], found.largest[j]);
          if (strong)
            out.add(j, a.values[p]);
          else
            lumped += a.values[p];
        }
        out.values[centre] = lump(out.values[centre], lumped);
      });
}

/// Norms of the blocks of A: one row for each node.
template <real T>
csr_matrix<T> norms_of_blocks(int threads, const csr_view<const T>& whole, index_t block) {
  const row_reader<T> a(whole);
  const index_t nodes = whole.shape.rows / block;
  return build_by_chunks<T>(
      threads, {nodes, nodes},
      [&](index_t begin, index_t end) { return a.begin(end * block) - a.begin(begin * block); },
      [&, squares = std::vector<std::pair<std::int32_t, T>>{}](index_t node,
                                                               row_writer<T>& out) mutable {
        squares.clear();
        for (index_t p = a.begin(node * block), last = a.end(node * block + block - 1); p < last;
             ++p)
          squares.emplace_back(static_cast<std::int32_t>(a.columns[p] / block),
                               a.values[p] * a.values[p]);
        std::stable_sort(squares.begin(), squares.end(),
                         [](const auto& l, const auto& r) { return l.first < r.first; });
        for (std::size_t k = 0; k < squares.size();) {
          const std::int32_t to = squares[k].first;
          T sum = 0;
          for (; k < squares.size() && squares[k].first == to; ++k) sum += squares[k].second;
          out.add(to, std::sqrt(sum));
        }
      });
}

template <real T>
buffer<T> diagonal_of(int threads, const csr_view<const T>& whole) {
  const row_reader<T> a(whole);
  buffer<T> diagonal(a.rows);
  parallel_ranges(threads, a.rows, row_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      for (index_t p = a.begin(i), last = a.end(i); p < last; ++p)
        if (a.columns[p] == i) diagonal[i] = a.values[p];
  });
  return diagonal;
}

/// The facts of a matrix, and its first row without a usable diagonal or with a value that is not
/// finite.
template <real T>
std::pair<row_facts<T>, index_t> scan(int threads, const row_reader<T>& a, bool positive) {
  row_facts<T> facts{buffer<T>(a.rows)};
  std::atomic<double> spectrum{0};
  std::atomic<index_t> broken{a.rows};
  parallel_ranges(threads, a.rows, row_grain, [&](index_t begin, index_t end) {
    T largest = 0;
    for (index_t i = begin; i < end; ++i) {
      T sum = 0, centre = 0;
      for (index_t p = a.begin(i), last = a.end(i); p < last; ++p) {
        sum += std::abs(a.values[p]);
        if (a.columns[p] == i) centre = a.values[p];
      }
      facts.diagonal[i] = centre;
      if (!std::isfinite(sum) || !(positive ? centre > 0 : centre != 0)) {
        index_t first = broken.load();
        while (i < first && !broken.compare_exchange_weak(first, i)) {
        }
        return;
      }
      largest = std::max(largest, sum / std::abs(centre));
    }
    raise(spectrum, static_cast<double>(largest));
  });
  facts.spectrum = spectrum.load();
  return {std::move(facts), broken.load()};
}

[[noreturn]] void refuse_row(int level, index_t row, extents shape, std::string_view problem,
                             std::string_view way_out) {
  throw fail(error_kind::bad_input, "A ({}){}: row {} {}; {}", shape_text(shape),
             level > 0 ? formatted(" on level {} of the hierarchy", level) : std::string(), row,
             problem, way_out);
}

}  // namespace

template <real T>
bool has_plain_rows(int threads, const csr_view<const T>& whole) {
  const row_reader<T> a(whole);
  return parallel_all(threads, a.rows, row_grain, [&](index_t begin, index_t end) {
    bool plain = true;
    for (index_t i = begin; i < end; ++i) {
      std::int32_t before = -1;
      for (index_t p = a.begin(i), last = a.end(i); p < last; ++p) {
        plain &= a.columns[p] > before;
        before = a.columns[p];
      }
      plain &= before < whole.shape.cols;
    }
    return plain;
  });
}

template <real T>
row_facts<T> look_at_rows(int threads, const csr_view<const T>& whole, const setup_options& how,
                          int level) {
  const row_reader<T> a(whole);
  auto [facts, row] = scan(threads, a, how.symmetric);
  if (row < a.rows) {
    for (index_t p = a.begin(row); p < a.end(row); ++p)
      if (!std::isfinite(a.values[p]))
        refuse_row(level, row, whole.shape, formatted("has the value {}", a.values[p]),
                   "a solver needs finite values");
    if (facts.diagonal[row] == 0)
      refuse_row(level, row, whole.shape, "has no nonzero on the diagonal",
                 "smoothing divides by the diagonal; reorder the unknowns or eliminate the row");
    if (std::isfinite(facts.diagonal[row]) && facts.diagonal[row] < 0 && level > 0)
      refuse_row(
          level, row, whole.shape, formatted("has {} on the diagonal", facts.diagonal[row]),
          "so A is not positive definite: set setup_options::symmetric to false and use GMRES");
    if (std::isfinite(facts.diagonal[row]) && facts.diagonal[row] < 0)
      refuse_row(level, row, whole.shape, formatted("has {} on the diagonal", facts.diagonal[row]),
                 "a positive definite matrix has a positive diagonal; solve -A x = -b, or set "
                 "setup_options::symmetric to false and use BiCGStab or GMRES");
    refuse_row(level, row, whole.shape, "has values whose sum is not finite",
               "scale the matrix, or use double");
  }
  return std::move(facts);
}

template <real T>
row_facts<T> facts_of_filtered(int threads, const csr_view<const T>& filtered) {
  return scan(threads, row_reader<T>(filtered), /*positive=*/false).first;
}

template <real T>
connections<T> connect(int threads, const csr_view<const T>& a, row_facts<T> facts,
                       const setup_options& how, double threshold, index_t block) {
  connections<T> c;
  c.smoothing = c.graph = a;
  c.facts = std::move(facts);
  buffer<T> node_diagonal;
  if (block > 1) {
    c.nodes = norms_of_blocks<T>(threads, a, block);
    c.graph = c.nodes;
    node_diagonal = diagonal_of<T>(threads, c.graph);
  }
  const T* const diagonal = block > 1 ? node_diagonal.data() : c.facts.diagonal.data();
  if (threshold > 0) {
    const auto found = measure(threads, row_reader<T>(c.graph), diagonal);
    if (found.least_of_all < threshold * threshold * found.largest_of_all) {
      auto kept = without_weak<T>(threads, c.graph, diagonal, found, threshold);
      c.weak = c.graph.nnz() - kept.nnz();
      if (c.weak > 0 && block > 1) {
        c.nodes = std::move(kept);
        c.graph = c.nodes;
      } else if (c.weak > 0) {
        c.filtered = std::move(kept);
        c.smoothing = c.graph = c.filtered;
        c.facts = facts_of_filtered<T>(threads, c.smoothing);
      }
    }
  }
  if (!how.symmetric) {
    c.nodes = symmetrise<T>(context::openmp(threads), c.graph);
    c.graph = c.nodes;
  }
  return c;
}

template <real T>
void refilter(int threads, const csr_view<const T>& whole, csr_matrix<T>& filtered) {
  const row_reader<T> a(whole), kept(filtered.view());
  T* const values = filtered.values().data();
  parallel_ranges(threads, a.rows, row_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      index_t at = kept.begin(i), centre = at;
      T lumped = 0;
      for (index_t p = a.begin(i), last = a.end(i); p < last; ++p) {
        if (at < kept.end(i) && kept.columns[at] == a.columns[p]) {
          if (a.columns[p] == i) centre = at;
          values[at++] = a.values[p];
        } else {
          lumped += a.values[p];
        }
      }
      values[centre] = lump(values[centre], lumped);
    }
  });
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                                \
  template bool has_plain_rows<T>(int, const csr_view<const T>&);                                  \
  template row_facts<T> look_at_rows<T>(int, const csr_view<const T>&, const setup_options&, int); \
  template connections<T> connect<T>(int, const csr_view<const T>&, row_facts<T>,                  \
                                     const setup_options&, double, index_t);                       \
  template row_facts<T> facts_of_filtered<T>(int, const csr_view<const T>&);                       \
  template void refilter<T>(int, const csr_view<const T>&, csr_matrix<T>&);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg
