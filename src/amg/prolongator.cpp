// Smoothed prolongators, P = (I - weight D^-1 A) T, in one pass over A. T has one block of nonzeros
// a row, so a row of P is the sum of few blocks, found by their aggregate: no general product is
// needed.
#include "amg/prolongator.hpp"

#include <array>
#include <numeric>
#include <vector>

#include "amg/rows.hpp"

namespace gossamer::amg {

namespace {

/// Blocks of one row of P, by aggregate in ascending order.
template <real T>
class block_row {
 public:
  block_row(const smoothing_step<T>& by, const aggregation& nodes, const tentative<T>& t)
      : by_(by), a_(by.a), nodes_(nodes), t_(t) {}

  /// Computes row i and calls f(aggregate, values) for its blocks in ascending order.
  template <class F>
  void for_each_block(index_t i, F&& f) {
    if (t_.k == 1 && a_.end(i) - a_.begin(i) <= most_searched) return for_each_short(i, f);
    compute(i);
    for (index_t b = 0; b < blocks_; ++b)
      f(keys_[at(order_[at(b)])], static_cast<const T*>(sums_.data() + order_[at(b)] * t_.k));
  }

 private:
  /// Longer rows remember the place of each aggregate in an array instead of looking for it.
  static constexpr index_t most_searched = 16;
  static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

  /// One vector and few nonzeros: sums in registers and in the order of aggregates as they are
  /// found.
  template <class F>
  void for_each_short(index_t i, F&& f) const {
    std::array<std::int32_t, most_searched> keys;
    std::array<T, most_searched> sums;
    std::size_t count = 0;
    const T scale = -by_.weight / by_.diagonal[i];
    for (index_t p = a_.begin(i), end = a_.end(i); p < end; ++p) {
      const std::int32_t j = a_.columns[p];
      const std::int32_t aggregate = nodes_.of[by_.block == 1 ? j : j / by_.block];
      if (aggregate < 0) continue;
      const T term = (scale * a_.values[p] + (j == i ? T{1} : T{0})) * t_.values[j];
      std::size_t to = 0;
      while (to < count && keys[to] < aggregate) ++to;
      if (to < count && keys[to] == aggregate) {
        sums[to] += term;
        continue;
      }
      for (std::size_t k = count++; k > to; --k) {
        keys[k] = keys[k - 1];
        sums[k] = sums[k - 1];
      }
      keys[to] = aggregate;
      sums[to] = term;
    }
    for (std::size_t b = 0; b < count; ++b) f(keys[b], &sums[b]);
  }

  void compute(index_t i) {
    blocks_ = 0;
    const T scale = -by_.weight / by_.diagonal[i];
    const bool few = a_.end(i) - a_.begin(i) <= most_searched;
    for (index_t p = a_.begin(i), end = a_.end(i); p < end; ++p) {
      const index_t j = a_.columns[p];
      const std::int32_t aggregate = nodes_.of[by_.block == 1 ? j : j / by_.block];
      if (aggregate < 0) continue;
      const T factor = scale * a_.values[p] + (j == i ? T{1} : T{0});
      T* const sums = few ? searched(aggregate) : marked(aggregate, i);
      const T* const from = t_.values.data() + j * t_.k;
      for (index_t c = 0; c < t_.k; ++c) sums[c] += factor * from[c];
    }
    sort();
  }

  T* open(std::int32_t aggregate) {
    if (at(blocks_) == keys_.size()) {
      keys_.push_back(0);
      order_.push_back(0);
      sums_.resize(sums_.size() + at(t_.k));
    }
    keys_[at(blocks_)] = aggregate;
    T* const sums = sums_.data() + blocks_++ * t_.k;
    std::fill(sums, sums + t_.k, T{0});
    return sums;
  }
  T* searched(std::int32_t aggregate) {
    for (index_t b = 0; b < blocks_; ++b)
      if (keys_[at(b)] == aggregate) return sums_.data() + b * t_.k;
    return open(aggregate);
  }
  T* marked(std::int32_t aggregate, index_t row) {
    if (places_.empty()) places_.resize(at(nodes_.count), {-1, 0});
    auto& place = places_[at(aggregate)];
    if (place.row != row) {
      place = {row, blocks_};
      return open(aggregate);
    }
    return sums_.data() + place.block * t_.k;
  }
  void sort() {
    if (blocks_ > 32) {
      std::iota(order_.begin(), order_.begin() + blocks_, index_t{0});
      std::sort(order_.begin(), order_.begin() + blocks_,
                [&](index_t l, index_t r) { return keys_[at(l)] < keys_[at(r)]; });
      return;
    }
    for (index_t b = 0; b < blocks_; ++b) {
      index_t to = b;
      for (; to > 0 && keys_[at(order_[at(to - 1)])] > keys_[at(b)]; --to)
        order_[at(to)] = order_[at(to - 1)];
      order_[at(to)] = b;
    }
  }

  struct place {
    index_t row, block;
  };
  smoothing_step<T> by_;
  row_reader<T> a_;
  const aggregation& nodes_;
  const tentative<T>& t_;
  index_t blocks_ = 0;
  std::vector<std::int32_t> keys_;
  std::vector<index_t> order_;
  std::vector<T> sums_;
  std::vector<place> places_;
};

}  // namespace

template <real T>
csr_matrix<T> smooth_prolongator(int threads, const smoothing_step<T>& by, const aggregation& nodes,
                                 const tentative<T>& t) {
  const index_t n = by.a.shape.rows;
  return build_by_chunks<T>(
      threads, {n, nodes.count * t.k},
      [&](index_t begin, index_t end) { return (by.a.offsets[end] - by.a.offsets[begin]) * t.k; },
      [&, row = block_row<T>(by, nodes, t)](index_t i, row_writer<T>& out) mutable {
        row.for_each_block(i, [&](std::int32_t aggregate, const T* values) {
          for (index_t c = 0; c < t.k; ++c)
            out.add(static_cast<std::int32_t>(aggregate * t.k + c), values[c]);
        });
      });
}

template <real T>
void resmooth_prolongator(int threads, const smoothing_step<T>& by, const aggregation& nodes,
                          const tentative<T>& t, csr_matrix<T>& p) {
  T* const values = p.values().data();
  const index_view offsets = p.row_offsets();
  parallel_ranges(threads, by.a.shape.rows, row_grain, [&](index_t begin, index_t end) {
    block_row<T> row(by, nodes, t);
    for (index_t i = begin; i < end; ++i) {
      T* to = values + offsets[i];
      row.for_each_block(
          i, [&](std::int32_t, const T* from) { to = std::copy(from, from + t.k, to); });
    }
  });
}

template csr_matrix<float> smooth_prolongator(int, const smoothing_step<float>&, const aggregation&,
                                              const tentative<float>&);
template csr_matrix<double> smooth_prolongator(int, const smoothing_step<double>&,
                                               const aggregation&, const tentative<double>&);
template void resmooth_prolongator(int, const smoothing_step<float>&, const aggregation&,
                                   const tentative<float>&, csr_matrix<float>&);
template void resmooth_prolongator(int, const smoothing_step<double>&, const aggregation&,
                                   const tentative<double>&, csr_matrix<double>&);

}  // namespace gossamer::amg
