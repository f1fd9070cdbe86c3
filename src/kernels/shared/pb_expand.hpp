// The expand phase of propagation blocking: outer products of columns of A and rows of B, written
// as tuples (key, product) to bins of rows. A tuple goes to a small bin of its thread first; full
// small bins go to memory in whole cache lines, past the caches. Every share of the products has
// its own exact place in every bin, so tuples lie in the order of the inner index whatever the
// team.
#pragma once

#include <emmintrin.h>

#include <atomic>
#include <cstring>

#include "kernels/shared/pb_columns.hpp"

namespace gossamer {

/// The tuples of a slice. Bin b has a run of tuples for each share: run (b, s) begins at
/// starts[b * shares + s] and holds counts[b * shares + s] tuples.
template <class K, class T>
struct pb_tuples {
  buffer<K> keys;
  buffer<T> values;
  std::vector<index_t> starts, counts;
  index_t shares = 1;
};

namespace detail {

/// Both 64-byte aligned, whole lines.
inline void stream_lines(void* to, const void* from, index_t bytes) {
  auto* out = static_cast<__m128i*>(to);
  const auto* in = static_cast<const __m128i*>(from);
  for (index_t k = 0; k < bytes / 16; ++k) _mm_stream_si128(out + k, _mm_load_si128(in + k));
}

/// The small bins of one thread. A bin's slots follow its place in memory: tuple n is in slot
/// n % width, so one counter serves both.
template <class K, class T>
class local_bins {
 public:
  local_bins(index_t bins, index_t width, pb_tuples<K, T>& out, const context& where)
      : width_(width),
        keys_(bins * width, where.memory()),
        values_(bins * width, where.memory()),
        next_(bins, where.memory()),
        out_(out) {}
  ~local_bins() { _mm_sfence(); }
  local_bins(const local_bins&) = delete;
  local_bins& operator=(const local_bins&) = delete;

  void start(index_t share) {
    for (index_t bin = 0; bin < next_.size(); ++bin)
      next_[bin] = out_.starts[static_cast<std::size_t>(bin * out_.shares + share)];
  }

  /// factor * b(q) for q in [q, end) to `bin`; `row` is the row's part of the keys.
  template <class RowsB>
  void append(index_t bin, K row, T factor, const RowsB& b, index_t q, index_t end) {
    K* const keys = keys_.data() + bin * width_;
    T* const values = values_.data() + bin * width_;
    index_t n = next_[bin];
    while (q < end) {
      const index_t slot = n & (width_ - 1), take = std::min(end - q, width_ - slot);
      for (index_t j = 0; j < take; ++j) {
        keys[slot + j] = row | static_cast<K>(b.column(q + j));
        values[slot + j] = factor * b.value(q + j);
      }
      n += take;
      q += take;
      if (slot + take == width_) {
        stream_lines(out_.keys.data() + n - width_, keys, width_ * index_t{sizeof(K)});
        stream_lines(out_.values.data() + n - width_, values, width_ * index_t{sizeof(T)});
      }
    }
    next_[bin] = n;
  }

  void flush() {
    for (index_t bin = 0; bin < next_.size(); ++bin) {
      const index_t left = next_[bin] & (width_ - 1), at = next_[bin] - left;
      std::copy_n(keys_.data() + bin * width_, left, out_.keys.data() + at);
      std::copy_n(values_.data() + bin * width_, left, out_.values.data() + at);
    }
  }

 private:
  index_t width_;
  buffer<K> keys_;
  buffer<T> values_;
  buffer<index_t> next_;
  pb_tuples<K, T>& out_;
};

}  // namespace detail

/// Exact places for all tuples: counts by (bin, share), starts on whole lines.
template <class K, class T>
pb_tuples<K, T> place_tuples(const pb_columns<K, T>& a, const pb_slice& slice,
                             std::span<const pb_share> shares, index_view b_offsets, index_t width,
                             const context& where) {
  pb_tuples<K, T> out;
  out.shares = static_cast<index_t>(shares.size());
  const index_t bins = slice.bins();
  out.counts.resize(static_cast<std::size_t>(bins * out.shares));
  out.starts.resize(out.counts.size());
  parallel_chunks(where.threads(), out.shares, [&](index_t share) {
    buffer<index_t> mine(bins, where.memory());
    std::fill_n(mine.data(), bins, index_t{0});
    for_each_column(a, shares[static_cast<std::size_t>(share)],
                    [&](index_t k, index_t first, index_t last) {
                      const index_t length = b_offsets[k + 1] - b_offsets[k];
                      for (index_t p = first; p < last; ++p)
                        mine[static_cast<index_t>(a.places[p] >> slice.row_bits)] += length;
                    });
    for (index_t bin = 0; bin < bins; ++bin)
      out.counts[static_cast<std::size_t>(bin * out.shares + share)] = mine[bin];
  });
  index_t next = 0;
  for (std::size_t run = 0; run < out.counts.size(); ++run) {
    out.starts[run] = next;
    next += (out.counts[run] + width - 1) & -width;
  }
  out.keys = buffer<K>(next, where.memory());
  out.values = buffer<T>(next, where.memory());
  return out;
}

template <class K, class T, class RowsB>
void expand(const pb_columns<K, T>& a, const RowsB& b, const pb_slice& slice, int column_bits,
            std::span<const pb_share> shares, index_t width, int team, pb_tuples<K, T>& out,
            const context& where) {
  const K row_mask = static_cast<K>((K{1} << slice.row_bits) - 1);
  std::atomic<index_t> next{0};
  parallel(team, [&](int, int) {
    detail::local_bins<K, T> local(slice.bins(), width, out, where);
    for (index_t share; (share = next.fetch_add(1, std::memory_order_relaxed)) < out.shares;) {
      local.start(share);
      for_each_column(a, shares[static_cast<std::size_t>(share)],
                      [&](index_t k, index_t first, index_t last) {
                        const index_t begin = b.begin(k), end = b.end(k);
                        for (index_t p = first; p < last; ++p) {
                          const K place = a.places[p];
                          local.append(static_cast<index_t>(place >> slice.row_bits),
                                       static_cast<K>((place & row_mask) << column_bits),
                                       a.values[p], b, begin, end);
                        }
                      });
      local.flush();
    }
  });
}

}  // namespace gossamer
